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
 * Notifies an observer of what instances do. The number of each event is made of the progress of
 * its instance, so a replay, also one from a snapshot, gives it the same number.
 */
final class Observation {
  private final TaskObserver observer;

  /** Instance of the last event; all events of one step come together. */
  private @Nullable Instance instance;

  private long step;
  private int ordinal;

  Observation(TaskObserver observer) {
    this.observer = observer;
  }

  /** Reports an event of a whole instance. */
  void happened(Instance of, Kind kind) {
    Payload input = kind == Kind.INSTANCE_STARTED ? of.rawInput : null;
    tell(of, kind, null, of.nowEpochMillis, input, null, null, null);
  }

  /** Reports that a task was entered. */
  void entered(Activity activity) {
    tell(activity, Kind.TASK_STARTED, activity.rawInput, null, null, null);
  }

  /** Reports the end of a task. */
  void ended(Activity activity, Kind kind, @Nullable WorkflowError error) {
    Payload output = kind == Kind.TASK_COMPLETED ? activity.output : null;
    tell(activity, kind, activity.input, output, error, null);
  }

  /** Reports a call. Its description leaves out anything that may be secret. */
  void called(Activity activity, HttpCall call) {
    tell(activity, Kind.CALL_STARTED, null, null, null, call.method() + " " + plain(call.uri()));
  }

  /** The URI without user, query and fragment. */
  private static String plain(String uri) {
    return uri.replaceFirst("[?#].*", "").replaceFirst("//[^/]*@", "//");
  }

  /** Reports the start of a delay. */
  void delayed(Activity activity, long delayNanos) {
    long due = activity.instance.nowEpochMillis + TimeUnit.NANOSECONDS.toMillis(delayNanos);
    String until = "until " + Instant.ofEpochMilli(due);
    tell(activity, Kind.TIMER_STARTED, null, null, null, until);
  }

  /** Reports the end of an instance. */
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

  /** Reports an instance that comes from a snapshot. */
  void restored(Instance of) {
    observer.restored(of.view(), HistoryEvent.lastOf(of.events + of.advances));
  }

  /** Reports an ended instance that comes from a snapshot. */
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

  @SuppressWarnings("ReferenceEquality") // identity decides
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
