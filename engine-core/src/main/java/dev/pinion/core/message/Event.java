package dev.pinion.core.message;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.instance.ParentLink;
import dev.pinion.core.model.instance.SerializedInstance;
import dev.pinion.core.model.instance.StartKey;
import dev.pinion.core.model.instance.Tags;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recorded event of an instance. Replaying an instance's events in order rebuilds its state;
 * clients that wait for a reply are no part of it.
 */
public sealed interface Event {
  /**
   * An event that triggers a step of a running instance. The others are recorded for the next
   * replay only.
   */
  sealed interface Trigger extends Event {
    /** The instance. */
    InstanceId id();
  }

  /**
   * Start of an instance.
   *
   * @param definition its definition
   * @param partition the partition that owns it
   * @param input raw workflow input
   * @param key idempotency key; null for none
   * @param tags tags given by the client
   * @param fingerprint fingerprint of the definition; 0 when it was not recorded
   * @param parent tie to the task that started it; null when a client did
   */
  record Started(
      DefinitionKey definition,
      int partition,
      Payload input,
      @Nullable StartKey key,
      Tags tags,
      long fingerprint,
      @Nullable ParentLink parent)
      implements Event {
    /** A start by a client. */
    public Started(
        DefinitionKey definition,
        int partition,
        Payload input,
        @Nullable StartKey key,
        Tags tags,
        long fingerprint) {
      this(definition, partition, input, key, tags, fingerprint, null);
    }

    /** A start without a key, tags and fingerprint. */
    public Started(DefinitionKey definition, int partition, Payload input) {
      this(definition, partition, input, null, Tags.NONE, 0);
    }
  }

  /**
   * End of a call, or of the wait for a child.
   *
   * @param id the instance that called
   * @param activity the activity that called
   * @param attempt the number of the call; an outcome of an older attempt is dropped
   * @param outcome outcome of the call
   */
  record CallCompleted(InstanceId id, int activity, int attempt, CallOutcome outcome)
      implements Trigger, Completion {}

  /**
   * End of an evaluation that was handed to another thread.
   *
   * @param id the instance that asked
   * @param activity the activity that asked
   * @param attempt the number of the evaluation; a result of an older one is dropped
   * @param result the value, null when it failed
   * @param error the failure, null when there is a value
   */
  record ExpressionEvaluated(
      InstanceId id,
      int activity,
      int attempt,
      @Nullable Object result,
      @Nullable WorkflowError error)
      implements Trigger, Completion {}

  /**
   * A fired timer.
   *
   * @param id the instance that set it
   * @param activity the activity that set it
   * @param timer which of the activity's timers
   * @param attempt the number under which it was set; has no effect when the timer was restarted or
   *     cancelled since
   */
  record TimerFired(InstanceId id, int activity, int timer, int attempt) implements Trigger {}

  /**
   * A CloudEvent for a task that listens.
   *
   * @param id the instance that listens
   * @param activity the activity that listens
   * @param attempt the number under which it listens; has no effect when it has ended since
   * @param position position of the event in the log of events
   * @param filter number of the filter that the event has passed
   * @param correlated values of the filter's correlations, in their order
   * @param event the event in the JSON format of CloudEvents
   */
  record EventReceived(
      InstanceId id,
      int activity,
      int attempt,
      long position,
      int filter,
      List<String> correlated,
      Payload event)
      implements Trigger {
    /** Copies the list. */
    public EventReceived {
      correlated = List.copyOf(correlated);
    }
  }

  /**
   * Failed check for room: an instance found no room for what it holds, because of what the other
   * instances held.
   *
   * @param id the instance
   * @param check number of its check for room, from 1
   */
  record MemoryExceeded(InstanceId id, int check) implements Event {}

  /**
   * Progress of an instance that has run its ready activities in more turns than the one that
   * follows an event, or ended in one during which it made records. Recorded so that a replay knows
   * the progress although no further event shows it.
   *
   * @param id the instance
   */
  record TurnsCompleted(InstanceId id) implements Event {}

  /**
   * Binding of a call to a service. Recorded before the call is sent, so that a repetition goes to
   * the same service.
   *
   * @param id the instance
   * @param activity the activity that calls; {@link #ALL_ACTIVITIES} when all calls of the abstract
   *     service by the instance are bound
   * @param attempt the number of the call within the activity, or 0
   * @param service the abstract service
   * @param to the concrete service
   */
  record ServiceBound(InstanceId id, int activity, int attempt, String service, String to)
      implements Event {
    /** Placeholder for the activity: all activities. */
    public static final int ALL_ACTIVITIES = -1;

    /** Binding of all calls of an abstract service by an instance. */
    public static ServiceBound ofInstance(InstanceId id, String service, String to) {
      return new ServiceBound(id, ALL_ACTIVITIES, 0, service, to);
    }
  }

  /**
   * A client ended the instance, or its parent did.
   *
   * @param id the instance
   * @param compensates whether it compensates its completed tasks before it ends
   */
  record Cancelled(InstanceId id, boolean compensates) implements Trigger {
    /** The usual end, with compensation. */
    public Cancelled(InstanceId id) {
      this(id, true);
    }
  }

  /** A client or its parent suspended the instance: it begins nothing more until it is resumed. */
  record Suspended(InstanceId id) implements Trigger {}

  /** A client or its parent resumed the instance. */
  record Resumed(InstanceId id) implements Trigger {}

  /**
   * Retry of a faulted instance from before the task that failed. The first event of an instance
   * that is running again; a replay needs no events before it.
   *
   * @param id the instance
   * @param state its state before the task
   */
  record Retried(InstanceId id, SerializedInstance state) implements Trigger {}
}
