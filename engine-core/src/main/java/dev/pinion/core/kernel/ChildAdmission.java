package dev.pinion.core.kernel;

import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.ScheduleTask;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.ChildStart;
import dev.pinion.core.model.instance.ParentLink;
import dev.pinion.core.model.instance.ParentTask;
import dev.pinion.core.model.instance.Tags;
import dev.pinion.core.schedule.Recurrence;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Decides whether a child may begin, and what it inherits from its parent. Kernel thread only. */
final class ChildAdmission {
  /** Status of a task whose child found no room: as that of a start that is refused. */
  private static final int NO_ROOM = 503;

  private static final int DISK_FULL = 507;

  private final Admission admission;
  private final Instances instances;
  private final Journal journal;
  private final int maxNesting;
  private final int maxInputBytes;

  ChildAdmission(EngineLimits limits, Admission admission, Instances instances, Journal journal) {
    this.admission = admission;
    this.instances = instances;
    this.journal = journal;
    this.maxNesting = limits.instance().maxNesting();
    this.maxInputBytes = limits.maxRecordedBytes();
  }

  /** Whether the writer of the journal is behind: then children wait, as it catches up soon. */
  boolean waitsForJournal() {
    return journal.refusal() == Journal.Rejection.BEHIND;
  }

  /** The error of a task whose child cannot begin now, or null. */
  @Nullable WorkflowError refusal(Instance parent, ChildStart start, ProcessGraph graph) {
    if (parent.graph().scheduleTask() == null && parent.depth() >= maxNesting) {
      return WorkflowError.of(
          ErrorType.RUNTIME,
          "expected workflows to be nested at most "
              + maxNesting
              + " deep (instance.maxNesting), found one more");
    }
    if (!start.input().isWithin(maxInputBytes, Integer.MAX_VALUE, Integer.MAX_VALUE)) {
      return WorkflowError.of(
          ErrorType.RUNTIME,
          "expected an input of at most "
              + maxInputBytes
              + " bytes for a record of the journal (request.maxBodyBytes,"
              + " invoker.maxResponseBytes), found more");
    }
    return switch (admission.refusal(instances.durability(graph), null)) {
      case null -> null;
      case Reply.LimitReached(String limit) ->
          noRoom(NO_ROOM, "expected room for another instance, found none: " + limit);
      default -> noRoom(DISK_FULL, "expected room for the journal on the disk, found none");
    };
  }

  private static WorkflowError noRoom(int status, String detail) {
    ErrorType type = ErrorType.RUNTIME;
    return new WorkflowError(type.uri(), status, type.title(), detail, null);
  }

  /** The event of an admitted start. */
  static Event.Started started(
      Activity activity, ChildWait wait, ChildStart start, ProcessGraph graph) {
    Instance parent = activity.instance();
    ParentLink link =
        new ParentLink(
            new ParentTask(parent.id(), activity.node().attributes().pointer()),
            wait.activity(),
            wait.attempt(),
            parent.depth() + 1,
            isAwaited(activity.node()),
            parent.events() + parent.advances());
    return new Event.Started(
        graph.key(),
        parent.id().partition(),
        start.input(),
        null,
        tags(activity),
        graph.fingerprint(),
        link);
  }

  private static boolean isAwaited(Node node) {
    return switch (node) {
      case Node.RunWorkflow run -> run.await();
      case Node.Schedule schedule -> schedule.rule().awaitsRuns();
      default ->
          throw new IllegalStateException("expected a task that starts others, found " + node);
    };
  }

  /**
   * A child has its parent's tags, but neither its ordering key nor its time: its start is ordered
   * by its parent already. A run of a schedule tells when it was due.
   */
  private static Tags tags(Activity activity) {
    Tags own = activity.instance().tags().without(Tags.ORDERING_KEY).without(Tags.START_AT);
    long due = ScheduleTask.dueOf(activity);
    return due == Recurrence.NONE ? own : own.with(Tags.DUE, Instant.ofEpochMilli(due).toString());
  }
}
