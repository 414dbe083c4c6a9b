package dev.pinion.core.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.pinion.core.document.DocumentReader;
import dev.pinion.core.graph.Compensation;
import dev.pinion.core.graph.GraphPrinter;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.template.HttpCallTemplate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** {@code compensate} of tasks; its mistakes are in {@code bad-definitions.txt}. */
class CompensationCompilerTest {
  private static final String HEAD =
      "document: {dsl: 1.0.3, namespace: test, name: saga, version: 1.0.0}\n";

  private static CompilationResult compile(String tasks, int maxTasks) {
    return new WorkflowCompiler(
            EngineLimits.defaults().with(Map.of("definition.maxTasks", maxTasks)))
        .compile(HEAD + tasks, DocumentReader.YAML);
  }

  private static ProcessGraph graph(String tasks) {
    CompilationResult result = compile(tasks, 100);
    return assertInstanceOf(CompilationResult.Compiled.class, result, result::toString).graph();
  }

  private static Compensation of(Node task) {
    return Objects.requireNonNull(task.attributes().compensation(), "a compensation");
  }

  private static String problem(String tasks, int maxTasks) {
    return assertInstanceOf(CompilationResult.Rejected.class, compile(tasks, maxTasks))
        .problems()
        .toString();
  }

  @Test
  void shouldNumberTheTasksOfACompensationBeforeThoseOfTheBody() {
    ProcessGraph graph =
        graph(
            """
            do:
              - a:
                  do: [{x: {wait: PT1S}}]
                  metadata:
                    pinion:
                      compensate:
                        - u: {wait: PT1S, then: w}
                        - v: {wait: PT1S}
                        - w: {wait: PT1S, then: end}
              - b: {wait: PT1S}
            """);

    assertEquals(
        """
        test/saga/1.0.0
          0 do a
            1 do compensate
              2 wait u -> 4 w
              3 wait v
              4 wait w -> end
            5 wait x
          6 wait b
        """,
        GraphPrinter.print(graph));
    assertEquals(7, graph.tasks());
    Node.Do task = of(graph.body().tasks().getFirst()).task();
    assertEquals("/do/0/a/metadata/pinion/compensate", task.attributes().pointer());
    assertEquals(
        "/do/0/a/metadata/pinion/compensate/1/v",
        task.body().tasks().get(1).attributes().pointer());
  }

  @Test
  void shouldKeepTheVariablesAroundTheTask() {
    ProcessGraph graph =
        graph(
            """
            do:
              - rows:
                  for: {each: row, at: i, in: .rows}
                  do:
                    - attempt:
                        try: [{x: {wait: PT1S}}]
                        catch:
                          as: oops
                          do:
                            - y:
                                for: {each: seat, in: $row}
                                do: [{z: {set: $seat}}]
                                metadata:
                                  pinion:
                                    compensate:
                                      - undo: {set: '${ [$row, $i, $oops, $error, $input] }'}
            """);

    Node.For rows = (Node.For) graph.body().tasks().getFirst();
    Node.Try attempt = (Node.Try) rows.body().tasks().getFirst();
    Node y = Objects.requireNonNull(attempt.handler().body()).tasks().getFirst();
    assertEquals(List.of("row", "i", "oops"), of(y).variables());
  }

  @Test
  void shouldHideTheErrorOfACatchBehindTheReasonOfACompensation() {
    ProcessGraph graph =
        graph(
            """
            do:
              - attempt:
                  try: [{x: {wait: PT1S}}]
                  catch:
                    do:
                      - y:
                          wait: PT1S
                          metadata: {pinion: {compensate: [{undo: {set: '${ $error }'}}]}}
            """);

    Node.Try attempt = (Node.Try) graph.body().tasks().getFirst();
    Node y = Objects.requireNonNull(attempt.handler().body()).tasks().getFirst();
    assertEquals(List.of(), of(y).variables());
  }

  @Test
  void shouldKeepTheInputOfTheCompletedTaskForPartsThatUseSecrets() {
    ProcessGraph graph =
        graph(
            """
            use: {secrets: [key]}
            do:
              - book:
                  wait: PT1S
                  metadata:
                    pinion:
                      compensate:
                        - cancel:
                            call: http
                            with:
                              method: post
                              endpoint: http://shop.test/cancel
                              body: {key: '${ $secrets.key }', of: '${ $input.n }'}
            """);

    Node.Call cancel =
        (Node.Call) of(graph.body().tasks().getFirst()).task().body().tasks().getFirst();
    HttpCallTemplate call = assertInstanceOf(HttpCallTemplate.class, cancel.call());
    assertEquals(
        Set.of("input", Compensation.INPUT),
        Objects.requireNonNull(call.secretParts(), "parts with secrets").captured());
  }

  @Test
  void shouldHoldCompensationsToTheLimitOfTasks() {
    String tasks = "do: [{a: {wait: PT1S, metadata: {pinion: {compensate: [{u: {wait: PT1S}}]}}}}]";

    assertInstanceOf(CompilationResult.Compiled.class, compile(tasks, 3));
    assertEquals(
        "[2:57 /do/0/a/metadata/pinion/compensate/0/u: expected at most 2 tasks"
            + " (definition.maxTasks), found more]",
        problem(tasks, 2));
    assertEquals(
        "[2:43 /do/0/a/metadata/pinion/compensate: expected at most 1 tasks"
            + " (definition.maxTasks), found more]",
        problem(tasks, 1));
  }
}
