package dev.pinion.core.kernel.observation;

import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.ParentLink;
import dev.pinion.core.model.instance.StatusPhase;
import dev.pinion.core.model.instance.Tags;
import dev.pinion.core.spi.InstanceObserver;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notifies an observer of what instances do. The number of each event is made of the progress of
 * its instance, so a replay, also one from a snapshot, gives it the same number.
 */
public final class HistoryEventProducer {
  private final InstanceObserver observer;

  /** Instance of the last event; all events of one step come together. */
  private @Nullable Instance instance;

  private long step;
  private int ordinal;

  /** A producer that has told nothing yet. */
  public HistoryEventProducer(InstanceObserver observer) {
    this.observer = observer;
  }

  /** Reports an event of a whole instance. */
  void instanceChanged(Instance of, EventKind eventKind) {
    boolean starts = eventKind == EventKind.INSTANCE_STARTED;
    ParentLink link = starts ? of.parent() : null;
    String detail =
        link == null ? pending(of, eventKind) : "by " + link.id() + " " + link.task().pointer();
    Payload input = starts ? of.rawInput() : null;
    WorkflowError error = eventKind == EventKind.INSTANCE_COMPENSATING ? of.compensatesFor() : null;
    emit(of, eventKind, null, of.nowEpochMillis(), input, null, error, detail);
    if (eventKind == EventKind.INSTANCE_SUSPENDED) {
      eachTask(of, task -> emit(task, EventKind.TASK_SUSPENDED, null, null, null, null));
    } else if (eventKind == EventKind.INSTANCE_RESUMED) {
      eachTask(of, this::resumed);
    }
  }

  /** The word for an instance that waits until the time of its start; else null. */
  private static @Nullable String pending(Instance of, EventKind eventKind) {
    boolean waits =
        switch (eventKind) {
          case INSTANCE_STARTED -> of.beginsLater();
          case INSTANCE_RESUMED -> of.isPending();
          default -> false;
        };
    return waits ? StatusPhase.PENDING.label() : null;
  }

  /** Visits the tasks under way, by their slots, which are the same in a replay. */
  @SuppressWarnings("ReferenceEquality") // the root is the workflow itself
  private static void eachTask(Instance of, Consumer<Activity> look) {
    of.forEachActivity(
        activity -> {
          if (activity != of.root()) {
            look.accept(activity);
          }
        });
  }

  private void resumed(Activity activity) {
    String phase = activity.waits() ? StatusPhase.WAITING.label() : null;
    emit(activity, EventKind.TASK_RESUMED, null, null, null, phase);
  }

  /**
   * Reports in the history of a parent that a task of it has started a child. The number follows
   * from the record of that start: a replay may not have run the parent so far.
   */
  public void childStarted(Instance parent, Instance child) {
    if (parent.graph().scheduleTask() != null) {
      return; // its runs know it; a list of them would grow for ever
    }
    ParentLink link = Objects.requireNonNull(child.parent(), "a child");
    String pointer = link.task().pointer();
    observer.onEvent(
        new HistoryEvent(
            parent.id(),
            HistoryEvent.childSequence(link.progress(), link.attempt()),
            EventKind.CHILD_STARTED,
            child.startedAtEpochMillis(),
            parent.graph().key(),
            new HistoryEvent.TaskRun(pointer, nameIn(pointer), link.activity()),
            child.startedAtEpochMillis(),
            null,
            null,
            null,
            child.graph().key() + " as " + child.id(),
            Tags.NONE));
  }

  /** Name of the task at a JSON pointer: its last part. */
  private static String nameIn(String pointer) {
    String last = pointer.substring(pointer.lastIndexOf('/') + 1);
    return last.replace("~1", "/").replace("~0", "~");
  }

  /** Reports that a task was entered. */
  void entered(Activity activity) {
    EventKind eventKind =
        activity.isCompensation() ? EventKind.COMPENSATION_STARTED : EventKind.TASK_STARTED;
    emit(activity, eventKind, activity.rawInput(), null, null, null);
  }

  /** Reports the end of a task. */
  void ended(Activity activity, EventKind eventKind, @Nullable WorkflowError error) {
    Payload output = eventKind == EventKind.TASK_COMPLETED ? activity.output() : null;
    EventKind told = activity.isCompensation() ? ofCompensation(eventKind) : eventKind;
    emit(activity, told, activity.input(), output, error, null);
  }

  private static EventKind ofCompensation(EventKind end) {
    return switch (end) {
      case TASK_COMPLETED -> EventKind.COMPENSATION_COMPLETED;
      case TASK_FAILED -> EventKind.COMPENSATION_FAILED;
      default -> EventKind.COMPENSATION_CANCELLED;
    };
  }

  /** Reports a call. Its description leaves out anything that may be secret. */
  void called(Activity activity, CallRequest call) {
    emit(activity, EventKind.CALL_STARTED, null, null, null, call.description());
  }

  /** Reports that a task began to listen. */
  void listens(Activity activity) {
    if (activity.keepsSchedule()) {
      return; // it listens again and again
    }
    emit(activity, EventKind.EVENT_AWAITED, null, null, null, null);
  }

  /** Reports that a task has consumed an event. */
  void consumed(Activity activity, Payload event) {
    emit(activity, EventKind.EVENT_CONSUMED, null, null, null, description(event));
  }

  /** Reports that a task has consumed all its events. */
  void correlated(Activity activity, Map<String, String> correlationKeys) {
    Map<String, Payload> keys = new LinkedHashMap<>();
    correlationKeys.forEach((name, value) -> keys.put(name, Payload.of(value)));
    Payload output = keys.isEmpty() ? null : Payload.object(keys);
    emit(activity, EventKind.EVENT_CORRELATED, null, output, null, null);
  }

  /** Reports that a task tries once more. */
  void retried(Activity activity) {
    emit(activity, EventKind.TASK_RETRIED, null, null, null, null);
  }

  /** Reports that a task has emitted an event. */
  void emitted(Activity activity, Payload event) {
    emit(activity, EventKind.EVENT_EMITTED, null, null, null, description(event));
  }

  /** The attributes that identify an event; its data may be secret. */
  private static String description(Payload event) {
    return event.text("type") + ", source " + event.text("source") + ", id " + event.text("id");
  }

  /** Reports the start of a delay. */
  void delayed(Activity activity, long delayNanos) {
    if (activity.keepsSchedule()) {
      return; // it waits again and again
    }
    long due = activity.instance().nowEpochMillis() + TimeUnit.NANOSECONDS.toMillis(delayNanos);
    String until = "until " + Instant.ofEpochMilli(due);
    emit(activity, EventKind.TIMER_STARTED, null, null, null, until);
  }

  /** Reports the end of an instance. */
  void ended(Instance of) {
    InstanceView view = of.view();
    EventKind eventKind =
        switch (view.state()) {
          case COMPLETED -> EventKind.INSTANCE_COMPLETED;
          case FAULTED -> EventKind.INSTANCE_FAULTED;
          default -> EventKind.INSTANCE_CANCELLED;
        };
    emit(of, eventKind, null, of.startedAtEpochMillis(), null, view.output(), view.error(), null);
  }

  /** Reports an instance that comes from a snapshot. */
  public void restored(Instance of) {
    observer.onRestored(of.view(), HistoryEvent.lastOf(of.events() + of.advances()));
  }

  /** Reports an ended instance that comes from a snapshot. */
  public void restored(InstanceView ended) {
    observer.onRestored(ended, Long.MAX_VALUE);
  }

  private void emit(
      Activity activity,
      EventKind eventKind,
      @Nullable Payload input,
      @Nullable Payload output,
      @Nullable WorkflowError error,
      @Nullable String detail) {
    HistoryEvent.TaskRun taskRun =
        new HistoryEvent.TaskRun(
            activity.node().attributes().pointer(),
            activity.node().attributes().name(),
            activity.slot());
    long since = activity.startedAtEpochMillis();
    emit(activity.instance(), eventKind, taskRun, since, input, output, error, detail);
  }

  private void emit(
      Instance of,
      EventKind eventKind,
      HistoryEvent.@Nullable TaskRun taskRun,
      long since,
      @Nullable Payload input,
      @Nullable Payload output,
      @Nullable WorkflowError error,
      @Nullable String detail) {
    boolean starts = eventKind == EventKind.INSTANCE_STARTED;
    ParentLink link = starts ? of.parent() : null;
    observer.onEvent(
        new HistoryEvent(
            of.id(),
            next(of),
            eventKind,
            of.nowEpochMillis(),
            of.graph().key(),
            taskRun,
            since,
            input,
            output,
            error,
            detail,
            starts ? of.tags() : Tags.NONE,
            link == null ? null : link.task()));
  }

  @SuppressWarnings("ReferenceEquality") // identity decides
  private long next(Instance of) {
    long now = of.events() + of.advances();
    if (instance != of || step != now) {
      instance = of;
      step = now;
      ordinal = 0;
    }
    return HistoryEvent.sequence(step, ordinal++);
  }
}
