package dev.pinion.bootstrap.brokerd.behaviour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ProcessNode.Choice;
import dev.pinion.broker.model.ProcessNode.Flow;
import dev.pinion.broker.model.ProcessNode.Loop;
import dev.pinion.broker.model.ProcessNode.Sequence;
import dev.pinion.broker.model.ProcessNode.Task;
import dev.pinion.broker.model.SawWeights;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.optimise.VisitRatios;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.WorkflowCompiler;
import dev.pinion.core.limits.EngineLimits;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Trees of definitions, each with the expected visits computed by hand. */
class ProcessGraphModelTest {
  private static final ServiceClass ANY =
      new ServiceClass(
          "any", 1, new ServiceClass.Promise(1, 0, 1), 1, 1, new SawWeights(1, 1, 1), Map.of());

  /** A definition; {@code @NAME} is replaced by a call of the abstract service of that name. */
  static ProcessGraph graph(String name, String version, String tasks) {
    String calls =
        tasks.replaceAll(
            "(?<=[{ ])@(\\w+)", "call: http, with: {method: get, endpoint: 'svc://$1/path?q=1'}");
    String head =
        "document: {dsl: 1.0.3, namespace: test, name: %s, version: %s}\ndo:\n"
            .formatted(name, version);
    CompilationResult compilationResult =
        new WorkflowCompiler(EngineLimits.defaults()).compile(head + calls, "application/yaml");
    return assertInstanceOf(
            CompilationResult.Compiled.class, compilationResult, compilationResult::toString)
        .graph();
  }

  @Test
  void shouldCountFunctionsAtEachOfTheirCalls() {
    ProcessNode tree =
        ProcessGraphModel.of(
            graph(
                "one",
                "1.0.0",
                """
                  - a: {call: f}
                  - b: {for: {in: .x}, do: [{c: {call: f}}]}
                use:
                  functions:
                    f: {do: [{x: {@flights}}, {y: {switch: [{z: {when: .a, then: end}}]}}, {w: {@cars}}]}
                """));

    visits(Map.of("flights", 1.875, "cars", 0.9375), tree);
  }

  @Test
  void shouldFollowAnExtendedSwitch() {
    ProcessNode tree =
        ProcessGraphModel.of(
            graph(
                "one",
                "1.0.0",
                """
                  - choose: {switch: [{air: {when: .air, then: fly}}, {sea: {when: .sea, then: sail}}], then: end}
                  - sail: {@boats, then: end}
                  - fly: {@flights}
                use:
                  extensions: [{e: {extend: switch, when: .x, before: [{b: {@logs}}]}}]
                """));

    visits(Map.of("logs", 0.5, "boats", 1 / 3.0, "flights", 1 / 3.0), tree);
  }

  private static ProcessNode tree(String tasks) {
    return ProcessGraphModel.of(graph("one", "1.0.0", tasks));
  }

  private static String id(String pointer) {
    return "test/one" + pointer;
  }

  private static void visits(Map<String, Double> expected, ProcessNode process) {
    Map<String, Double> found = VisitRatios.of(process, ANY);
    assertEquals(new TreeMap<>(expected).keySet(), new TreeMap<>(found).keySet());
    expected.forEach(
        (task, each) -> assertEquals(each, found.getOrDefault(task, -1.0), 1e-12, task));
    Set<String> ids = new HashSet<>();
    unique(process, ids);
  }

  private static void unique(ProcessNode node, Set<String> ids) {
    String id =
        switch (node) {
          case Task _, Sequence _ -> "";
          case Flow flow -> flow.id();
          case Choice choice -> choice.id();
          case Loop loop -> loop.id();
        };
    assertTrue(id.isEmpty() || ids.add(id), () -> "twice: " + id);
    node.children().forEach(child -> unique(child, ids));
  }

  private static Sequence sequence(ProcessNode... children) {
    return new Sequence(Arrays.asList(children));
  }

  @Test
  void shouldTakeCallsOfAbstractServicesInOrder() {
    ProcessNode tree =
        tree(
            """
              - a: {@flights}
              - b: {set: {x: 1}}
              - c: {call: http, with: {method: get, endpoint: {uri: 'svc://hotels/x'}}}
              - d: {call: http, with: {method: get, endpoint: 'http://a.b/c'}}
              - e: {do: [{f: {@cars}}, {g: {wait: PT1S}}]}
              - h: {@flights}
            """);
    assertEquals(
        sequence(new Task("flights"), new Task("hotels"), new Task("cars"), new Task("flights")),
        tree);
    visits(Map.of("flights", 2.0, "hotels", 1.0, "cars", 1.0), tree);
    assertEquals(sequence(), tree("  - a: {wait: PT1S}\n"));
  }

  @Test
  void shouldMakeAChoiceOfASwitch() {
    ProcessNode tree =
        tree(
            """
              - way:
                  switch:
                    - air: {when: .air, then: fly}
                    - sea: {when: .sea, then: sail}
              - stay: {@nothing, then: meet}
              - fly: {@flights, then: meet}
              - sail: {@ships, then: meet}
              - meet: {@hotels}
            """);
    double third = 1.0 / 3;
    assertEquals(
        sequence(
            new Choice(
                id("/do/0/way.then"),
                List.of(new Task("nothing"), new Task("flights"), new Task("ships")),
                List.of(third, third, third)),
            new Task("hotels")),
        tree);
    visits(Map.of("nothing", third, "flights", third, "ships", third, "hotels", 1.0), tree);
  }

  @Test
  void shouldCountWhatIsSkipped() {
    visits(
        Map.of("a", 0.5, "b", 0.5, "c", 0.25),
        tree(
            """
              - a: {if: .x, @a}
              - way: {switch: [{on: {when: .y, then: continue}}, {off: {then: end}}]}
              - b: {@b}
              - c: {if: .z, do: [{d: {@c}}]}
            """));
  }

  @Test
  void shouldCountBranchesThatShareTasks() {
    // a: 1; b and c: half each; half of b continues to d, half ends; all of c continues to d
    visits(
        Map.of("a", 1.0, "b", 0.5, "c", 0.5, "d", 0.75),
        tree(
            """
              - a: {@a}
              - way: {switch: [{one: {when: .x, then: b}}, {two: {then: c}}]}
              - b: {@b}
              - on: {switch: [{one: {when: .y, then: d}}, {two: {then: end}}]}
              - c: {@c}
              - d: {@d}
            """));
  }

  @Test
  void shouldMakeLoopsOfJumpsBack() {
    // each round of b goes back with probability 1/2: two rounds; c in between likewise
    ProcessNode tree =
        tree(
            """
              - a: {@a}
              - b: {@b}
              - c: {@c}
              - way: {switch: [{again: {when: .x, then: b}}, {done: {then: d}}]}
              - d: {@d}
            """);
    assertEquals(
        sequence(
            new Task("a"),
            new Loop(id("/do/1/b.again"), sequence(new Task("b"), new Task("c")), 2),
            new Task("d")),
        tree);
    visits(Map.of("a", 1.0, "b", 2.0, "c", 2.0, "d", 1.0), tree);
  }

  @Test
  void shouldMakeLoopsWithinLoopsOfJumps() {
    // inner: 2 rounds of b per round of a; outer: 2 rounds of a; a third of a leaves to the end
    visits(
        Map.of("a", 2.0, "b", 4.0, "c", 1.0),
        tree(
            """
              - a: {@a}
              - b: {@b}
              - way: {switch: [{again: {when: .x, then: b}}, {on: {then: on}}]}
              - on: {switch: [{back: {when: .x, then: a}}, {off: {then: c}}]}
              - c: {@c}
            """));
    // a task that jumps to itself forever is cut
    visits(Map.of("a", 100.0), tree("  - a: {@a, then: a}\n  - b: {@b}\n"));
  }

  @Test
  void shouldMakeLoopsOfFor() {
    ProcessNode tree =
        tree(
            """
              - each:
                  for: {in: .lines}
                  do: [{a: {@a}}, {b: {if: .x, @b}}]
              - said:
                  metadata: {pinion: {iterations: 7}}
                  for: {in: .lines}
                  do: [{c: {@c}}]
            """);
    visits(Map.of("a", 3.0, "b", 1.5, "c", 7.0), tree);
    assertEquals(
        new Loop(id("/do/1/said.rounds"), new Task("c"), 7), ((Sequence) tree).children().get(1));
    // half of the rounds end the process: 1 + 1/2 + 1/4 rounds begin, 1/8 continues
    visits(
        Map.of("a", 1.75, "b", 0.125),
        tree(
            """
              - each:
                  for: {in: .lines}
                  do:
                    - a: {@a}
                    - way: {switch: [{off: {when: .x, then: end}}]}
              - b: {@b}
            """));
  }

  @Test
  void shouldMakeFlowsOfForks() {
    ProcessNode tree =
        tree(
            """
              - both:
                  fork:
                    branches:
                      - a: {@a}
                      - b: {do: [{c: {@b}}, {d: {@c}}]}
                      - e: {wait: PT1S}
              - f: {@d}
            """);
    assertEquals(
        sequence(
            new Flow(
                id("/do/0/both.branches"),
                List.of(new Task("a"), sequence(new Task("b"), new Task("c"))),
                1),
            new Task("d")),
        tree);
    visits(Map.of("a", 1.0, "b", 1.0, "c", 1.0, "d", 1.0), tree);
  }

  @Test
  void shouldSpreadItemsOverLikeBranches() {
    ProcessNode tree =
        tree(
            """
              - all:
                  metadata: {pinion: {iterations: 10}}
                  call: parallelForEach:1.0.0@default
                  with: {in: .lines, maxConcurrency: 4, do: [{a: {@a}}, {b: {if: .x, @b}}]}
            """);
    visits(Map.of("a", 10.0, "b", 5.0), tree);
    Flow flow = assertInstanceOf(Flow.class, tree);
    assertEquals(4, flow.children().size());
    flow.children()
        .forEach(each -> assertEquals(2.5, assertInstanceOf(Loop.class, each).iterations()));
    // more than the most branches
    Flow wide =
        assertInstanceOf(
            Flow.class,
            tree(
                """
                  - all:
                      metadata: {pinion: {iterations: 17}}
                      call: parallelForEach:1.0.0@default
                      with: {in: .lines, do: [{a: {@a}}]}
                """));
    assertEquals(ProcessGraphModel.MAX_BRANCHES, wide.children().size());
    visits(Map.of("a", 17.0), wide);
  }

  @Test
  void shouldCountAttemptsAndWhatHandlesErrors() {
    // with one retry: 1 + 0.05 attempts; 0.05 x 0.05 remains for the handler
    visits(
        Map.of("a", 1.05, "b", 0.0025, "c", 1.0),
        tree(
            """
              - t:
                  try: [{a: {@a}}]
                  catch: {retry: {limit: {attempt: {count: 1}}}, do: [{b: {@b}}]}
              - c: {@c}
            """));
    // without: 0.05 is handled, and leaves by a separate path
    visits(
        Map.of("a", 1.0, "b", 0.05, "c", 0.95),
        tree(
            """
              - t:
                  try: [{a: {@a}}]
                  catch: {do: [{b: {@b}}], then: end}
              - c: {@c}
            """));
    // half of the attempts raise: 1 - 0.95 / 2 is handled
    visits(
        Map.of("a", 1.0, "b", 0.5, "c", 0.525, "d", 1.0),
        tree(
            """
              - t:
                  try:
                    - a: {@a}
                    - way: {switch: [{bad: {when: .x, then: fail}}, {good: {then: b}}]}
                    - fail: {raise: {error: {type: 'http://a.b/c', status: 400}}}
                    - b: {@b}
                  catch: {do: [{c: {@c}}]}
              - d: {@d}
            """));
  }

  @Test
  void shouldNestThemAll() {
    // 3 rounds x (fork: a, and 3 items of (choice of b and c)); then d after half of them
    visits(
        Map.of("a", 3.0, "b", 4.5, "c", 4.5, "d", 0.5),
        tree(
            """
              - each:
                  for: {in: .lines}
                  do:
                    - both:
                        fork:
                          branches:
                            - a: {@a}
                            - items:
                                call: parallelForEach:1.0.0@default
                                with:
                                  in: .parts
                                  do:
                                    - way:
                                        switch:
                                          - one: {when: .x, then: b}
                                          - two: {then: c}
                                    - b: {@b, then: exit}
                                    - c: {@c}
              - d: {if: .x, @d}
            """));
  }
}
