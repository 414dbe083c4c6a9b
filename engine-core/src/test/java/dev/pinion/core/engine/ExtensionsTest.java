package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Extensions of {@code use.extensions}. */
class ExtensionsTest {
  private final List<String> sent = new ArrayList<>();
  private final DefinitionRuns runs =
      new DefinitionRuns(
          request -> {
            sent.add(request.path() + " " + request.body());
            return TestService.Answer.ok("{\"answer\":\"" + request.path() + "\"}");
          });

  private static final String LOGGING =
      """
      use:
        extensions:
          - logging:
              extend: all
              before:
                - sendLog:
                    call: http
                    with:
                      method: post
                      endpoint: http://services.test/log
                      body: {message: '${ "Executing \\($task.reference)" }', input: '${ . }'}
              after:
                - sendLog:
                    call: http
                    with:
                      method: post
                      endpoint: http://services.test/log
                      body: {message: '${ "Executed \\($task.reference)" }', output: '${ $task.output }'}
      """;

  @Test
  void shouldLogWithoutChangingTheData() throws Exception {
    String yaml =
        LOGGING
            + """
            do:
              - a:
                  input: {from: '.a'}
                  set: {n: '${ .n + 1 }'}
                  output: {as: {m: '${ .n }', was: '${ $input.n }'}}
              - b: {set: {m: '${ .m }', was: '${ .was }', at: '${ $task.reference }'}}
            """;

    assertEquals("{\"m\":2,\"was\":1,\"at\":\"/do/1/b\"}", runs.output(yaml, "{\"a\":{\"n\":1}}"));
    assertEquals(
        List.of(
            "/log {\"message\":\"Executing /do/0/a\",\"input\":{\"n\":1}}",
            "/log {\"message\":\"Executed /do/0/a\",\"output\":{\"n\":2}}",
            "/log {\"message\":\"Executing /do/1/b\",\"input\":{\"m\":2,\"was\":1}}",
            "/log {\"message\":\"Executed /do/1/b\",\"output\":{\"m\":2,\"was\":1,\"at\":\"/do/1/b\"}}"),
        sent);
  }

  @Test
  void shouldKeepTheDescriptorOfTheTask() throws Exception {
    String yaml =
        """
        use: {extensions: [{x: {extend: set, before: [{p: {set: {lost: 1}}}]}}]}
        do:
          - a:
              input: {from: .in}
              set: {name: '${ $task.name }', raw: '${ $task.input }', input: '${ . }'}
              output: {as: '. + {out: $task.output.name, in: $input, def: ($task.definition | keys)}'}
        """;

    assertEquals(
        "{\"name\":\"a\",\"raw\":{\"in\":1},\"input\":1,\"out\":\"a\",\"in\":1,"
            + "\"def\":[\"input\",\"output\",\"set\"]}",
        runs.output(yaml, "{\"in\":1}"));
  }

  private static final String MOCK =
      """
      use:
        extensions:
          - mockService:
              extend: call
              when: ($task.with.endpoint != null and ($task.with.endpoint | startswith("http://mocked.test"))) or ($task.with.endpoint.uri != null and ($task.with.endpoint.uri | startswith("http://mocked.test")))
              before:
                - mockResponse:
                    set: {statusCode: 200, content: {foo: {bar: baz}}}
                    then: exit
              after:
                - unseen: {set: {reached: true}}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "http://mocked.test/x|{\"foo\":{\"bar\":\"baz\"}}|[callHttp, mockService, mockResponse, next]",
        "http://services.test/x|null|[callHttp, mockService, callHttp, mockService, next]"
      })
  void shouldReplaceTheTaskByExit(String endpoint, String content, String entered)
      throws Exception {
    String yaml =
        MOCK
            + """
            do:
              - callHttp:
                  call: http
                  with: {method: get, endpoint: %s}
                  output: {as: .content}
              - next: {set: {content: '${ . }'}}
            """
                .formatted(endpoint);

    assertEquals("{\"content\":" + content + "}", runs.output(yaml, "{}"));
    assertEquals(entered, runs.entered().toString());
  }

  /** The specification's own examples look for members where this task has others. */
  @Test
  void shouldNotExtendTasksOnWhichTheConditionFails() throws Exception {
    String yaml =
        MOCK
            + """
            do:
              - callHttp: {call: http, with: {method: get, endpoint: {uri: 'http://services.test/x'}}}
            """;

    assertEquals("{\"answer\":\"/x\"}", runs.output(yaml, "{}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "$task.definition.set.n == 1;true",
        "$task.name == \"a\" and $task.reference == \"/do/0/a\";true",
        "$task.set.n == 1;true",
        ".x == 1 and $input.x == 1 and $task.input.raw.x == 1;true",
        "$context.raw.x == 1 and $workflow.definition != null;true",
        "$task.call == \"http\";false",
        "5 | .b;false"
      })
  void shouldSeeTheTaskInTheCondition(String when, boolean applies) throws Exception {
    String yaml =
        """
        use:
          extensions:
            - x:
                extend: set
                when: '%s'
                before: [{b: {set: {p: 1}}}]
                after: [{c: {set: {p: 1}}}]
        do:
          - a: {input: {from: .raw}, set: {n: 1}}
        """
            .formatted(when);

    assertEquals("{\"n\":1}", runs.output(yaml, "{\"raw\":{\"x\":1}}"));
    assertEquals(applies, runs.entered().contains("b"));
    assertEquals(applies, runs.entered().contains("c"));
  }

  @Test
  void shouldApplyExtensionsInTheOrderOfDeclaration() throws Exception {
    String yaml =
        """
        use:
          extensions:
            - one: {extend: all, before: [{b1: {set: {k: 1}}}, {b2: {set: {k: '${ .k + 1 }'}}}], after: [{a1: {set: {k: 1}}}]}
            - two: {extend: set, before: [{b3: {set: {seen: '${ . }'}}}], after: [{a2: {set: {k: 1}}}]}
            - none: {extend: wait, before: [{b4: {set: {k: 1}}}]}
            - empty: {extend: all}
        do:
          - a: {set: {n: '${ .n + 1 }'}}
        """;

    assertEquals("{\"n\":2}", runs.output(yaml, "{\"n\":1}"));
    assertEquals(
        List.of("a", "b1", "b2", "two", "b3", "a", "one", "a1", "two", "a2"), runs.entered());
  }

  @Test
  void shouldSkipTheRestOfAllExtensionsByExit() throws Exception {
    String yaml =
        """
        use:
          extensions:
            - one: {extend: set, before: [{b1: {set: {mocked: true}, then: exit}}, {b2: {set: {k: 1}}}], after: [{a1: {set: {k: 1}}}]}
            - two: {extend: set, before: [{b3: {set: {k: 1}}}]}
        do:
          - a: {set: {n: 1}, output: {as: '. + {as: true}'}, export: {as: '${ {exported: .} }'}}
          - b: {wait: PT0S, output: {as: '${ [., $context] }'}}
        """;

    assertEquals(
        "[{\"mocked\":true,\"as\":true},{\"exported\":{\"mocked\":true,\"as\":true}}]",
        runs.output(yaml, "{}"));
    assertEquals(List.of("a", "b1", "b"), runs.entered());
  }

  @Test
  void shouldEndTheWorkflowFromAnExtension() throws Exception {
    String yaml =
        """
        use:
          extensions:
            - guard: {extend: set, before: [{b1: {if: .stop, set: {stopped: true}, then: end}}]}
        do:
          - a: {set: {stop: true}}
          - c: {set: {reached: true}}
        """;

    assertEquals("{\"stopped\":true}", runs.output(yaml, "{\"stop\":false}"));
  }

  @Test
  void shouldFollowTargetsWithinTheTasksOfAnExtension() throws Exception {
    String yaml =
        """
        use:
          extensions:
            - x:
                extend: set
                when: 'true'
                before: [{p: {wait: PT0S, then: r}}, {q: {wait: PT0S}}, {r: {wait: PT0S}}]
                after: [{s: {wait: PT0S, then: exit}}, {t: {wait: PT0S}}]
        do:
          - a: {set: {n: 1}}
        """;

    assertEquals("{\"n\":1}", runs.output(yaml, "{}"));
    assertEquals(List.of("a", "x", "p", "r", "a", "x", "s"), runs.entered());
  }

  @Test
  void shouldNotExtendASkippedTask() throws Exception {
    String yaml = LOGGING + "do: [{a: {if: .go, set: {n: 1}}}]\n";

    assertEquals("{\"go\":false}", runs.output(yaml, "{\"go\":false}"));
    assertEquals(List.of(), sent);
  }

  @Test
  void shouldExtendTasksOfFunctionsAndNotThoseOfExtensions() throws Exception {
    String yaml =
        """
        use:
          functions: {f: {do: [{inner: {set: {v: 1}}}]}}
          extensions:
            - x: {extend: set, before: [{b: {call: f, output: {as: {}}}}, {c: {set: {k: 1}}}]}
        do:
          - a: {call: f}
        """;

    assertEquals("{\"v\":1}", runs.output(yaml, "{}"));
    assertEquals(
        List.of("a", "with", "f", "inner", "b", "with", "f", "inner", "c", "inner"),
        runs.entered());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{n: 1}|{\"by\":\"d\"}",
        "{n: 2}|{\"by\":\"c\"}",
        "{n: 3}|{\"n\":3}",
        "{n: 4}|{\"by\":\"b\"}",
        "{n: 5}|{\"n\":5}"
      })
  void shouldLeadFromAnExtendedSwitchWhereItsCasesSay(String input, String output)
      throws Exception {
    String yaml =
        """
        use: {extensions: [{x: {extend: switch, before: [{p: {set: {n: 9}}}], after: [{q: {set: {n: 9}}}]}}]}
        do:
          - a:
              switch:
                - one: {when: .n == 1, then: d}
                - two: {when: .n == 2, then: c}
                - three: {when: .n == 3, then: end}
                - four: {when: .n == 4, then: continue}
              then: exit
          - b: {set: {by: b}, then: end}
          - c: {set: {by: c}, then: end}
          - d: {set: {by: d}}
        """;

    assertEquals(output, runs.output(yaml, input.replace("n", "\"n\"")));
    assertTrue(runs.entered().containsAll(List.of("p", "q")), () -> runs.entered().toString());
  }

  @Test
  void shouldLeadBackFromAnExtendedSwitch() throws Exception {
    String yaml =
        """
        use: {extensions: [{x: {extend: switch, after: [{q: {set: {n: 9}}}]}}]}
        do:
          - count: {set: {n: '${ .n + 1 }'}}
          - again: {switch: [{less: {when: .n < 3, then: count}}]}
        """;

    assertEquals("{\"n\":3}", runs.output(yaml, "{\"n\":0}"));
  }

  @Test
  void shouldLeadFromAnExtendedTryWhereItsCatchSays() throws Exception {
    String yaml =
        """
        use: {extensions: [{x: {extend: try, before: [{p: {set: {n: 9}}}], after: [{q: {set: {n: 9}}}]}}]}
        do:
          - a:
              try: [{boom: {raise: {error: {type: 'https://example.com/x', status: 400}}}}]
              catch: {do: [{h: {set: {in: '${ . }'}}}], then: c}
          - b: {set: {by: b}, then: end}
          - c: {set: {by: c, was: '${ .in }'}}
        """;

    assertEquals("{\"by\":\"c\",\"was\":{\"n\":1}}", runs.output(yaml, "{\"n\":1}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "do: [{x: {set: {v: 1}}}];do",
        "for: {in: '${ [1, 2] }'}, do: [{x: {set: {v: '${ $item }'}}}];for",
        "fork: {branches: [{x: {set: {v: 1}}}]};fork",
        "try: [{x: {set: {v: 1}}}], catch: {};try",
        "wait: PT0S;wait",
        "set: {v: '${ .n }'};set",
        "emit: {event: {with: {type: t, data: {n: '${ .n }'}}}}, output: {as: .data};emit",
        "call: f, with: {v: '${ $task.input.n }'};call",
        "do: [{x: {set: {v: 1}}}];composite",
        "fork: {branches: [{x: {set: {v: 1}}}]};composite"
      })
  void shouldExtendEveryKindOfTask(String task, String extend) throws Exception {
    String functions = "use: {functions: {f: {set: {v: '${ .v }'}}}";
    String extensions =
        ", extensions: [{e: {extend: "
            + extend
            + ", before: [{p: {set: {n: 9}}}], after: [{q: {wait: PT0S}}]}}]";
    String tasks = "}\ndo: [{a: {" + task + "}}]\n";

    String plain = runs.output(functions + tasks, "{\"n\":3}");
    String extended = runs.output(functions + extensions + tasks, "{\"n\":3}");

    assertEquals(plain, extended);
    assertTrue(runs.entered().containsAll(List.of("p", "q")), () -> runs.entered().toString());
  }

  @Test
  void shouldExtendListeners() throws Exception {
    String yaml =
        """
        use: {extensions: [{x: {extend: listen, before: [{p: {set: {n: 9}}}], after: [{q: {wait: PT0S}}]}}]}
        do:
          - both:
              fork:
                branches:
                  - hear:
                      listen:
                        to: {one: {with: {type: t, data: '${ .to == $task.name and .n == $input.n }'}}}
                      foreach:
                        item: e
                        do: [{take: {set: {n: '${ $e.n }', by: '${ $task.name }'}}}]
                  - tell:
                      do:
                        - pause: {wait: PT1S}
                        - other: {emit: {event: {with: {type: t, data: {to: both, n: 3}}}}}
                        - same: {emit: {event: {with: {type: t, data: {to: hear, n: 3}}}}}
              output: {as: '.[0]'}
        """;

    assertEquals("[{\"n\":3,\"by\":\"take\"}]", runs.output(yaml, "{\"n\":3}"));
    assertTrue(runs.entered().containsAll(List.of("p", "q")), () -> runs.entered().toString());
  }

  @Test
  void shouldGiveAnErrorOfAnExtensionItsPlace() throws Exception {
    String yaml =
        """
        use: {extensions: [{x: {extend: set, before: [{p: {wait: '${ 5 | .b }'}}]}}]}
        do:
          - a: {set: {n: 1}}
        """;

    WorkflowError error = runs.error(yaml, "{}");
    assertEquals("/do/0/a/extensions/x/before/0/p", error.instance());
    assertTrue(
        String.valueOf(error.detail())
            .endsWith("(/use/extensions/0/x/before/0/p/wait: ${ 5 | .b })"),
        error::toString);
  }

  @Test
  void shouldGiveAnErrorOfTheTaskItsPointer() throws Exception {
    WorkflowError error =
        runs.error(
            LOGGING + "do: [{a: {raise: {error: {type: 'https://example.com/x', status: 400}}}}]\n",
            "{}");

    assertEquals("/do/0/a", error.instance());
    assertEquals(1, sent.size());
  }

  @Test
  void shouldCountExtensionsInTheTimeoutOfTheTask() throws Exception {
    String yaml =
        """
        use: {extensions: [{x: {extend: set, before: [{p: {wait: PT1H}}]}}]}
        do:
          - a: {set: {n: 1}, timeout: {after: PT1S}}
        """;

    assertEquals("/do/0/a", runs.error(yaml, "{}").instance());
  }

  @Test
  void shouldExtendBranchesOfAFork() throws Exception {
    String yaml =
        """
        use: {extensions: [{x: {extend: set, before: [{p: {set: {n: 9}}}]}}]}
        do:
          - both: {fork: {branches: [{l: {set: {v: '${ .n }'}}}, {r: {set: {v: '${ .n + 1 }'}}}]}}
        """;

    Payload output = Payload.of(DefinitionRuns.json(runs.output(yaml, "{\"n\":1}")).json());
    assertEquals("[{\"v\":1},{\"v\":2}]", output.toString());
  }
}
