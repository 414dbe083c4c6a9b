package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.language.call.ServiceCallCompiler;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import java.util.List;

/** Compiles {@code call}: calls of services, of functions, and of the one that this engine adds. */
final class CallTaskCompiler {
  /** The function of the default catalog that runs a list of tasks for every item at once. */
  static final String PARALLEL_FOR_EACH = "parallelForEach:1.0.0@default";

  private static final List<String> PARALLEL_KEYS =
      List.of("in", "each", "at", "maxConcurrency", "do");

  private final TaskListCompiler lists;
  private final ControlFlowTaskCompiler flows;
  private final ServiceCallCompiler services;
  private final FunctionCallCompiler functionCallCompiler;
  private final FunctionResolver functions;
  private final Diagnostics diagnostics;

  CallTaskCompiler(
      TaskListCompiler lists,
      ControlFlowTaskCompiler flows,
      ServiceCallCompiler services,
      FunctionCallCompiler functionCallCompiler,
      FunctionResolver functions,
      Diagnostics diagnostics) {
    this.lists = lists;
    this.flows = flows;
    this.services = services;
    this.functionCallCompiler = functionCallCompiler;
    this.functions = functions;
    this.diagnostics = diagnostics;
  }

  Node compile(TaskAttributes common, FieldReader fieldReader, VisibleVariables visibleVariables) {
    DocumentValue call = fieldReader.requiredText("call");
    if (call == null) {
      return Placeholders.task();
    }
    String name = call.text();
    if (ServiceCallCompiler.PROTOCOLS.contains(name)) {
      return services.compile(common, name, fieldReader, visibleVariables);
    }
    if (!name.equals(PARALLEL_FOR_EACH) || functions.isDeclared(call)) {
      return functionCallCompiler.compile(
          common, fieldReader, functions.resolve(call), visibleVariables);
    }
    DocumentValue arguments = fieldReader.required("with");
    return arguments == null
        ? Placeholders.task()
        : parallelForEach(common, arguments, visibleVariables);
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
