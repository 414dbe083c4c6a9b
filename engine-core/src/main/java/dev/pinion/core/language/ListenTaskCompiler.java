package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.EventConsumption;
import dev.pinion.core.graph.EventConsumption.Strategy;
import dev.pinion.core.graph.EventFilter;
import dev.pinion.core.graph.EventIteration;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.EventForm;
import dev.pinion.core.model.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles {@code listen} (DSL reference, "Listen", "Event Consumption Strategy"). */
final class ListenTaskCompiler {
  private static final List<String> KEYS = List.of("to", "read");
  private static final List<String> READS = List.of("data", "envelope", "raw");
  private static final List<String> STRATEGIES = List.of("one", "all", "any");
  private static final List<String> STRATEGY_KEYS = List.of("one", "all", "any", "until");
  private static final List<String> ITERATION_KEYS =
      List.of("item", "at", "do", "output", "export");

  private final TaskListCompiler lists;
  private final DataFlowCompiler dataFlowCompiler;
  private final EventFilterCompiler filters;
  private final ExpressionFieldCompiler expressions;
  private final Diagnostics diagnostics;

  ListenTaskCompiler(
      EngineLimits limits,
      TaskListCompiler lists,
      DataFlowCompiler dataFlowCompiler,
      ExpressionFieldCompiler expressions,
      Diagnostics diagnostics) {
    this.lists = lists;
    this.dataFlowCompiler = dataFlowCompiler;
    this.filters = new EventFilterCompiler(limits, expressions, diagnostics);
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  Node compile(TaskAttributes common, FieldReader fieldReader, VisibleVariables visibleVariables) {
    FieldReader listen =
        FieldReader.of(fieldReader.getPresent("listen"), "\"listen\"", KEYS, diagnostics);
    DocumentValue to = listen.required("to");
    String read = listen.word("read", READS);
    DocumentValue foreach = fieldReader.get("foreach");
    EventIteration iteration = foreach == null ? null : iteration(foreach, visibleVariables);
    return to == null
        ? Placeholders.task()
        : new Node.Listen(
            common,
            consumption(to, openNames(to), visibleVariables, true),
            EventForm.valueOf(read.toUpperCase(Locale.ROOT)),
            iteration);
  }

  /** Names of correlations that the first event fixes, for all filters of a task. */
  private static Set<String> openNames(DocumentValue to) {
    List<DocumentValue> all = new ArrayList<>(filters(to));
    to.members().stream()
        .filter(each -> each.name().equals("until"))
        .forEach(until -> all.addAll(filters(until)));
    return EventFilterCompiler.openNames(all);
  }

  private static List<DocumentValue> filters(DocumentValue strategy) {
    List<DocumentValue> all = new ArrayList<>();
    for (DocumentValue member : strategy.members()) {
      all.add(member);
      all.addAll(member.items());
    }
    return all;
  }

  /**
   * A strategy.
   *
   * @param open names of correlations that the first event fixes
   * @param mayEnd whether it may have an {@code until}
   */
  private EventConsumption consumption(
      DocumentValue to, Set<String> open, VisibleVariables visibleVariables, boolean mayEnd) {
    FieldReader fieldReader =
        FieldReader.of(to, "an event consumption strategy", STRATEGY_KEYS, diagnostics);
    List<String> given = STRATEGIES.stream().filter(fieldReader::has).toList();
    checkOne(fieldReader, given);
    String strategy = given.isEmpty() ? "any" : given.getFirst();
    List<EventFilter> filtered =
        filters(fieldReader.get(strategy), strategy, open, visibleVariables);
    DocumentValue until = fieldReader.get("until");
    Expression<Boolean> condition = null;
    EventConsumption end = null;
    if (until != null && checkUntil(until, strategy, mayEnd)) {
      if (until.isObject()) {
        end = consumption(until, open, visibleVariables, false);
      } else {
        condition = expressions.condition(until, visibleVariables.ofTask());
      }
    }
    return new EventConsumption(
        Strategy.valueOf(strategy.toUpperCase(Locale.ROOT)), filtered, condition, end);
  }

  private void checkOne(FieldReader fieldReader, List<String> given) {
    DocumentValue owner = fieldReader.owner();
    String all = String.join(", ", STRATEGIES);
    if (given.size() > 1) {
      diagnostics.key(
          fieldReader.getPresent(given.get(1)),
          "expected one of %s in an event consumption strategy, found both \"%s\" and \"%s\""
              .formatted(all, given.get(0), given.get(1)));
    } else if (given.isEmpty()
        && owner.isObject()
        && STRATEGIES.stream().noneMatch(fieldReader::isMisspelt)) {
      diagnostics.key(
          owner, "expected one of " + all + " in an event consumption strategy, found none");
    }
  }

  private boolean checkUntil(DocumentValue until, String strategy, boolean mayEnd) {
    if (!mayEnd) {
      diagnostics.key(
          until, "expected no \"until\" in the strategy of an \"until\": it ends by its events");
    } else if (!strategy.equals("any")) {
      diagnostics.key(
          until,
          "expected \"until\" beside \"any\" only, found it beside \""
              + strategy
              + "\", which ends by itself");
    } else if (!until.isText() && !until.isObject()) {
      diagnostics.expected(until, "a condition or an event consumption strategy as \"until\"");
    } else {
      return true;
    }
    return false;
  }

  private List<EventFilter> filters(
      @Nullable DocumentValue filtered,
      String strategy,
      Set<String> open,
      VisibleVariables visibleVariables) {
    if (filtered == null) {
      return List.of(EventFilter.EVERY);
    }
    if (strategy.equals("one")) {
      return List.of(filters.compile(filtered, open, visibleVariables));
    }
    if (!filtered.isArray()) {
      diagnostics.expected(filtered, "an array of event filters as \"" + strategy + "\"");
    }
    List<EventFilter> all = new ArrayList<>();
    for (DocumentValue item : filtered.items()) {
      all.add(filters.compile(item, open, visibleVariables));
    }
    return all.isEmpty() && strategy.equals("any") ? List.of(EventFilter.EVERY) : all;
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
