package dev.pinion.core.kernel;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.WorkflowCompiler;
import dev.pinion.core.language.reference.TextDocuments;
import dev.pinion.core.limits.EngineLimits;
import java.util.Map;

/** Definitions from the text of their tasks. */
final class CompiledTasks {
  private CompiledTasks() {}

  /** A definition of some tasks, indented by two blanks, in the namespace of posted events. */
  static ProcessGraph graph(String tasks) {
    return graph("listen", tasks);
  }

  /** A definition of a name. */
  static ProcessGraph graph(String name, String tasks) {
    return graph(name, tasks, Map.of());
  }

  /** A definition that refers to documents, by their URIs. */
  static ProcessGraph graph(String name, String tasks, Map<String, String> documents) {
    WorkflowCompiler compiler = new WorkflowCompiler(EngineLimits.defaults());
    return compiled(
        compiler.compile(
            text(name, tasks), "application/yaml", (_, _) -> new TextDocuments(documents)));
  }

  /** A definition of some tasks that is compiled within limits. */
  static ProcessGraph graph(EngineLimits limits, String tasks) {
    return compiled(new WorkflowCompiler(limits).compile(text("long", tasks), "application/yaml"));
  }

  /** The text of a definition of some tasks. */
  private static String text(String name, String tasks) {
    return "document: {dsl: 1.0.3, namespace: test, name: "
        + name
        + ", version: 1.0.0}\ndo:\n"
        + tasks;
  }

  private static ProcessGraph compiled(CompilationResult result) {
    if (result instanceof CompilationResult.Compiled compiled) {
      return compiled.graph();
    }
    throw new AssertionError(result.toString());
  }

  /** A definition whose only task listens. */
  static ProcessGraph listen(String to) {
    return graph("  - hear:\n      listen: {to: " + to + "}\n");
  }
}
