package dev.pinion.core.frontend.swf;

import dev.pinion.core.ir.Block;
import dev.pinion.core.ir.Node;
import dev.pinion.core.ir.TaskCommon;
import dev.pinion.core.model.Nearest;
import java.util.List;

/** Compiles {@code call}: calls of HTTP services and of the function that this engine adds. */
final class CallTasks {
  /** The function of the default catalog that runs a list of tasks for every item at once. */
  static final String PARALLEL_FOR_EACH = "parallelForEach:1.0.0@default";

  private static final String HTTP = "http";
  private static final List<String> CALLS = List.of(HTTP, PARALLEL_FOR_EACH);
  private static final List<String> OTHER_PROTOCOLS =
      List.of("asyncapi", "grpc", "openapi", "a2a", "mcp");
  private static final List<String> PARALLEL_KEYS =
      List.of("in", "each", "at", "maxConcurrency", "do");

  private final TaskLists lists;
  private final FlowTasks flows;
  private final HttpCalls http;
  private final Reusables reusables;
  private final Diagnostics diagnostics;

  CallTasks(
      TaskLists lists,
      FlowTasks flows,
      Reusables reusables,
      ExpressionFields expressions,
      Diagnostics diagnostics) {
    this.lists = lists;
    this.flows = flows;
    this.http = new HttpCalls(expressions, diagnostics);
    this.reusables = reusables;
    this.diagnostics = diagnostics;
  }

  Node compile(TaskCommon common, Fields fields, Variables variables) {
    Value call = fields.requiredText("call");
    if (call == null) {
      return Placeholders.task();
    }
    if (!CALLS.contains(call.text())) {
      refuse(call);
      return Placeholders.task();
    }
    Value arguments = fields.required("with");
    if (arguments == null) {
      return Placeholders.task();
    }
    return call.text().equals(HTTP)
        ? new Node.Call(common, http.compile(arguments, variables))
        : parallelForEach(common, arguments, variables);
  }

  private void refuse(Value call) {
    String name = call.text();
    boolean known = OTHER_PROTOCOLS.contains(name) || reusables.functions().contains(name);
    if (known || Nearest.to(name, CALLS) == null) {
      diagnostics.notSupportedYet(call, "a call of \"" + Found.shorten(name) + "\"");
    } else {
      diagnostics.value(
          call,
          "expected a function to call, such as "
              + String.join(" or ", CALLS)
              + ", found "
              + Found.describe(call.json()),
          () -> Nearest.to(name, CALLS));
    }
  }

  private Node parallelForEach(TaskCommon common, Value arguments, Variables variables) {
    Fields fields = Fields.of(arguments, PARALLEL_FOR_EACH, PARALLEL_KEYS, diagnostics);
    FlowTasks.Loop loop = flows.loop(fields, variables);
    Block body = lists.sequence(fields.required("do"), variables.with(loop.each()).with(loop.at()));
    return new Node.ParallelForEach(
        common,
        loop.each(),
        loop.at(),
        loop.items(),
        (int) fields.integer("maxConcurrency", 1, Integer.MAX_VALUE, 0),
        body);
  }
}
