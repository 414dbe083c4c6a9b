package dev.pinion.bootstrap.conformance;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A sentence that steps may have, and what it does. Its parts in braces stand for a value: {@code
 * {name}} for a word, {@code {number}} for digits, anything else for any text.
 */
final class StepDefinition {
  private static final Pattern PART = Pattern.compile("\\{(\\w+)}");

  private final String sentence;
  private final Pattern pattern;
  private final Action action;

  /** What a step does. */
  @FunctionalInterface
  interface Action {
    /**
     * Performs the step.
     *
     * @param words values of the parts in braces
     * @param text text block of the step
     */
    void perform(ScenarioRun run, List<String> words, String text)
        throws ScenarioFailure, IOException, InterruptedException;
  }

  StepDefinition(String sentence, Action action) {
    this.sentence = sentence;
    this.pattern = pattern(sentence);
    this.action = action;
  }

  private static Pattern pattern(String sentence) {
    StringBuilder pattern = new StringBuilder();
    Matcher parts = PART.matcher(sentence);
    int end = 0;
    while (parts.find()) {
      pattern.append(Pattern.quote(sentence.substring(end, parts.start())));
      pattern.append(
          switch (parts.group(1)) {
            case "name" -> "(\\S+)";
            case "number" -> "(\\d{1,9})";
            default -> "(.*)";
          });
      end = parts.end();
    }
    return Pattern.compile(pattern.append(Pattern.quote(sentence.substring(end))).toString());
  }

  /** The sentence with its parts in braces. */
  String sentence() {
    return sentence;
  }

  /** The values of the parts if a step has this sentence. */
  Optional<List<String>> match(String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.matches() ? Optional.of(words(matcher.toMatchResult())) : Optional.empty();
  }

  private static List<String> words(MatchResult match) {
    return IntStream.rangeClosed(1, match.groupCount()).mapToObj(match::group).toList();
  }

  void perform(ScenarioRun run, List<String> words, String text)
      throws ScenarioFailure, IOException, InterruptedException {
    action.perform(run, words, text);
  }
}
