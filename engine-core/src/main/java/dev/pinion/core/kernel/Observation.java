package dev.pinion.core.kernel;

import dev.pinion.core.model.HistoryEvent;
import dev.pinion.core.model.HistoryEvent.Kind;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Tags;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.spi.TaskObserver;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells an observer what instances do. Each happening has a number made of how far its instance had
 * come, so a replay, also one from a snapshot, gives it the same number.
 */
final class Observation {
  private final TaskObserver observer;

  /** Whose step the last happening belongs to; what one step does comes in one piece. */
  private @Nullable Instance instance;

  private long step;
  private int ordinal;

  Observation(TaskObserver observer) {
    this.observer = observer;
  }

  /** Something happened to a whole instance. */
  void happened(Instance of, Kind kind) {
    Payload input = kind == Kind.INSTANCE_STARTED ? of.rawInput : null;
    tell(of, kind, null, of.nowEpochMillis, input, null, null, null);
  }

  /** A task was entered. */
  void entered(Activity activity) {
    tell(activity, Kind.TASK_STARTED, activity.rawInput, null, null, null);
  }

  /** A task has ended. */
  void ended(Activity activity, Kind kind, @Nullable WorkflowError error) {
    Payload output = kind == Kind.TASK_COMPLETED ? activity.output : null;
    tell(activity, kind, activity.input, output, error, null);
  }

  /** A call is made. What it says of itself leaves out whatever may be secret. */
  void called(Activity activity, HttpCall call) {
    tell(activity, Kind.CALL_STARTED, null, null, null, call.method() + " " + plain(call.uri()));
  }

  /** Without user, query and fragment. */
  private static String plain(String uri) {
    return uri.replaceFirst("[?#].*", "").replaceFirst("//[^/]*@", "//");
  }

  /** A delay began. */
  void delayed(Activity activity, long delayNanos) {
    long due = activity.instance.nowEpochMillis + TimeUnit.NANOSECONDS.toMillis(delayNanos);
    String until = "until " + Instant.ofEpochMilli(due);
    tell(activity, Kind.TIMER_STARTED, null, null, null, until);
  }

  /** An instance has ended. */
  void ended(Instance of) {
    InstanceView view = of.view();
    Kind kind =
        switch (view.state()) {
          case COMPLETED -> Kind.INSTANCE_COMPLETED;
          case FAULTED -> Kind.INSTANCE_FAULTED;
          default -> Kind.INSTANCE_CANCELLED;
        };
    tell(of, kind, null, of.startedAtEpochMillis, null, view.output(), view.error(), null);
  }

  /** An instance comes from a snapshot. */
  void restored(Instance of) {
    observer.restored(of.view(), HistoryEvent.lastOf(of.events + of.advances));
  }

  /** An instance comes from a snapshot, which it had ended before. */
  void restored(InstanceView ended) {
    observer.restored(ended, Long.MAX_VALUE);
  }

  private void tell(
      Activity activity,
      Kind kind,
      @Nullable Payload input,
      @Nullable Payload output,
      @Nullable WorkflowError error,
      @Nullable String detail) {
    HistoryEvent.Task task =
        new HistoryEvent.Task(
            activity.node.common().pointer(), activity.node.common().name(), activity.slot);
    long since = activity.startedAtEpochMillis;
    tell(activity.instance, kind, task, since, input, output, error, detail);
  }

  private void tell(
      Instance of,
      Kind kind,
      HistoryEvent.@Nullable Task task,
      long since,
      @Nullable Payload input,
      @Nullable Payload output,
      @Nullable WorkflowError error,
      @Nullable String detail) {
    observer.happened(
        new HistoryEvent(
            of.id,
            next(of),
            kind,
            of.nowEpochMillis,
            of.graph.key(),
            task,
            since,
            input,
            output,
            error,
            detail,
            kind == Kind.INSTANCE_STARTED ? of.tags : Tags.NONE));
  }

  @SuppressWarnings("ReferenceEquality") // whose turn it is
  private long next(Instance of) {
    long now = of.events + of.advances;
    if (instance != of || step != now) {
      instance = of;
      step = now;
      ordinal = 0;
    }
    return HistoryEvent.sequence(step, ordinal++);
  }
}
