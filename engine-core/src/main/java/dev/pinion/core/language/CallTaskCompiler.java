package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.model.SpellingSuggestion;
import java.util.List;

/** Compiles {@code call}: calls of HTTP services and of the function that this engine adds. */
final class CallTaskCompiler {
  /** The function of the default catalog that runs a list of tasks for every item at once. */
  static final String PARALLEL_FOR_EACH = "parallelForEach:1.0.0@default";

  private static final String HTTP = "http";
  private static final List<String> CALLS = List.of(HTTP, PARALLEL_FOR_EACH);
  private static final List<String> OTHER_PROTOCOLS =
      List.of("asyncapi", "grpc", "openapi", "a2a", "mcp");
  private static final List<String> PARALLEL_KEYS =
      List.of("in", "each", "at", "maxConcurrency", "do");

  private final TaskListCompiler lists;
  private final ControlFlowTaskCompiler flows;
  private final HttpCallCompiler http;
  private final ReusableComponents reusableComponents;
  private final Diagnostics diagnostics;

  CallTaskCompiler(
      TaskListCompiler lists,
      ControlFlowTaskCompiler flows,
      ReusableComponents reusableComponents,
      ExpressionFieldCompiler expressions,
      Diagnostics diagnostics) {
    this.lists = lists;
    this.flows = flows;
    this.http = new HttpCallCompiler(expressions, diagnostics);
    this.reusableComponents = reusableComponents;
    this.diagnostics = diagnostics;
  }

  /** Whether a task calls a service, rather than the function of this engine. */
  static boolean isCall(FieldReader task) {
    DocumentValue call = task.get("call");
    return call != null && !call.text().equals(PARALLEL_FOR_EACH);
  }

  Node compile(TaskAttributes common, FieldReader fieldReader, VisibleVariables visibleVariables) {
    DocumentValue call = fieldReader.requiredText("call");
    if (call == null) {
      return Placeholders.task();
    }
    if (!CALLS.contains(call.text())) {
      refuse(call);
      return Placeholders.task();
    }
    DocumentValue arguments = fieldReader.required("with");
    if (arguments == null) {
      return Placeholders.task();
    }
    return call.text().equals(HTTP)
        ? new Node.Call(
            common,
            http.compile(
                arguments, MetadataHints.parsesXml(fieldReader.get("metadata")), visibleVariables))
        : parallelForEach(common, arguments, visibleVariables);
  }

  private void refuse(DocumentValue call) {
    String name = call.text();
    boolean known = OTHER_PROTOCOLS.contains(name) || reusableComponents.functions().contains(name);
    if (known || SpellingSuggestion.of(name, CALLS) == null) {
      diagnostics.notSupportedYet(call, "a call of \"" + ValueDescription.shorten(name) + "\"");
    } else {
      diagnostics.value(
          call,
          "expected a function to call, such as "
              + String.join(" or ", CALLS)
              + ", found "
              + ValueDescription.describe(call.json()),
          () -> SpellingSuggestion.of(name, CALLS));
    }
  }

  private Node parallelForEach(
      TaskAttributes common, DocumentValue arguments, VisibleVariables visibleVariables) {
    FieldReader fieldReader =
        FieldReader.of(arguments, PARALLEL_FOR_EACH, PARALLEL_KEYS, diagnostics);
    ControlFlowTaskCompiler.LoopHeader loopHeader = flows.loop(fieldReader, visibleVariables);
    Block body =
        lists.sequence(
            fieldReader.required("do"),
            visibleVariables.with(loopHeader.each()).with(loopHeader.at()));
    return new Node.ParallelForEach(
        common,
        loopHeader.each(),
        loopHeader.at(),
        loopHeader.items(),
        (int) fieldReader.integer("maxConcurrency", 1, Integer.MAX_VALUE, 0),
        body);
  }
}
