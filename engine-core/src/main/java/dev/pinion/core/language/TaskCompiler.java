package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Compensation;
import dev.pinion.core.graph.DataTransform;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.SpellingSuggestion;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles tasks: first the common members of all, then those of each kind. */
final class TaskCompiler {
  private final int maxTasks;
  private final ExpressionFieldCompiler expressions;
  private final DurationFieldCompiler durations;
  private final DataFlowCompiler dataFlowCompiler;
  private final TimeoutCompiler timeoutCompiler;
  private final MetadataHints metadataHints;
  private final Diagnostics diagnostics;
  private final TaskListCompiler lists;
  private final CompensationCompiler compensations;
  private final CallTaskCompiler calls;
  private final ControlFlowTaskCompiler flows;
  private final TryTaskCompiler tries;
  private final RaiseTaskCompiler raises;
  private final RunTaskCompiler runs;
  private final EmitTaskCompiler emits;
  private final ListenTaskCompiler listens;
  private int count;

  TaskCompiler(
      EngineLimits limits,
      ReusableComponents reusableComponents,
      ExpressionFieldCompiler expressions,
      DataFlowCompiler dataFlowCompiler,
      Diagnostics diagnostics) {
    this.maxTasks = limits.definition().maxTasks();
    this.expressions = expressions;
    this.durations = new DurationFieldCompiler(expressions, diagnostics);
    this.dataFlowCompiler = dataFlowCompiler;
    this.timeoutCompiler = new TimeoutCompiler(reusableComponents, expressions, diagnostics);
    this.metadataHints = new MetadataHints(diagnostics);
    this.diagnostics = diagnostics;
    this.lists = new TaskListCompiler(this::compile, diagnostics);
    this.compensations = new CompensationCompiler(lists, this::nextNumber, diagnostics);
    this.flows = new ControlFlowTaskCompiler(lists, expressions, diagnostics);
    this.calls = new CallTaskCompiler(lists, flows, reusableComponents, expressions, diagnostics);
    RetryPolicyCompiler retryPolicyCompiler =
        new RetryPolicyCompiler(reusableComponents, expressions, diagnostics);
    this.tries = new TryTaskCompiler(lists, retryPolicyCompiler, expressions, diagnostics);
    this.raises = new RaiseTaskCompiler(reusableComponents, expressions, diagnostics);
    this.runs = new RunTaskCompiler(expressions, durations, diagnostics);
    this.emits = new EmitTaskCompiler(limits, expressions, diagnostics);
    this.listens =
        new ListenTaskCompiler(limits, lists, dataFlowCompiler, expressions, diagnostics);
  }

  TaskListCompiler lists() {
    return lists;
  }

  TimeoutCompiler timeouts() {
    return timeoutCompiler;
  }

  /** Number of tasks found so far. */
  int count() {
    return count;
  }

  /** Checks the reusable components that no task refers to. */
  void checkUnused() {
    timeoutCompiler.checkUnused();
    tries.retries().checkUnused();
    raises.checkUnused();
  }

  /** Compiles a task and its content. */
  Node compile(DocumentValue task, TaskContext place) {
    int id = nextNumber(task);
    if (count > maxTasks) {
      return Placeholders.task();
    }
    if (!task.isObject()) {
      diagnostics.expected(task, "an object as task");
      return Placeholders.task();
    }
    TaskKind kind = kind(task);
    List<String> keys = kind == null ? TaskKind.allKeys() : kind.keys();
    String what = kind == null ? "a task" : "a task of kind " + kind.key();
    FieldReader fieldReader = FieldReader.of(task, what, keys, diagnostics);
    TaskAttributes common = common(id, kind, fieldReader, place);
    return kind == null ? Placeholders.task() : body(kind, common, fieldReader, place);
  }

  /** The number of another task; reports the first one beyond the limit. */
  private int nextNumber(DocumentValue task) {
    int number = count++;
    if (count == maxTasks + 1) {
      diagnostics.key(
          task, "expected at most " + maxTasks + " tasks (definition.maxTasks), found more");
    }
    return number;
  }

  /** The kind of a task, or null when it has none or several, which has been reported. */
  private @Nullable TaskKind kind(DocumentValue task) {
    Set<TaskKind> kinds = TaskKind.of(task);
    Iterator<TaskKind> each = kinds.iterator();
    if (kinds.size() == 1) {
      return each.next();
    }
    String all = String.join(", ", TaskKind.NAMES);
    if (kinds.size() > 1) {
      diagnostics.key(
          task,
          "expected one of %s in a task, found both \"%s\" and \"%s\""
              .formatted(all, each.next().key(), each.next().key()));
    } else if (!hasKeyForAKind(task)) {
      diagnostics.key(task, "expected one of " + all + " in a task, found none");
    }
    return null;
  }

  /**
   * Whether a key that will be reported as unknown was meant to be the kind: it resembles one, or
   * no key that a task may have.
   */
  private static boolean hasKeyForAKind(DocumentValue task) {
    List<String> all = TaskKind.allKeys();
    return task.members().stream()
        .map(DocumentValue::name)
        .filter(key -> !all.contains(key))
        .anyMatch(
            key ->
                SpellingSuggestion.of(key, all) == null
                    || SpellingSuggestion.of(key, TaskKind.NAMES) != null);
  }

  private TaskAttributes common(
      int id, @Nullable TaskKind kind, FieldReader fieldReader, TaskContext place) {
    DocumentValue task = fieldReader.owner();
    VisibleVariables visibleVariables = place.variables();
    DataTransform input =
        dataFlowCompiler.input(fieldReader.get("input"), visibleVariables.ofRawInput());
    DataTransform output =
        dataFlowCompiler.output(fieldReader.get("output"), visibleVariables.ofTask());
    DataTransform export =
        dataFlowCompiler.export(fieldReader.get("export"), visibleVariables.ofExport());
    DocumentValue condition = fieldReader.get("if");
    DocumentValue compensate =
        metadataHints.ofTask(fieldReader.get("metadata"), CallTaskCompiler.isCall(fieldReader));
    Compensation compensation = compensations.compile(compensate, kind, visibleVariables);
    return new TaskAttributes(
        new TaskAttributes.TaskIdentity(id, task.name(), task.pointer(), task.payload()),
        condition == null ? null : expressions.condition(condition, visibleVariables.ofRawInput()),
        input,
        output,
        export,
        timeoutCompiler.compile(fieldReader.get("timeout"), visibleVariables.ofRawInput()),
        place.flow().resolve(fieldReader.get("then")),
        compensation);
  }

  private Node body(
      TaskKind kind, TaskAttributes common, FieldReader fieldReader, TaskContext place) {
    VisibleVariables visibleVariables = place.variables();
    return switch (kind) {
      case CALL -> calls.compile(common, fieldReader, visibleVariables);
      case DO -> new Node.Do(common, lists.sequence(fieldReader.get("do"), visibleVariables));
      case FOR -> flows.forTask(common, fieldReader, visibleVariables);
      case FORK -> flows.fork(common, fieldReader, visibleVariables);
      case RAISE -> raises.compile(common, fieldReader, visibleVariables);
      case RUN -> runs.compile(common, fieldReader, visibleVariables);
      case SET -> set(common, fieldReader, visibleVariables);
      case SWITCH -> flows.switchTask(common, fieldReader, place);
      case TRY -> tries.compile(common, fieldReader, place);
      case WAIT -> wait(common, fieldReader, visibleVariables);
      case EMIT -> emits.compile(common, fieldReader, visibleVariables);
      case LISTEN -> listens.compile(common, fieldReader, visibleVariables);
    };
  }

  private Node set(
      TaskAttributes common, FieldReader fieldReader, VisibleVariables visibleVariables) {
    DocumentValue set = fieldReader.getPresent("set");
    if (!(set.isText() || set.isObject()) || (set.isObject() && set.json().isEmpty())) {
      diagnostics.expected(set, "an object with at least one key, or an expression, as \"set\"");
      return Placeholders.task();
    }
    return new Node.Set(
        common,
        set.isText()
            ? expressions.transformation(set, visibleVariables.ofTask())
            : expressions.template(set, visibleVariables.ofTask()));
  }

  private Node wait(
      TaskAttributes common, FieldReader fieldReader, VisibleVariables visibleVariables) {
    return new Node.Wait(
        common, durations.compile(fieldReader.getPresent("wait"), visibleVariables.ofTask()));
  }
}
