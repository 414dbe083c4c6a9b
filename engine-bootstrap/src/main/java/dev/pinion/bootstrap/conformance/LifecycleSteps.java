package dev.pinion.bootstrap.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.model.instance.LifecycleEventType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Steps about the lifecycle events of workflows and tasks. */
final class LifecycleSteps {
  static final List<StepDefinition> ADDED =
      List.of(
          new StepDefinition(
              "the lifecycle events should be:", (run, words, text) -> haveTypes(run, text)),
          new StepDefinition(
              "a lifecycle event '{type}' should have data:",
              (run, words, text) -> hasData(run, words.getFirst(), text)));

  /** All types but those that tell a phase alone. */
  private static final Set<LifecycleEventType> REQUIRED =
      Stream.of(LifecycleEventType.values())
          .filter(type -> !type.isStatusChange())
          .collect(Collectors.toCollection(() -> EnumSet.noneOf(LifecycleEventType.class)));

  private LifecycleSteps() {}

  private static void haveTypes(ScenarioRun run, String text)
      throws ScenarioFailure, InterruptedException {
    run.requireAccepted();
    JsonNode expected = JsonExpectation.parse(text);
    List<String> types =
        run
            .lifecycle()
            .await(REQUIRED, events -> events.size() >= expected.size(), ScenarioRun.PATIENCE)
            .stream()
            .map(event -> event.path("type").asText())
            .toList();
    List<String> wanted = new ArrayList<>();
    for (JsonNode label : expected) {
      wanted.add(type(label.asText()).map(LifecycleEventType::type).orElse(label.asText()));
    }
    if (!wanted.equals(types)) {
      throw ScenarioFailure.expected("lifecycle events " + wanted, types);
    }
  }

  private static void hasData(ScenarioRun run, String label, String text)
      throws ScenarioFailure, InterruptedException {
    run.requireAccepted();
    JsonNode expected = JsonExpectation.parse(text);
    Set<LifecycleEventType> types = type(label).map(Set::of).orElse(Set.of());
    List<JsonNode> events =
        run.lifecycle()
            .await(
                types,
                found -> found.stream().anyMatch(event -> includes(event.path("data"), expected)),
                ScenarioRun.PATIENCE);
    if (events.stream().noneMatch(event -> includes(event.path("data"), expected))) {
      throw ScenarioFailure.expected("an event " + label + " with data " + expected, events);
    }
  }

  private static Optional<LifecycleEventType> type(String label) {
    return Stream.of(LifecycleEventType.values())
        .filter(type -> type.label().equals(label))
        .findFirst();
  }

  /** Whether data have the expected members; further ones do not matter. */
  private static boolean includes(JsonNode data, JsonNode expected) {
    for (Map.Entry<String, JsonNode> member : expected.properties()) {
      JsonNode value = data.path(member.getKey());
      boolean equal =
          member.getValue().isObject()
              ? includes(value, member.getValue())
              : JsonExpectation.isSame(member.getValue(), value);
      if (!equal) {
        return false;
      }
    }
    return true;
  }
}
