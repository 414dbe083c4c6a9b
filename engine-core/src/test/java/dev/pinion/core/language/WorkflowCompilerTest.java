package dev.pinion.core.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.document.DocumentReader;
import dev.pinion.core.document.DocumentSyntaxException;
import dev.pinion.core.document.SourceNode;
import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.WorkflowError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkflowCompilerTest {
  private static final String HEAD =
      "document: {dsl: 1.0.3, namespace: test, name: sound, version: 1.0.0}\n";

  private static CompilationResult compile(String source, Map<String, Integer> limits) {
    return new WorkflowCompiler(EngineLimits.defaults().with(limits))
        .compile(source, DocumentReader.YAML);
  }

  private static ProcessGraph graph(String tasks) {
    CompilationResult compilationResult = compile(HEAD + tasks, Map.of());
    return assertInstanceOf(
            CompilationResult.Compiled.class, compilationResult, compilationResult::toString)
        .graph();
  }

  private static Node first(String tasks) {
    return graph("do:\n  - a:\n" + tasks.indent(6)).body().tasks().getFirst();
  }

  private static String problem(String source, Map<String, Integer> limits) {
    List<Diagnostic> problems =
        assertInstanceOf(CompilationResult.Rejected.class, compile(source, limits)).problems();
    assertEquals(1, problems.size(), problems::toString);
    return problems.getFirst().toString();
  }

  private static Payload json(String text) {
    Payload[] value = new Payload[1];
    SourceNode node = assertYaml(text);
    value[0] = Payload.of(node.json());
    return value[0];
  }

  private static SourceNode assertYaml(String text) {
    try {
      return new DocumentReader(EngineLimits.defaults()).read(text, DocumentReader.YAML);
    } catch (DocumentSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static <T> T evaluate(@Nullable Expression<T> expression, String input, String... scope) {
    Scope variables =
        name -> {
          for (int i = 0; i < scope.length; i += 2) {
            if (scope[i].equals(name)) {
              return json(scope[i + 1]);
            }
          }
          return null;
        };
    return Objects.requireNonNull(expression)
        .evaluate(json(input), variables, new Budget(1_000_000));
  }

  @Test
  void shouldIdentifyTheDefinitionAndKeepTheDocument() {
    ProcessGraph graph = graph("do:\n  - a: {wait: PT1S}\n");

    assertEquals(new DefinitionKey("test", "sound", "1.0.0"), graph.key());
    assertEquals(
        "{\"document\":{\"dsl\":\"1.0.3\",\"namespace\":\"test\",\"name\":\"sound\",\"version\":\"1.0.0\"},"
            + "\"do\":[{\"a\":{\"wait\":\"PT1S\"}}]}",
        graph.definition().toString());
    assertEquals(1, graph.tasks());
  }

  @Test
  void shouldPointAtTasksAsTheSpecificationDoes() {
    ProcessGraph graph =
        graph(
            """
            do:
              - t:
                  try: [{getPet: {wait: PT1S}}]
                  catch: {do: [{h: {wait: PT1S}}]}
              - loop: {for: {in: .a}, do: [{x: {wait: PT1S}}]}
              - f: {fork: {branches: [{b: {wait: PT1S}}]}}
              - p: {call: "parallelForEach:1.0.0@default", with: {in: .a, do: [{y: {wait: PT1S}}]}}
              - d: {do: [{a/b: {wait: PT1S}}]}
            """);
    List<String> pointers = new ArrayList<>();
    graph.body().tasks().forEach(task -> collect(task, pointers));

    assertEquals(
        List.of(
            "0 /do/0/t",
            "1 /do/0/t/try/0/getPet",
            "2 /do/0/t/catch/do/0/h",
            "3 /do/1/loop",
            "4 /do/1/loop/do/0/x",
            "5 /do/2/f",
            "6 /do/2/f/fork/branches/0/b",
            "7 /do/3/p",
            "8 /do/3/p/with/do/0/y",
            "9 /do/4/d",
            "10 /do/4/d/do/0/a~1b"),
        pointers);
    assertEquals(11, graph.tasks());
  }

  private static void collect(Node task, List<String> pointers) {
    pointers.add(task.attributes().id() + " " + task.attributes().pointer());
    List<Node> inside =
        switch (task) {
          case Node.Do(TaskAttributes _, var body, var _) -> body.tasks();
          case Node.For loop -> loop.body().tasks();
          case Node.ParallelForEach loop -> loop.body().tasks();
          case Node.Fork fork -> fork.branches();
          case Node.Try attempt -> {
            List<Node> both = new ArrayList<>(attempt.body().tasks());
            both.addAll(Objects.requireNonNull(attempt.handler().body()).tasks());
            yield both;
          }
          default -> List.of();
        };
    inside.forEach(node -> collect(node, pointers));
  }

  @Test
  void shouldLinkTheFlow() {
    List<Node> tasks =
        graph(
                """
                do:
                  - a: {wait: PT1S, then: c}
                  - b: {wait: PT1S, then: exit}
                  - c: {wait: PT1S, then: end}
                  - d: {wait: PT1S, then: continue}
                  - e: {wait: PT1S}
                  - f: {switch: [{x: {then: b}}, {y: {when: .y, then: f}}]}
                """)
            .body()
            .tasks();

    assertEquals(
        List.of(
            2,
            FlowDirective.EXIT,
            FlowDirective.END,
            FlowDirective.CONTINUE,
            FlowDirective.CONTINUE,
            FlowDirective.CONTINUE),
        tasks.stream().map(task -> task.attributes().next()).toList());
    Node.Switch choice = (Node.Switch) tasks.getLast();
    assertEquals(List.of(5, 1), choice.cases().stream().map(Node.Case::then).toList());
    assertNotNull(choice.cases().getFirst().when());
    assertNull(choice.cases().getLast().when());
  }

  @Test
  void shouldGiveDefaultsToLoops() {
    Node.For loop = (Node.For) first("for: {in: .a}\ndo: [{x: {wait: PT1S}}]\n");
    Node.ParallelForEach parallel =
        (Node.ParallelForEach)
            first(
                """
                call: parallelForEach:1.0.0@default
                with: {in: '${ .a }', each: e, at: i, maxConcurrency: 7, do: [{x: {wait: PT1S}}]}
                """);

    assertEquals("item index", loop.each() + " " + loop.at());
    assertNull(loop.condition());
    assertEquals("e i 7", parallel.each() + " " + parallel.at() + " " + parallel.maxConcurrency());
  }

  @Test
  void shouldCompileRetries() {
    Node.Try attempt =
        (Node.Try)
            first(
                """
                try: [{x: {wait: PT1S}}]
                catch:
                  as: err
                  when: $err.status == 503
                  retry:
                    exceptWhen: ${ $err.status == 404 }
                    delay: {seconds: 1}
                    backoff: {linear: {}}
                    limit: {attempt: {count: 4, duration: PT2S}, duration: PT3S}
                    jitter: {from: PT0S, to: {milliseconds: 5}}
                  then: end
                """);
    Node.Catch handler = attempt.handler();
    Node.Retry retry = Objects.requireNonNull(handler.retry());

    assertEquals("err", handler.as());
    assertEquals(FlowDirective.END, handler.then());
    assertNull(handler.matches());
    assertNull(handler.body());
    assertTrue(evaluate(handler.when(), "1", "err", "{status: 503}"));
    assertFalse(evaluate(retry.exceptWhen(), "1", "err", "{status: 503}"));
    assertEquals(1_000_000_000L, evaluate(retry.delay().baseNanos(), "1"));
    assertEquals(5_000_000L, evaluate(retry.delay().jitterToNanos(), "1"));
    assertEquals(2_000_000_000L, evaluate(retry.limit().attemptTimeoutNanos(), "1"));
    assertEquals(3_000_000_000L, evaluate(retry.limit().durationNanos(), "1"));
    assertEquals(Node.Backoff.LINEAR, retry.delay().backoff());
    assertEquals(4, retry.limit().maxRetries());
  }

  @Test
  void shouldResolveReusableComponents() {
    ProcessGraph graph =
        graph(
            """
            use:
              retries: {again: {delay: PT1S, when: $boom.status > 1}}
              timeouts: {short: {after: PT2S}}
              errors: {bad: {type: "http://a.b/c", status: 418, title: '${ "T" + .x }'}}
            timeout: short
            do:
              - a:
                  timeout: short
                  try: [{x: {raise: {error: bad}}}]
                  catch: {as: boom, retry: again}
            """);
    Node.Try attempt = (Node.Try) graph.body().tasks().getFirst();
    Node.Raise raise = (Node.Raise) attempt.body().tasks().getFirst();

    assertEquals(2_000_000_000L, evaluate(graph.timeoutNanos(), "1"));
    assertEquals(2_000_000_000L, evaluate(attempt.attributes().timeoutNanos(), "1"));
    assertEquals(
        new WorkflowError("http://a.b/c", 418, "Tx", null, null),
        evaluate(raise.error(), "{x: x}"));
    assertNotNull(attempt.handler().retry());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "type: https://serverlessworkflow.io/dsl/errors/types/timeout|true",
        "type: https://serverlessworkflow.io/spec/1.0.0/errors/timeout|true",
        "type: https://open-workflow-specification.org/dsl/errors/types/timeout|true",
        "type: https://open-workflow-specification.org/spec/1.0.0/errors/timeout|true",
        "type: https://open-workflow-specification.org/spec/1.0.0/errors/runtime|false",
        "type: http://a.b/timeout|false",
        "status: 408|true",
        "status: 409|false",
        "instance: /do/0/a, title: T, detail: D|true",
        "details: D|true",
        "details: E|false",
        "instance: /do/0/b|false",
        "title: t|false"
      })
  void shouldFilterErrors(String with, boolean expected) {
    Node.Try attempt =
        (Node.Try) first("try: [{x: {wait: PT1S}}]\ncatch: {errors: {with: {" + with + "}}}\n");
    String error =
        "{type: 'https://open-workflow-specification.org/spec/1.0.0/errors/timeout', status: 408,"
            + " title: T, detail: D, instance: /do/0/a}";

    assertEquals(expected, evaluate(attempt.handler().matches(), error));
  }

  @Test
  void shouldCompileTransformationsAndTemplates() {
    Node.Set set =
        (Node.Set)
            first(
                """
                if: ${ .go }
                input: {from: .order}
                set: {n: '${ .n + $input.m }', text: n, list: [1, '${ .n }', {k: "  ${ 2 }\\n"}], '${x}': null}
                output: {as: {wrapped: '${ . }'}, schema: {document: {type: object}}}
                export: {as: '$context + {a: $output}'}
                """);
    TaskAttributes common = set.attributes();

    assertTrue(evaluate(common.condition(), "{go: 0}"));
    assertEquals(json("5"), evaluate(common.input().transformation(), "{order: 5}"));
    assertEquals(
        json("{n: 3, text: n, list: [1, 1, {k: 2}], '${x}': null}"),
        evaluate(set.value(), "{n: 1}", "input", "{m: 2}"));
    assertEquals(json("{wrapped: 1}"), evaluate(common.output().transformation(), "1"));
    assertNotNull(common.output().schema());
    assertEquals(
        json("{b: 1, a: 2}"),
        evaluate(common.export().transformation(), "0", "context", "{b: 1}", "output", "2"));
    assertNull(common.export().schema());
  }

  private static Object value(Node call) {
    return ((Node.Set) ((Node.Do) call).body().tasks().getLast()).value();
  }

  @Test
  void shouldCompileTheExpressionsOfAFunctionOnceForPlacesThatAreAlike() {
    List<Node> calls =
        graph(
                """
                use: {functions: {f: {set: {x: '${ .n }', at: '${ $task.name }'}}}}
                do:
                  - a: {call: f, with: {n: 1}}
                  - b: {call: f, with: {n: 2}}
                """)
            .body()
            .tasks();

    assertSame(value(calls.getFirst()), value(calls.getLast()));
  }

  private static Object inputSchema(Node call) {
    Node function = ((Node.Do) call).body().tasks().getLast();
    return Objects.requireNonNull(function.attributes().input().schema());
  }

  @Test
  void shouldCompileTheSchemaOfAFunctionOnce() {
    List<Node> calls =
        graph(
                """
                use: {functions: {f: {input: {schema: {document: {type: object}}}, set: {x: 1}}}}
                do: [{a: {call: f}}, {b: {call: f}}]
                """)
            .body()
            .tasks();

    assertSame(inputSchema(calls.getFirst()), inputSchema(calls.getLast()));
  }

  @Test
  void shouldHoldTasksToTheirLimit() {
    String tasks = HEAD + "do: [{a: {do: [{b: {wait: PT1S}}]}}, {c: {wait: PT1S}}]\n";

    assertInstanceOf(
        CompilationResult.Compiled.class, compile(tasks, Map.of("definition.maxTasks", 3)));
    assertEquals(
        "2:39 /do/1/c: expected at most 2 tasks (definition.maxTasks), found more",
        problem(tasks, Map.of("definition.maxTasks", 2)));
  }

  @Test
  void shouldHoldProblemsToTheirLimit() {
    String tasks = HEAD + "do: [{a: {x1: 1, x2: 1, x3: 1, wait: PT1S}}]\n";

    CompilationResult all = compile(tasks, Map.of("definition.maxProblems", 3));
    CompilationResult some = compile(tasks, Map.of("definition.maxProblems", 2));

    assertEquals(3, assertInstanceOf(CompilationResult.Rejected.class, all).problems().size());
    List<Diagnostic> cut = assertInstanceOf(CompilationResult.Rejected.class, some).problems();
    assertEquals(3, cut.size());
    assertEquals(
        "expected at most 2 problems (definition.maxProblems), found more",
        cut.getLast().message());
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "", "application/xml"})
  void shouldRefuseOtherMediaTypes(String mediaType) {
    WorkflowCompiler compiler = new WorkflowCompiler(EngineLimits.defaults());

    assertThrows(IllegalArgumentException.class, () -> compiler.compile("{}", mediaType));
  }

  @Test
  void shouldCompileNestingUpToTheGreatestLimit() throws InterruptedException {
    AtomicReference<CompilationResult> result = new AtomicReference<>();
    Thread caller =
        new Thread(null, () -> result.set(compileNested(600)), "small stack", 256 << 10);
    caller.start();
    caller.join();

    assertEquals(
        601, assertInstanceOf(CompilationResult.Compiled.class, result.get()).graph().tasks());
  }

  private static CompilationResult compileNested(int levels) {
    String text =
        HEAD
            + "do: "
            + "[{a: {do: ".repeat(levels)
            + "[{b: {wait: PT1S}}]"
            + "}}]".repeat(levels)
            + "\n";

    return compile(text, Map.of("json.maxDepth", 2_000));
  }

  @Test
  void shouldFindTheFiveProblemsOfAHurriedAuthor() {
    String source =
        """
        document: {dsl: 1.0.3, namespace: test, name: five, version: 1.0.0}
        do:
          - first:
              set: {total: "${ .a + }"}
              then: thrid
          - second:
              wiat: PT1S
          - third:
              if: lenght > 1
              wait: PT1S
          - second:
              wait: PT1S
        """;

    List<Diagnostic> problems =
        assertInstanceOf(CompilationResult.Rejected.class, compile(source, Map.of())).problems();

    assertEquals(
        List.of(
            "4:29 /do/0/first/set/total",
            "5:13 /do/0/first/then",
            "7:7 /do/1/second/wiat",
            "9:11 /do/2/third/if",
            "11:5 /do/3/second"),
        problems.stream().map(p -> p.line() + ":" + p.column() + " " + p.pointer()).toList());
    assertEquals("third", problems.get(1).suggestion());
    assertEquals("wait", problems.get(2).suggestion());
    assertEquals("length", problems.get(3).suggestion());
  }
}
