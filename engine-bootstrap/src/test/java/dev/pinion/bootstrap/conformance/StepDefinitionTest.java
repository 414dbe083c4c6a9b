package dev.pinion.bootstrap.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StepDefinitionTest {
  private static Optional<List<String>> match(String sentence, String text) {
    return new StepDefinition(sentence, (run, words, block) -> {}).match(text);
  }

  @Test
  void shouldTakeTheWordsOfASentence() {
    assertEquals(
        Optional.of(List.of("taskA", "3")),
        match("{name} should have run {number} times", "taskA should have run 3 times"));
    assertEquals(
        Optional.of(List.of("GET /a'b")),
        match("given the service '{route}' answers:", "given the service 'GET /a'b' answers:"));
  }

  @Test
  void shouldMatchWholeSentencesOnly() {
    assertEquals(
        Optional.empty(), match("the workflow should fault", "the workflow should fault x"));
    assertEquals(Optional.empty(), match("{name} should run first", "two words should run first"));
    assertEquals(Optional.empty(), match("has {number} items", "has many items"));
    assertEquals(Optional.empty(), match("ends.", "endsX"));
  }

  @Test
  void shouldHaveEachSentenceOnce() {
    List<String> sentences =
        Stream.concat(StepCatalog.OF_THE_KIT.stream(), StepCatalog.ADDED.stream())
            .map(StepDefinition::sentence)
            .toList();

    assertEquals(new ArrayList<>(new TreeSet<>(sentences)), sentences.stream().sorted().toList());
  }

  /** No step of a scenario may mean two things. */
  @Test
  void shouldHaveOneMeaningForEachStepOfTheSuite() throws Exception {
    for (Scenario scenario : FeatureLibrary.ownSuite()) {
      for (ScenarioStep step : scenario.steps()) {
        long meanings =
            Stream.concat(StepCatalog.OF_THE_KIT.stream(), StepCatalog.ADDED.stream())
                .filter(each -> each.match(step.text()).isPresent())
                .count();
        assertEquals(1, meanings, step.text());
      }
    }
  }
}
