package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.EventIteration;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.language.event.EventConsumptionCompiler;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.EventForm;
import java.util.List;

/** Compiles {@code listen} (DSL reference, "Listen"). */
final class ListenTaskCompiler {
  private static final List<String> KEYS = List.of("to", "read");
  private static final List<String> READS = List.of("data", "envelope", "raw");
  private static final List<String> ITERATION_KEYS =
      List.of("item", "at", "do", "output", "export");

  private final TaskListCompiler lists;
  private final DataFlowCompiler dataFlowCompiler;
  private final EventConsumptionCompiler consumptions;
  private final Diagnostics diagnostics;

  ListenTaskCompiler(
      EngineLimits limits,
      TaskListCompiler lists,
      DataFlowCompiler dataFlowCompiler,
      ExpressionFieldCompiler expressions,
      Diagnostics diagnostics) {
    this.lists = lists;
    this.dataFlowCompiler = dataFlowCompiler;
    this.consumptions = new EventConsumptionCompiler(limits, expressions, diagnostics);
    this.diagnostics = diagnostics;
  }

  Node compile(TaskAttributes common, FieldReader fieldReader, VisibleVariables visibleVariables) {
    FieldReader listen =
        FieldReader.of(fieldReader.getPresent("listen"), "\"listen\"", KEYS, diagnostics);
    DocumentValue to = listen.required("to");
    EventForm read = EventConsumptionCompiler.form(listen.word("read", READS));
    DocumentValue foreach = fieldReader.get("foreach");
    EventIteration iteration = foreach == null ? null : iteration(foreach, visibleVariables);
    return to == null
        ? Placeholders.task()
        : new Node.Listen(
            common, consumptions.compile(to, visibleVariables.ofTask()), read, iteration);
  }

  private EventIteration iteration(DocumentValue foreach, VisibleVariables visibleVariables) {
    FieldReader fieldReader = FieldReader.of(foreach, "\"foreach\"", ITERATION_KEYS, diagnostics);
    String item = VisibleVariables.name(fieldReader, "item", "item", diagnostics);
    String at = VisibleVariables.name(fieldReader, "at", "index", diagnostics);
    if (item.equals(at)) {
      diagnostics.value(
          foreach, "expected different names as \"item\" and \"at\", found \"" + at + "\"");
    }
    VisibleVariables inside = visibleVariables.with(item).with(at);
    DocumentValue tasks = fieldReader.get("do");
    Block body = tasks == null ? null : lists.sequence(tasks, inside);
    return new EventIteration(
        item,
        at,
        body,
        dataFlowCompiler.output(fieldReader.get("output"), inside.ofTask()),
        dataFlowCompiler.export(fieldReader.get("export"), inside.ofExport()));
  }
}
