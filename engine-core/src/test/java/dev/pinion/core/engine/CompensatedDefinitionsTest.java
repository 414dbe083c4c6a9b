package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the tasks of a compensation see, also with functions and extensions. */
class CompensatedDefinitionsTest {
  private final List<String> sent = new ArrayList<>();
  private final DefinitionRuns runs =
      new DefinitionRuns(
          request -> {
            sent.add(request.path() + " " + request.body());
            return request.path().equals("/car")
                ? new TestService.Answer(404, "{}")
                : TestService.Answer.ok("{\"at\":\"" + request.path().substring(1) + "\"}");
          });

  @Test
  void shouldUndoFlightAndHotelWhenThereIsNoCar() throws Exception {
    String yaml =
        """
        do:
          - flight:
              call: http
              with: {method: post, endpoint: http://services.test/flight, body: '${ .trip }'}
              metadata:
                pinion:
                  compensate:
                    - cancel:
                        call: http
                        with:
                          method: post
                          endpoint: http://services.test/cancel
                          body: {of: '${ .at }', trip: '${ $input.trip }', for: '${ $error.status }'}
          - hotel:
              call: http
              with: {method: post, endpoint: http://services.test/hotel, body: '${ .at }'}
              metadata:
                pinion:
                  compensate:
                    - cancel:
                        call: http
                        with:
                          method: post
                          endpoint: 'http://services.test/cancel/{at}'
                          body: '${ $output.at }'
          - car: {call: http, with: {method: get, endpoint: http://services.test/car}}
        """;

    assertEquals(404, runs.error(yaml, "{\"trip\":7}").status());
    assertEquals(
        List.of(
            "/flight 7",
            "/hotel \"flight\"",
            "/car ",
            "/cancel/hotel \"hotel\"",
            "/cancel {\"of\":\"flight\",\"trip\":7,\"for\":404}"),
        sent);
  }

  private static String failing(String compensated, String compensate) {
    return """
        do:
          - t:
              try:
                - a:
                    %s
                    metadata: {pinion: {compensate: [{u: {%s}}]}}
                - b: {raise: {error: {type: 'https://example.com/e', status: 418}}}
              catch: {do: [{c: {set: '${ $context }'}}]}
        """
        .formatted(compensated.strip().replace("\n", "\n            "), compensate);
  }

  @Test
  void shouldSeeTheCompletedTaskAndTheError() throws Exception {
    String yaml =
        failing(
            """
            input: {from: .n}
            set: '${ . + 1 }'
            output: {as: {a: '${ . }'}}
            """,
            "input: {from: .a}, set: {dot: '${ . }', input: '${ $input }', output: '${ $output }',"
                + " status: '${ $error.status }', task: '${ $task.name }'},"
                + " export: {as: '${ {seen: ., out: $output} }'}");

    assertEquals(
        "{\"seen\":{\"dot\":2,\"input\":1,\"output\":{\"a\":2},\"status\":418,\"task\":\"u\"},"
            + "\"out\":{\"a\":2}}",
        runs.output(yaml, "{\"n\":1}"));
  }

  @Test
  void shouldLeaveFunctionsThatItCallsTheirOwnInput() throws Exception {
    String yaml =
        """
        use:
          functions:
            undo:
              set: {asked: '${ . }', own: '${ $input }'}
              metadata: {pinion: {compensate: [{never: {set: {x: '${ $output.own }'}}}]}}
        """
            + failing(
                "set: {a: 1}",
                "call: undo, with: {of: '${ $output.a }', in: '${ $input.n }'},"
                    + " export: {as: '${ . }'}");

    assertEquals(
        "{\"asked\":{\"of\":1,\"in\":5},\"own\":{\"of\":1,\"in\":5}}",
        runs.output(yaml, "{\"n\":5}"));
    assertTrue(!runs.entered().contains("never"), "nothing is undone of what undoes");
  }

  @Test
  void shouldUndoWhatAFunctionDid() throws Exception {
    String yaml =
        """
        use:
          functions:
            book:
              set: {booked: '${ .n }'}
              metadata:
                pinion:
                  compensate:
                    - undo: {set: {of: '${ $input.n }'}, export: {as: '${ . + $output }'}}
        do:
          - t:
              try:
                - a: {call: book, with: {n: 3}}
                - b: {raise: {error: {type: 'https://example.com/e', status: 418}}}
              catch: {do: [{c: {set: '${ $context }'}}]}
        """;

    assertEquals("{\"of\":3,\"booked\":3}", runs.output(yaml, "{}"));
  }

  @Test
  void shouldExtendTheTasksOfACompensation() throws Exception {
    String yaml =
        """
        use:
          extensions:
            - x:
                extend: set
                when: ${ $input.a == 1 }
                before: [{p: {set: {lost: '${ $input }'}}}]
                after: [{q: {set: {lost: '${ $task.output }'}}}]
        """
            + failing(
                "set: {a: 1}",
                "set: {dot: '${ . }', input: '${ $input }'}, export: {as: '${ . }'}");

    assertEquals("{\"dot\":{\"a\":1},\"input\":{\"n\":5}}", runs.output(yaml, "{\"n\":5}"));
    assertTrue(runs.entered().containsAll(List.of("p", "q")), runs.entered()::toString);
  }

  @Test
  void shouldUndoWhatAnExtensionDidForItsTask() throws Exception {
    String yaml =
        """
        use:
          extensions:
            - x:
                extend: raise
                before:
                  - p:
                      set: {lost: 1}
                      metadata:
                        pinion:
                          compensate:
                            - u: {set: '${ $task.name }', export: {as: '${ {undone: .} }'}}
        do:
          - t:
              try: [{b: {raise: {error: {type: 'https://example.com/e', status: 418}}}}]
              catch: {do: [{c: {set: '${ $context }'}}]}
        """;

    assertEquals("{\"undone\":\"b\"}", runs.output(yaml, "{}"));
  }
}
