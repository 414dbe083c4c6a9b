package dev.pinion.bootstrap.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Steps about the services that a workflow calls. */
final class ServiceSteps {
  static final List<StepDefinition> ADDED =
      List.of(
          new StepDefinition(
              "given the service '{route}' answers:",
              (run, words, text) ->
                  run.services()
                      .serve(
                          words.getFirst(), ServiceAnswer.parseAll(JsonExpectation.parse(text)))),
          new StepDefinition(
              "the service '{route}' should have received {number} requests",
              (run, words, text) -> hasReceived(run, words)),
          new StepDefinition(
              "the service '{route}' should have received at least {number} requests",
              (run, words, text) ->
                  received(run, words.getFirst(), Integer.parseInt(words.getLast()))),
          new StepDefinition(
              "the service '{route}' should have received:",
              (run, words, text) -> hasReceived(run, words.getFirst(), text)));

  private ServiceSteps() {}

  private static void hasReceived(ScenarioRun run, List<String> words) throws ScenarioFailure {
    run.requireAccepted();
    int found = run.services().received(words.getFirst()).size();
    if (found != Integer.parseInt(words.getLast())) {
      throw ScenarioFailure.expected(words.getLast() + " requests to " + words.getFirst(), found);
    }
  }

  /** Waits for a number of requests. */
  private static List<ReceivedRequest> received(ScenarioRun run, String route, int number)
      throws ScenarioFailure, InterruptedException {
    run.requireAccepted();
    List<ReceivedRequest> requests = run.services().await(route, number, ScenarioRun.PATIENCE);
    if (requests.size() < number) {
      throw ScenarioFailure.expected(
          "at least " + number + " requests to " + route, requests.size());
    }
    return requests;
  }

  /** The last request, or all if an array is expected. */
  private static void hasReceived(ScenarioRun run, String route, String text)
      throws ScenarioFailure, InterruptedException {
    JsonNode expected = JsonExpectation.parse(text);
    if (!expected.isArray()) {
      JsonExpectation.sameRequest(expected, received(run, route, 1).getLast().json());
      return;
    }
    List<ReceivedRequest> requests = received(run, route, expected.size());
    if (requests.size() > expected.size()) {
      throw ScenarioFailure.expected(expected.size() + " requests to " + route, requests.size());
    }
    for (int i = 0; i < requests.size(); i++) {
      JsonExpectation.sameRequest(expected.get(i), requests.get(i).json());
    }
  }
}
