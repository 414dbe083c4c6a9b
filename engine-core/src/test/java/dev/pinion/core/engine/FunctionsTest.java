package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.language.reference.TextDocuments;
import dev.pinion.core.model.WorkflowError;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Calls of functions of {@code use.functions}. */
class FunctionsTest {
  private final DefinitionRuns runs = new DefinitionRuns(DefinitionRuns.ECHO);

  @Test
  void shouldRunTheFunctionOnItsArguments() throws Exception {
    String yaml =
        """
        use:
          functions:
            greet:
              input: {schema: {document: {type: object, required: [name]}}}
              set: {greeting: '${ "Hello, \\(.name)!" }', all: '${ keys }'}
        do:
          - hello: {call: greet, with: {name: '${ .user }'}}
        """;

    assertEquals(
        "{\"greeting\":\"Hello, Ada!\",\"all\":[\"name\"]}",
        runs.output(yaml, "{\"user\":\"Ada\",\"other\":1}"));
    assertEquals(List.of("hello", "with", "greet"), runs.entered());
  }

  @Test
  void shouldEmitAndListenInFunctions() throws Exception {
    String yaml =
        """
        use:
          functions:
            tell: {emit: {event: {with: {type: told, data: {order: '${ .order }'}}}}}
            hear:
              listen:
                to: {one: {with: {type: told}, correlate: {o: {from: .data.order, expect: .order}}}}
        do:
          - both:
              fork:
                branches:
                  - hears: {call: hear, with: {order: '${ .id }'}}
                  - tells:
                      do:
                        - pause: {wait: PT1S}
                        - other: {call: tell, with: {order: o-1}}
                        - same: {call: tell, with: {order: '${ $workflow.input.id }'}}
              output: {as: '.[0]'}
        """;

    assertEquals("[{\"order\":\"o-2\"}]", runs.output(yaml, "{\"id\":\"o-2\"}"));
  }

  @Test
  void shouldGiveAnEmptyObjectWithoutArguments() throws Exception {
    String yaml =
        """
        use: {functions: {whole: {set: {input: '${ . }', raw: '${ $task.input }'}}}}
        do:
          - a: {call: whole}
        """;

    assertEquals("{\"input\":{},\"raw\":{}}", runs.output(yaml, "{\"user\":\"Ada\"}"));
  }

  @Test
  void shouldKeepTheDataFlowOfTheCallAndOfTheFunction() throws Exception {
    String yaml =
        """
        use:
          functions:
            twice:
              input: {from: .n}
              set: '${ . * 2 }'
              output: {as: {twice: '${ . }', of: '${ $input }', raw: '${ $task.input }'}}
              export: {as: '${ $context + {function: .twice} }'}
        do:
          - a:
              input: {from: .outer}
              call: twice
              with: {n: '${ .m + $input.m + $task.input.outer.m }'}
              output: {as: {result: '${ . }', input: '${ $input }', raw: '${ $task.input.x }'}}
              export: {as: '${ $context + {call: .result.twice} }'}
              then: c
          - b: {set: {skipped: false}}
          - c: {set: {all: '${ . }', context: '${ $context }'}}
        """;

    assertEquals(
        "{\"all\":{\"result\":{\"twice\":6,\"of\":3,\"raw\":{\"n\":3}},\"input\":{\"m\":1},\"raw\":7},"
            + "\"context\":{\"outer\":{\"m\":1},\"x\":7,\"function\":6,\"call\":6}}",
        runs.output(yaml, "{\"outer\":{\"m\":1},\"x\":7}"));
  }

  @Test
  void shouldShowTheFunctionsOwnTaskInside() throws Exception {
    String yaml =
        """
        use:
          functions:
            f:
              do:
                - inner:
                    set: {name: '${ $task.name }', at: '${ $task.reference }', by: '${ .by }'}
        do:
          - a: {call: f, with: {by: '${ $task.name + " " + $task.reference + " " + $task.definition.call }'}}
        """;

    assertEquals(
        "{\"name\":\"inner\",\"at\":\"/do/0/a/call/do/0/inner\",\"by\":\"a /do/0/a f\"}",
        runs.output(yaml, "{}"));
  }

  @Test
  void shouldCallFunctionsFromFunctionsAndLoops() throws Exception {
    String yaml =
        """
        use:
          functions:
            add: {set: {sum: '${ .a + .b }'}}
            addThree: {call: add, with: {a: '${ .a }', b: '${ .b + 1 }'}, output: {as: .sum}}
        do:
          - sum:
              for: {each: n, in: .items}
              do:
                - next:
                    call: addThree
                    with: {a: '${ .total // 0 }', b: '${ $n }'}
                    output: {as: {total: '${ . }', items: []}}
        """;

    assertEquals("{\"total\":9,\"items\":[]}", runs.output(yaml, "{\"items\":[1,2,3]}"));
  }

  @Test
  void shouldNotFillEndpointsFromLoopsAroundTheCall() throws Exception {
    String yaml =
        """
        use:
          functions:
            get: {call: http, with: {method: get, endpoint: 'http://services.test/{n}'}}
        do:
          - loop:
              for: {each: n, in: '${ [1] }'}
              do:
                - a: {call: get}
        """;

    WorkflowError error = runs.error(yaml, "{}");
    assertEquals("/do/0/loop/do/0/a/call", error.instance());
    assertTrue(
        String.valueOf(error.detail()).contains("expected a value for {n} of the endpoint"),
        error::toString);
  }

  @Test
  void shouldRefuseArgumentsThatDoNotMatch() throws Exception {
    String yaml =
        """
        use:
          functions:
            greet:
              input: {schema: {document: {type: object, required: [name]}}}
              set: {hello: '${ .name }'}
        do:
          - hello: {call: greet, with: {nam: Ada}}
        """;

    WorkflowError error = runs.error(yaml, "{\"name\":\"Ada\"}");
    assertTrue(error.type().endsWith("/validation"), error.type());
    assertEquals("/do/0/hello/call", error.instance());
  }

  @Test
  void shouldTellWhereAFunctionFailed() throws Exception {
    String yaml =
        """
        use: {functions: {bad: {do: [{x: {set: {v: '${ .n | .b }'}}}]}}}
        do:
          - a: {call: bad, with: {n: 5}}
        """;

    WorkflowError error = runs.error(yaml, "{}");
    assertEquals("/do/0/a/call/do/0/x", error.instance());
    assertTrue(
        String.valueOf(error.detail()).endsWith("(/use/functions/bad/do/0/x/set/v: ${ .n | .b })"),
        error::toString);
  }

  @Test
  void shouldTellThatTheArgumentsFailed() throws Exception {
    String yaml =
        """
        use: {functions: {f: {set: {v: 1}}}}
        do:
          - a: {call: f, with: {n: '${ 5 | .b }'}}
        """;

    WorkflowError error = runs.error(yaml, "{}");
    assertEquals("/do/0/a", error.instance());
    assertTrue(
        String.valueOf(error.detail()).endsWith("(/do/0/a/with/n: ${ 5 | .b })"), error::toString);
  }

  @Test
  void shouldCatchTheErrorOfAFunction() throws Exception {
    String yaml =
        """
        use:
          functions:
            bad: {raise: {error: {type: 'https://example.com/bad', status: 418}}}
        do:
          - careful:
              try: [{a: {call: bad}}]
              catch: {as: e, do: [{b: {set: {status: '${ $e.status }', at: '${ $e.instance }'}}}]}
        """;

    assertEquals("{\"status\":418,\"at\":\"/do/0/careful/try/0/a/call\"}", runs.output(yaml, "{}"));
  }

  @Test
  void shouldSkipACallWithoutRunningTheFunction() throws Exception {
    String yaml =
        """
        use: {functions: {f: {set: {v: 1}}}}
        do:
          - a: {if: .go, call: f}
        """;

    assertEquals("{\"go\":false}", runs.output(yaml, "{\"go\":false}"));
    assertEquals(List.of("a"), runs.entered());
  }

  @Test
  void shouldLeaveTheFunctionByExitAndTheWorkflowByEnd() throws Exception {
    String yaml =
        """
        use:
          functions:
            leave: {do: [{x: {set: {left: 1}, then: exit}}, {y: {set: {left: 2}}}]}
            whole: {set: {v: '${ .v + 1 }'}, then: exit}
            stop: {set: {stopped: true}, then: end}
        do:
          - a: {call: leave, output: {as: .left}}
          - b: {call: whole, with: {v: '${ . }'}}
          - c: {call: stop}
          - d: {set: {reached: true}}
        """;

    assertEquals("{\"stopped\":true}", runs.output(yaml, "{}"));
    assertEquals(
        List.of("a", "with", "leave", "x", "b", "with", "whole", "c", "with", "stop"),
        runs.entered());
  }

  @Test
  void shouldEndAFunctionThatTakesTooLong() throws Exception {
    String yaml =
        """
        use:
          timeouts: {short: {after: PT1S}}
          functions: {slow: {wait: PT1H}, bounded: {wait: PT1H, timeout: short}}
        do:
          - first:
              try: [{a: {call: slow, timeout: short}}]
              catch: {do: [{x: {set: {at: '${ $error.instance }'}, output: {as: .at}}}]}
          - second:
              try: [{b: {call: bounded}}]
              catch: {do: [{y: {set: {at: '${ [., $error.instance] }'}}}]}
        """;

    assertEquals(
        "{\"at\":[\"/do/0/first/try/0/a\",\"/do/1/second/try/0/b/call\"]}",
        runs.output(yaml, "{}"));
  }

  /** Functions and schemas in documents of their own. */
  @Test
  void shouldRunFunctionsOfACatalog() throws Exception {
    DefinitionRuns documented =
        new DefinitionRuns(
            DefinitionRuns.ECHO,
            new TextDocuments(
                Map.of(
                    "file:///srv/functions/greet/1.0.0/function.yaml",
                    """
                    input: {schema: {resource: {endpoint: name.json}}}
                    output: {as: {greeting: '${ "Hello, \\(.)!" }'}}
                    set: '${ .name | if type == "string" then . else .bad end }'
                    """,
                    "file:///srv/functions/greet/1.0.0/name.json",
                    "{\"required\": [\"name\"]}")));
    String yaml =
        """
        use: {catalogs: {local: {endpoint: 'file:///srv'}}}
        do:
          - hello: {call: 'greet:1.0.0@local', with: %s}
        """;

    assertEquals(
        "{\"greeting\":\"Hello, Ada!\"}",
        documented.output(yaml.formatted("{name: '${ .user }'}"), "{\"user\":\"Ada\"}"));
    assertEquals(List.of("hello", "with", "greet:1.0.0@local"), documented.entered());
    WorkflowError unmatched = documented.error(yaml.formatted("{nam: x}"), "{}");
    assertTrue(unmatched.type().endsWith("/validation"), unmatched.type());
    WorkflowError failed = documented.error(yaml.formatted("{name: 5}"), "{}");
    assertEquals("/do/0/hello/call", failed.instance());
    assertTrue(
        String.valueOf(failed.detail())
            .contains("(file:///srv/functions/greet/1.0.0/function.yaml#/set: ${ .name"),
        failed::toString);
  }
}
