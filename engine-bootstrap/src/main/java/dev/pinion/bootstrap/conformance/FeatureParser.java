package dev.pinion.bootstrap.conformance;

import io.cucumber.gherkin.GherkinParser;
import io.cucumber.messages.types.Comment;
import io.cucumber.messages.types.Envelope;
import io.cucumber.messages.types.Feature;
import io.cucumber.messages.types.FeatureChild;
import io.cucumber.messages.types.GherkinDocument;
import io.cucumber.messages.types.Pickle;
import io.cucumber.messages.types.PickleDocString;
import io.cucumber.messages.types.PickleStep;
import io.cucumber.messages.types.PickleTag;
import io.cucumber.messages.types.RuleChild;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Parser of feature files. A comment such as {@code # dsl-reference.md: Switch} between two
 * scenarios names the section of the specification that the second one proves.
 */
final class FeatureParser {
  private static final Pattern SECTION = Pattern.compile("#\\s*(\\S+\\.md: .*\\S)\\s*");

  private final String file;
  private final GherkinDocument document;
  private final NavigableMap<Long, String> sections = new TreeMap<>();
  private final NavigableMap<Long, io.cucumber.messages.types.Scenario> byLine = new TreeMap<>();
  private final Map<String, Long> lines;

  private FeatureParser(String file, GherkinDocument document) {
    this.file = file;
    this.document = document;
    for (Comment comment : document.getComments()) {
      Matcher named = SECTION.matcher(comment.getText().strip());
      if (named.matches()) {
        sections.put(comment.getLocation().getLine(), named.group(1));
      }
    }
    document.getFeature().stream()
        .flatMap(FeatureParser::scenarios)
        .forEach(each -> byLine.put(each.getLocation().getLine(), each));
    this.lines =
        byLine.entrySet().stream()
            .collect(Collectors.toMap(each -> each.getValue().getId(), Map.Entry::getKey));
  }

  /**
   * Reads the scenarios of a file.
   *
   * @param file its name, for messages
   */
  static List<Scenario> parse(String file, String text) throws FeatureSyntaxException {
    GherkinParser parser = GherkinParser.builder().includeSource(false).build();
    List<Envelope> envelopes = parser.parse(file, text.getBytes(StandardCharsets.UTF_8)).toList();
    for (Envelope envelope : envelopes) {
      if (envelope.getParseError().isPresent()) {
        throw new FeatureSyntaxException(file + ": " + envelope.getParseError().get().getMessage());
      }
    }
    GherkinDocument document =
        envelopes.stream()
            .flatMap(each -> each.getGherkinDocument().stream())
            .findFirst()
            .orElseThrow(
                () -> new FeatureSyntaxException(file + ": expected a feature, found none"));
    FeatureParser found = new FeatureParser(file, document);
    return envelopes.stream()
        .flatMap(each -> each.getPickle().stream())
        .map(found::scenario)
        .toList();
  }

  private static Stream<io.cucumber.messages.types.Scenario> scenarios(Feature feature) {
    return feature.getChildren().stream().flatMap(FeatureParser::scenarios);
  }

  private static Stream<io.cucumber.messages.types.Scenario> scenarios(FeatureChild child) {
    return Stream.concat(
        child.getScenario().stream(),
        child.getRule().stream()
            .flatMap(rule -> rule.getChildren().stream())
            .map(RuleChild::getScenario)
            .flatMap(each -> each.stream()));
  }

  private Scenario scenario(Pickle pickle) {
    long line = lines.getOrDefault(pickle.getAstNodeIds().getFirst(), 0L);
    String feature = document.getFeature().map(Feature::getName).orElse("");
    return new Scenario(
        feature,
        pickle.getName(),
        section(line, feature),
        file + ":" + line,
        pickle.getTags().stream().map(PickleTag::getName).toList(),
        pickle.getSteps().stream().map(FeatureParser::step).toList());
  }

  private String section(long line, String feature) {
    Map.Entry<Long, String> comment = sections.lowerEntry(line);
    Long previous = byLine.lowerKey(line);
    boolean own = comment != null && (previous == null || comment.getKey() > previous);
    return own ? comment.getValue() : feature;
  }

  private static ScenarioStep step(PickleStep step) {
    String argument =
        step.getArgument()
            .flatMap(each -> each.getDocString())
            .map(PickleDocString::getContent)
            .orElse("");
    return new ScenarioStep(step.getText().strip(), argument);
  }
}
