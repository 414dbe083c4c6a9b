package dev.pinion.core.diagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DiagramReaderTest {
  private static String brief(String tasks) {
    return Diagrams.brief(Diagrams.of(tasks).body());
  }

  private static Caption first(String task) {
    return Diagrams.of("do:\n  - a: " + task + "\n").body().shapes().get(1).caption();
  }

  @Test
  void shouldLeadFromStartToEnd() {
    assertEquals(
        "START, TASK a, TIMER b, END, 0>1; 1>2; 2>3;",
        brief("do:\n  - a: {set: {x: 1}}\n  - b: {wait: PT1S}\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{set: {x: 1}} | TASK",
        "{call: http, with: {}} | CALL",
        "{run: {shell: {command: ls}}} | RUN",
        "{emit: {event: {with: {type: t}}}} | EMIT",
        "{listen: {to: {any: []}}} | LISTEN",
        "{raise: {error: e}} | ERROR",
        "{switch: []} | GATEWAY",
        "{wait: PT1S} | TIMER",
        "{} | TASK",
        "1 | TASK"
      })
  void shouldKnowEachKindOfTask(String task, String symbol) {
    Shape shape = Diagrams.of("do:\n  - a: " + task + "\n").body().shapes().get(1);
    assertEquals(symbol, ((Shape.Node) shape).symbol().name());
  }

  @Test
  void shouldDrawChoicesWithTheirConditions() {
    assertEquals(
        "START, GATEWAY a, TASK b, TASK c, END,"
            + " 0>1; 1>2 x: .n > 1; 1>3 y: .n > 2; 1>4 z; 2>3; 3>4;",
        brief(
            """
            do:
              - a:
                  switch:
                    - x: {when: .n > 1, then: continue}
                    - y: {when: .n > 2, then: c}
                    - z: {then: end}
              - b: {set: {v: 1}}
              - c: {set: {v: 2}}
            """));
  }

  @Test
  void shouldLeadOnWhereNoCaseIsGiven() {
    assertEquals("START, GATEWAY a, END, 0>1; 1>2;", brief("do:\n  - a: {switch: []}\n"));
    assertEquals(
        "START, GATEWAY a, TASK b, END, 0>1; 1>1 x: .n; 1>3 otherwise; 2>3;",
        brief(
            "do:\n  - a: {switch: [{x: {when: .n, then: a}}], then: exit}\n  - b: {set: {v: 1}}\n"));
  }

  @Test
  void shouldDrawJumpsBackAndForth() {
    assertEquals(
        "START, TASK a, TASK b, TASK c, 0>1; 1>3; 2>2; 3>1;",
        brief(
            """
            do:
              - a: {set: {v: 1}, then: c}
              - b: {set: {v: 1}, then: b}
              - c: {set: {v: 1}, then: a}
            """));
  }

  @Test
  void shouldEndTheProcessFromWithin() {
    assertEquals(
        "START, ONCE[ENTRY, TASK b, TASK c, EXIT, TERMINATE, 0>1; 1>4; 2>3;] a, END, 0>1; 1>2;",
        brief("do:\n  - a: {do: [{b: {set: {v: 1}, then: end}}, {c: {set: {v: 1}}}]}\n"));
  }

  @Test
  void shouldTellThatATaskMayBeSkipped() {
    assertEquals(
        "START, TASK a, ERROR b, TASK c, END, 0>1; 1>3; 1>2 if not; 2>3 if not; 3>4;",
        brief(
            """
            do:
              - a: {if: .x, set: {v: 1}, then: c}
              - b: {if: .y, raise: {error: e}}
              - c: {if: .z, set: {v: 1}}
            """));
    assertEquals(List.of("if .z"), first("{if: .z, wait: 1}").details().subList(0, 1));
  }

  @Test
  void shouldDrawLoopsAsFrames() {
    String body = "do: [{b: {set: {v: 1}}}]";
    String drawn = "[ENTRY, TASK b, EXIT, 0>1; 1>2;] a, END, 0>1; 1>2;";
    for (String loop :
        List.of(
            "LOOP|{for: {in: .x}, " + body + "}",
            "PARALLEL|{call: 'parallelForEach:1.0.0@default', with: {in: .x, " + body + "}}",
            "EVENTS|{listen: {to: {any: []}}, foreach: {" + body + "}}",
            "EVENTS|{call: asyncapi, with: {subscription: {foreach: {" + body + "}}}}")) {
      String[] parts = loop.split("\\|");
      assertEquals("START, " + parts[0] + drawn, brief("do:\n  - a: " + parts[1] + "\n"));
    }
  }

  @Test
  void shouldDrawForksWithinForks() {
    assertEquals(
        "START, FORK[FORK[TASK c RACE[TIMER e TIMER f!] d] b TASK g] a, END, 0>1; 1>2;",
        brief(
            """
            do:
              - a:
                  fork:
                    branches:
                      - b:
                          fork:
                            branches:
                              - c: {set: {v: 1}}
                              - d:
                                  fork:
                                    compete: true
                                    branches:
                                      - e: {wait: PT1S}
                                      - f: {wait: PT1S, then: end}
                      - g: {set: {v: 1}}
            """));
  }

  @Test
  void shouldDrawWhatIsTriedAndWhatIsCaught() {
    assertEquals(
        "START, TRY[ENTRY, CALL b, EXIT, 0>1; 1>2;] CATCH e[ENTRY, TASK c, EXIT, 0>1; 1>2;] a,"
            + " TRY[ENTRY, CALL g, EXIT, 0>1; 1>2;] CATCH error[] f, END, 0>1; 1>2; 1~3 caught;"
            + " 2>3;",
        brief(
            """
            do:
              - a:
                  try: [{b: {call: http, with: {}}}]
                  catch: {as: e, do: [{c: {set: {v: 1}}}], then: exit}
              - f: {try: [{g: {call: http, with: {}}}], catch: {}}
            """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{set: {x: 1, y: 2}} | x, y",
        "{set: '${ .x }'} | ${ .x }",
        "{call: http, with: {method: post, endpoint: 'http://a/{b}'}} | post http://a/{b}",
        "{call: http, with: {method: get, endpoint: {uri: 'http://a'}}} | get http://a",
        "{call: openapi, with: {operationId: getPet}} | getPet",
        "{call: grpc, with: {service: {name: S}, method: m}} | m S",
        "{call: asyncapi, with: {channel: c}} | c",
        "{call: mcp, with: {method: tools/call}} | tools/call",
        "{wait: PT1S} | PT1S",
        "{wait: {hours: 1, seconds: 30}} | 1 h 30 s",
        "{raise: {error: {type: 'http://e', status: 409}}} | 409 http://e",
        "{raise: {error: known}} | known",
        "{emit: {event: {with: {type: com.example}}}} | com.example",
        "{listen: {to: {one: {with: {type: t}}}}} | one t",
        "{listen: {to: {all: [{with: {type: t}}, {with: {type: u}}]}}} | all of t, u",
        "{listen: {to: {any: []}}} | any of events",
        "{run: {container: {image: i}}} | container i",
        "{run: {script: {language: python}}} | script python",
        "{run: {workflow: {namespace: n, name: w, version: 1.0.0}}} | process n/w/1.0.0",
        "{for: {each: x, in: .list}, while: .go, do: []} | each x in .list; while .go",
        "{set: {x: 1}, timeout: {after: PT5S}} | x; at most PT5S"
      })
  void shouldTellWhatATaskIsAbout(String task, String details) {
    assertEquals(details, String.join("; ", first(task).details()));
  }

  @Test
  void shouldTellWhatIsCaughtAndTriedAgain() {
    Shape.Guarded guarded =
        (Shape.Guarded)
            Diagrams.of(
                    """
                    do:
                      - a:
                          try: []
                          catch:
                            errors: {with: {status: 503, type: x}}
                            when: .w
                            exceptWhen: .e
                            retry: {backoff: {linear: {}}, limit: {attempt: {count: 3}}}
                    """)
                .body()
                .shapes()
                .get(1);
    assertEquals(
        List.of("status 503", "type x", "when .w", "except when .e", "retry 3 times, linear"),
        guarded.handler().details());
  }

  @Test
  void shouldHavePointersAsIds() {
    Diagram diagram = Diagrams.of("do:\n  - a/b: {for: {in: .x}, do: [{'c~d': {wait: PT1S}}]}\n");
    Shape.Frame loop = (Shape.Frame) diagram.body().shapes().get(1);
    assertEquals("/do/0/a~1b", loop.caption().id());
    assertEquals("/do/0/a~1b/do/0/c~0d", loop.body().shapes().get(1).caption().id());
    assertEquals("/do/0/a~1b/do#start", loop.body().shapes().getFirst().caption().id());
    assertEquals("test/drawn 1.0.0", diagram.title());
  }

  @Test
  void shouldShortenWhatIsLong() {
    String name = "n".repeat(5_000);
    Diagram diagram = Diagrams.of("do:\n  - ? " + name + "\n    : {do: [{b: {wait: PT1S}}]}\n");
    Shape.Frame frame = (Shape.Frame) diagram.body().shapes().get(1);
    assertEquals("task-1", frame.caption().id());
    assertEquals("task-1/do/0/b", frame.body().shapes().get(1).caption().id());
    assertEquals(41, frame.caption().name().length());
    assertTrue(first("{set: '" + "x".repeat(500) + "'}").details().getFirst().endsWith("…"));
  }

  @ParameterizedTest
  @CsvSource({
    "'a\\nb\\tc', a b c",
    "'\\u0000\\u001b[31m', \uFFFD\uFFFD[31m",
    "'x\\u202Ey\\u2066z', x\uFFFDy\uFFFDz",
    "'\\uFFFE', \uFFFD",
    "'  a  ', a"
  })
  void shouldKeepHostileCharactersOut(String escaped, String label) {
    assertEquals(label, first("{call: \"" + escaped + "\"}").kind().substring(5).strip());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "do: 1",
        "do: {a: {set: {x: 1}}}",
        "do: [1, null, [], {}, {a: null}, {a: {then: 1}}]",
        "do: [{a: {set: {x: 1}, then: nowhere}}]",
        "do: [{a: {fork: 1}}, {b: {try: 1, catch: 1}}, {c: {for: 1, do: 1}}]",
        "do: [{a: {switch: [1, {}, {x: 1}, {y: {then: {}}}]}}]",
        "do: [{a: {listen: 1}}, {b: {raise: 1}}, {c: {run: 1}}, {d: {emit: 1}}, {e: {call: 1}}]",
        "do: [{a: {call: http, with: 1}}, {b: {wait: []}}, {c: {set: []}}, {d: {timeout: 1}}]"
      })
  void shouldDrawWhatIsNotValid(String tasks) {
    Section body = Diagrams.of(tasks).body();
    for (Flow flow : body.flows()) {
      assertTrue(flow.from() < body.shapes().size() && flow.to() < body.shapes().size());
    }
    assertTrue(body.shapes().size() >= 2);
  }

  @Test
  void shouldRefuseMoreTasksThanAreDrawn() throws Exception {
    String tasks = "do: [{a: {do: [{b: {wait: PT1S}}]}}, {c: {fork: {branches: [{d: {}}]}}}]";

    Diagrams.read(tasks, 4);
    DiagramTooLargeException refused =
        assertThrows(DiagramTooLargeException.class, () -> Diagrams.read(tasks, 3));

    assertEquals(
        "expected a definition of at most 3 tasks (definition.maxDrawnTasks), found more",
        refused.getMessage());
  }

  @Test
  void shouldRefuseMoreCasesThanAreDrawn() throws Exception {
    String tasks = "do: [{a: {switch: [{x: {when: .a}}, {y: {}}]}}, {b: {switch: [{z: {}}]}}]";

    Diagrams.read(tasks, 3);
    DiagramTooLargeException refused =
        assertThrows(DiagramTooLargeException.class, () -> Diagrams.read(tasks, 2));

    assertEquals(
        "expected a definition of at most 2 cases of switches (definition.maxDrawnTasks), found"
            + " more",
        refused.getMessage());
  }
}
