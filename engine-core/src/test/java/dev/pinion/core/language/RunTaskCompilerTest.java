package dev.pinion.core.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pinion.core.document.DocumentReader;
import dev.pinion.core.graph.GraphPrinter;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.language.field.Findings.ProgramUse;
import dev.pinion.core.language.reference.TextDocuments;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.ChildStart;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.model.call.ProgramRun;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code run}; its mistakes are in {@code bad-definitions.txt}. */
class RunTaskCompilerTest {
  private static final JsonMapper JSON = new JsonMapper();

  private static ProcessGraph graph(String run) {
    String source =
        """
        document: {dsl: 1.0.3, namespace: test, name: sound, version: 1.0.0}
        do:
          - a: {run: %s}
        """
            .formatted(run);
    CompilationResult result =
        new WorkflowCompiler(EngineLimits.defaults()).compile(source, DocumentReader.YAML);
    return assertInstanceOf(CompilationResult.Compiled.class, result, result::toString).graph();
  }

  private static Node.RunWorkflow task(String run) {
    return assertInstanceOf(Node.RunWorkflow.class, graph(run).body().tasks().getFirst());
  }

  private static ChildStart start(String run, String input) {
    try {
      return task(run)
          .start()
          .evaluate(Payload.of(JSON.readTree(input)), Scope.EMPTY, new Budget(1_000_000));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldAwaitTheLatestVersionUnlessToldOtherwise() {
    String run = "{workflow: {namespace: a-1, name: B}}";

    assertTrue(task(run).await());
    assertEquals(new ChildStart("a-1", "B", null, Payload.EMPTY_OBJECT), start(run, "1"));
  }

  @ParameterizedTest
  @CsvSource({"'', true", "', await: true', true", "', await: false', false"})
  void shouldAwaitAsTold(String await, boolean expected) {
    assertEquals(expected, task("{workflow: {namespace: a, name: b}" + await + "}").await());
  }

  @ParameterizedTest
  @CsvSource({"'', true", "', return: stdout', true", "', return: none', false"})
  void shouldReturnAsTold(String returns, boolean expected) {
    assertEquals(expected, task("{workflow: {namespace: a, name: b}" + returns + "}").returns());
  }

  @Test
  void shouldTakeTheVersionThatIsNamed() {
    String latest = "{workflow: {namespace: a, name: b, version: latest}, return: stdout}";
    String named = "{workflow: {namespace: a, name: b, version: 1.0.0-rc.1}}";

    assertEquals(null, start(latest, "1").version());
    assertEquals("1.0.0-rc.1", start(named, "1").version());
  }

  @Test
  void shouldMakeNamesAndInputFromExpressions() {
    String run =
        "{workflow: {namespace: '${ .ns }', name: '${ \"n\" + .n }', version: '${ .v }',"
            + " input: {n: '${ .n }', text: n}}}";

    ChildStart start = start(run, "{\"ns\":\"x\",\"n\":\"7\",\"v\":\"latest\"}");
    assertEquals("x/n7:latest", start.description());
    assertEquals(null, start.version());
    assertEquals("{\"n\":\"7\",\"text\":\"n\"}", start.input().toString());
    assertEquals(
        "[1]",
        start("{workflow: {namespace: a, name: b, input: '${ . }'}}", "[1]").input().toString());
    assertEquals(
        "[2]", start("{workflow: {namespace: a, name: b, input: [2]}}", "1").input().toString());
    assertEquals(
        "null", start("{workflow: {namespace: a, name: b, input: null}}", "1").input().toString());
  }

  @ParameterizedTest
  @CsvSource({"namespace", "name", "version"})
  void shouldFailWhenANameIsNoText(String part) {
    String run = "{workflow: {namespace: a, name: b, version: latest}}";
    String computed = run.replaceFirst(part + ": \\w+", part + ": '\\${ .n }'");

    ExpressionException failure =
        assertThrows(ExpressionException.class, () -> start(computed, "{\"n\":1}"));
    assertEquals(
        "expected a string as "
            + part
            + " of a workflow, found number (1) (/do/0/a/run/workflow/"
            + part
            + ": ${ .n })",
        failure.error().detail());
  }

  @Test
  void shouldTakeTheCodeOfAScriptFromADocument() {
    String uri = "https://scripts.test/sum.py";
    String code = "print('${ .a }')\n\tif x: [";
    TextDocuments documents = new TextDocuments(Map.of(uri, code));
    String source =
        """
        document: {dsl: 1.0.3, namespace: test, name: sound, version: 1.0.0}
        do:
          - a: {run: {script: {language: python, source: {endpoint: {uri: '%1$s'}}}}}
          - b: {run: {script: {language: python, source: {endpoint: '%1$s'}}}}
        """
            .formatted(uri);

    CompilationResult.Compiled compiled =
        assertInstanceOf(
            CompilationResult.Compiled.class,
            new WorkflowCompiler(EngineLimits.defaults())
                .compile(source, DocumentReader.YAML, (_, _) -> documents));

    Node.Call task = assertInstanceOf(Node.Call.class, compiled.graph().body().tasks().getFirst());
    ProgramRun run =
        assertInstanceOf(
            ProgramRun.class,
            task.call().evaluate(Payload.EMPTY_OBJECT, Scope.EMPTY, new Budget(1_000_000)));
    assertEquals(new Program.Script(Program.Kind.PYTHON, code), run.program());
    assertEquals(List.of(uri), documents.asked());
    assertEquals(
        List.of("/do/0/a/run/script/source", "/do/1/b/run/script/source"),
        compiled.programs().stream().map(ProgramUse::pointer).toList());
  }

  @Test
  void shouldRefuseCodeWithANulCharacter() {
    String uri = "https://scripts.test/nul.js";
    TextDocuments documents = new TextDocuments(Map.of(uri, "a\0b"));
    String source =
        """
        document: {dsl: 1.0.3, namespace: test, name: sound, version: 1.0.0}
        do:
          - a: {run: {script: {language: js, source: {endpoint: '%s'}}}}
        """
            .formatted(uri);

    CompilationResult result =
        new WorkflowCompiler(EngineLimits.defaults())
            .compile(source, DocumentReader.YAML, (_, _) -> documents);

    assertTrue(
        assertInstanceOf(CompilationResult.Rejected.class, result)
            .problems()
            .getFirst()
            .message()
            .contains("no NUL character"));
  }

  @Test
  void shouldBeShownInGraphs() {
    ProcessGraph awaited = graph("{workflow: {namespace: a, name: b}}");
    ProcessGraph detached = graph("{workflow: {namespace: a, name: b}, await: false}");
    ProcessGraph silent = graph("{workflow: {namespace: a, name: b}, return: none}");

    assertTrue(GraphPrinter.print(awaited).contains("0 run workflow a\n"));
    assertTrue(GraphPrinter.print(detached).contains("0 run workflow(no await) a\n"));
    assertTrue(GraphPrinter.print(silent).contains("0 run workflow(no return) a\n"));
  }
}
