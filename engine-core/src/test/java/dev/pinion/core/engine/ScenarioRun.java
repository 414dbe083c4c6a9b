package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pinion.core.model.InstanceState;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One running scenario of the conformance features: the actions of their sentences. */
final class ScenarioRun {
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final Pattern QUOTED = Pattern.compile("'([^']*)'");

  private final PipelineDriver driver;
  private final Map<Pattern, Sentence> sentences =
      Map.ofEntries(
          sentence("a workflow with definition:", (match, text) -> definition = text),
          sentence(
              "given the workflow input is:",
              (match, text) -> input = Payload.of(YAML.readTree(text))),
          sentence("the workflow is executed", (match, text) -> execute()),
          sentence(
              "the workflow should complete",
              (match, text) -> expectState(InstanceState.COMPLETED)),
          sentence(
              "the workflow should fault", (match, text) -> expectState(InstanceState.FAULTED)),
          sentence(
              "the workflow should complete with output:", (match, text) -> expectOutput(text)),
          sentence("the workflow should fault with error:", (match, text) -> expectError(text)),
          sentence(
              "the workflow output should have properties (.*)",
              (match, text) -> expectProperties(match.group(1))),
          sentence(
              "the workflow output should have a '(.*)' property with value:",
              (match, text) -> assertEquals(yaml(text), at(match.group(1)))),
          sentence(
              "the workflow output should have a '(.*)' property containing (\\d+) items",
              (match, text) ->
                  assertEquals(Integer.parseInt(match.group(2)), at(match.group(1)).size())),
          sentence(
              "(\\w+) should run first",
              (match, text) -> assertEquals(match.group(1), entered().getFirst())),
          sentence(
              "(\\w+) should run last",
              (match, text) -> assertEquals(match.group(1), entered().getLast())),
          sentence(
              "(\\w+) should run after (\\w+)",
              (match, text) ->
                  assertEquals(
                      entered().indexOf(match.group(2)) + 1, entered().indexOf(match.group(1)))));

  private String definition = "";
  private Payload input = Payload.EMPTY_OBJECT;
  private @Nullable InstanceView ended;

  /** The action of a sentence. */
  private interface Sentence {
    void run(MatchResult match, String text) throws Exception;
  }

  ScenarioRun(PipelineDriver driver) {
    this.driver = driver;
  }

  private static Map.Entry<Pattern, Sentence> sentence(String pattern, Sentence sentence) {
    return Map.entry(Pattern.compile(pattern), sentence);
  }

  /** Performs a step; an unknown sentence fails. */
  void step(String sentence, String text) throws Exception {
    for (Map.Entry<Pattern, Sentence> known : sentences.entrySet()) {
      Matcher matcher = known.getKey().matcher(sentence.strip());
      if (matcher.matches()) {
        known.getValue().run(matcher.toMatchResult(), text);
        return;
      }
    }
    fail("expected a sentence of the conformance features, found: " + sentence);
  }

  private void execute() throws Exception {
    ended =
        driver.run(
            definition
                .replace(PetStore.LIVE, PipelineDriver.SERVICES)
                .replace(PetStore.LIVE_BASIC, PipelineDriver.SERVICES),
            input,
            new PetStore());
  }

  private InstanceView ended() {
    return Objects.requireNonNull(ended, "the workflow was not executed");
  }

  private List<String> entered() {
    return driver.entered();
  }

  private void expectState(InstanceState state) {
    assertEquals(state, ended().state(), () -> "error: " + ended().error());
  }

  private void expectOutput(String text) throws Exception {
    expectState(InstanceState.COMPLETED);
    assertEquals(yaml(text), output());
  }

  private void expectError(String text) throws Exception {
    expectState(InstanceState.FAULTED);
    ObjectNode error = (ObjectNode) Objects.requireNonNull(ended().error()).toPayload().json();
    JsonNode expected = yaml(text);
    ObjectNode found = JsonNodeFactory.instance.objectNode();
    expected.fieldNames().forEachRemaining(name -> found.set(name, error.path(name)));
    assertEquals(expected.toString(), found.toString());
  }

  private void expectProperties(String list) throws Exception {
    Matcher names = QUOTED.matcher(list);
    assertTrue(names.find(), list);
    do {
      String name = names.group(1);
      assertFalse(at(name).isMissingNode(), () -> name + " of " + ended());
    } while (names.find());
  }

  private JsonNode at(String path) throws Exception {
    return output().at("/" + path.replace('.', '/'));
  }

  /** The output as a reader would see it: whole numbers have one type. */
  private JsonNode output() throws Exception {
    return yaml(Objects.requireNonNull(ended().output()).toString());
  }

  private static JsonNode yaml(String text) throws Exception {
    return YAML.readTree(text);
  }
}
