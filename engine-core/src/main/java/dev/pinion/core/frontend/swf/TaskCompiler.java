package dev.pinion.core.frontend.swf;

import dev.pinion.core.ir.Node;
import dev.pinion.core.ir.TaskCommon;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.Nearest;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles tasks: first the common members of all, then those of each kind. */
final class TaskCompiler {
  private final int maxTasks;
  private final ExpressionFields expressions;
  private final DurationFields durations;
  private final DataFlow dataFlow;
  private final Timeouts timeouts;
  private final Metadata metadata;
  private final Diagnostics diagnostics;
  private final TaskLists lists;
  private final CallTasks calls;
  private final FlowTasks flows;
  private final TryTasks tries;
  private final RaiseTasks raises;
  private int count;

  TaskCompiler(
      EngineLimits limits,
      Reusables reusables,
      ExpressionFields expressions,
      DataFlow dataFlow,
      Diagnostics diagnostics) {
    this.maxTasks = limits.definition().maxTasks();
    this.expressions = expressions;
    this.durations = new DurationFields(expressions, diagnostics);
    this.dataFlow = dataFlow;
    this.timeouts = new Timeouts(reusables, expressions, diagnostics);
    this.metadata = new Metadata(diagnostics);
    this.diagnostics = diagnostics;
    this.lists = new TaskLists(this, diagnostics);
    this.flows = new FlowTasks(lists, expressions, diagnostics);
    this.calls = new CallTasks(lists, flows, reusables, expressions, diagnostics);
    Retries retries = new Retries(reusables, expressions, diagnostics);
    this.tries = new TryTasks(lists, retries, expressions, diagnostics);
    this.raises = new RaiseTasks(reusables, expressions, diagnostics);
  }

  TaskLists lists() {
    return lists;
  }

  Timeouts timeouts() {
    return timeouts;
  }

  /** Number of tasks found so far. */
  int count() {
    return count;
  }

  /** Checks the reusable components that no task refers to. */
  void checkUnused() {
    timeouts.checkUnused();
    tries.retries().checkUnused();
    raises.checkUnused();
  }

  /** Compiles a task and its content. */
  Node compile(Value task, TaskPlace place) {
    int id = count++;
    if (count > maxTasks) {
      if (count == maxTasks + 1) {
        diagnostics.key(
            task, "expected at most " + maxTasks + " tasks (definition.maxTasks), found more");
      }
      return Placeholders.task();
    }
    if (!task.isObject()) {
      diagnostics.expected(task, "an object as task");
      return Placeholders.task();
    }
    TaskKind kind = kind(task);
    List<String> keys = kind == null ? TaskKind.allKeys() : kind.keys();
    String what = kind == null ? "a task" : "a task of kind " + kind.key();
    Fields fields = Fields.of(task, what, keys, diagnostics);
    TaskCommon common = common(id, fields, place);
    return kind == null ? Placeholders.task() : body(kind, common, fields, place);
  }

  /** The kind of a task, or null when it has none or several, which has been reported. */
  private @Nullable TaskKind kind(Value task) {
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
  private static boolean hasKeyForAKind(Value task) {
    List<String> all = TaskKind.allKeys();
    return task.members().stream()
        .map(Value::name)
        .filter(key -> !all.contains(key))
        .anyMatch(key -> Nearest.to(key, all) == null || Nearest.to(key, TaskKind.NAMES) != null);
  }

  private TaskCommon common(int id, Fields fields, TaskPlace place) {
    Value task = fields.owner();
    Variables variables = place.variables();
    DataFlow.Step input = dataFlow.input(fields.get("input"), variables.ofRawInput());
    DataFlow.Step output = dataFlow.output(fields.get("output"), variables.ofTask());
    DataFlow.Step export = dataFlow.export(fields.get("export"), variables.ofExport());
    Value condition = fields.get("if");
    metadata.ofTask(fields.get("metadata"));
    return new TaskCommon(
        id,
        task.name(),
        task.pointer(),
        task.payload(),
        condition == null ? null : expressions.condition(condition, variables.ofRawInput()),
        input.schema(),
        input.transformation(),
        output.transformation(),
        output.schema(),
        export.transformation(),
        export.schema(),
        timeouts.compile(fields.get("timeout"), variables.ofRawInput()),
        place.flow().resolve(fields.get("then")));
  }

  private Node body(TaskKind kind, TaskCommon common, Fields fields, TaskPlace place) {
    Variables variables = place.variables();
    return switch (kind) {
      case CALL -> calls.compile(common, fields, variables);
      case DO -> new Node.Do(common, lists.sequence(fields.get("do"), variables));
      case FOR -> flows.forTask(common, fields, variables);
      case FORK -> flows.fork(common, fields, variables);
      case RAISE -> raises.compile(common, fields, variables);
      case SET -> set(common, fields, variables);
      case SWITCH -> flows.switchTask(common, fields, place);
      case TRY -> tries.compile(common, fields, place);
      case WAIT -> wait(common, fields, variables);
      case EMIT, LISTEN, RUN -> unsupported(kind, fields);
    };
  }

  private Node set(TaskCommon common, Fields fields, Variables variables) {
    Value set = fields.getPresent("set");
    if (!(set.isText() || set.isObject()) || (set.isObject() && set.json().isEmpty())) {
      diagnostics.expected(set, "an object with at least one key, or an expression, as \"set\"");
      return Placeholders.task();
    }
    return new Node.Set(
        common,
        set.isText()
            ? expressions.transformation(set, variables.ofTask())
            : expressions.template(set, variables.ofTask()));
  }

  private Node wait(TaskCommon common, Fields fields, Variables variables) {
    return new Node.Wait(common, durations.compile(fields.getPresent("wait"), variables.ofTask()));
  }

  private Node unsupported(TaskKind kind, Fields fields) {
    diagnostics.notSupportedYet(fields.getPresent(kind.key()), "a task of kind " + kind.key());
    return Placeholders.task();
  }
}
