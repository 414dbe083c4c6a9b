package dev.pinion.core.graph;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.EventForm;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.call.ChildStart;
import dev.pinion.core.model.call.EventEmission;
import dev.pinion.core.model.call.MessageSubscription;
import dev.pinion.core.schedule.ScheduleRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A task of a process graph: one record per kind. Immutable. */
public sealed interface Node {
  /** The common members of all tasks. */
  TaskAttributes attributes();

  /** What the task listens to, or null when it does not listen. */
  default @Nullable Listen listens() {
    return null;
  }

  /**
   * {@code do}: runs a block.
   *
   * @param self variable under which the tasks inside find this task, an object of {@code task},
   *     its descriptor, and {@code input}, its transformed input; null for none
   */
  record Do(TaskAttributes attributes, Block body, @Nullable String self) implements Node {
    /** A block that cannot refer to its task. */
    public Do(TaskAttributes attributes, Block body) {
      this(attributes, body, null);
    }
  }

  /** {@code set}: its output is the value. */
  record Set(TaskAttributes attributes, Expression<Payload> value) implements Node {}

  /**
   * A request to something outside: {@code call: http}, whose URI may have scheme {@code svc} (an
   * abstract service).
   */
  record Call(TaskAttributes attributes, Expression<? extends CallRequest> call) implements Node {}

  /**
   * {@code run: workflow}: starts another instance. Its output is that of the instance, or its
   * input when it does not wait.
   *
   * @param start the instance to start
   * @param await whether the task waits for the end of the instance
   * @param returns whether a task that waits has the output of the instance, rather than null
   */
  record RunWorkflow(
      TaskAttributes attributes, Expression<ChildStart> start, boolean await, boolean returns)
      implements Node {}

  /**
   * The only task of an instance that keeps a schedule: waits for due times, or for events, and
   * starts runs, for ever.
   *
   * @param definition the definition to run
   * @param rule when runs are due
   * @param listens the events that each run needs; null when runs are due by time
   */
  record Schedule(
      TaskAttributes attributes,
      DefinitionKey definition,
      ScheduleRule rule,
      @Nullable Listen listens)
      implements Node {
    /** The start of a run. */
    public ChildStart run(Payload input) {
      return new ChildStart(definition.namespace(), definition.name(), definition.version(), input);
    }
  }

  /**
   * {@code call: asyncapi} with a subscription: receives one message after the other. Its output is
   * the array of the messages, or of what its tasks make of them.
   *
   * @param source makes the request for the first message
   * @param consumption which messages, and how many
   * @param foreach what it does with each message, or null
   */
  record Subscribe(
      TaskAttributes attributes,
      Expression<MessageSubscription> source,
      MessageConsumption consumption,
      @Nullable EventIteration foreach)
      implements Node {}

  /**
   * {@code switch}: the first case that matches, else the case without condition, else {@link
   * TaskAttributes#next}.
   */
  record Switch(TaskAttributes attributes, List<Case> cases) implements Node {
    /** Copies the list. */
    public Switch {
      cases = List.copyOf(cases);
    }
  }

  /**
   * A case of a {@code switch}.
   *
   * @param when condition, or null for the default; the default stands last
   * @param then target of the flow: an index in the block of the switch, or a {@link FlowDirective}
   *     constant
   */
  record Case(@Nullable Expression<Boolean> when, int then) {}

  /**
   * {@code for}: runs the body once per item, in order, as a fold: an iteration's output is the
   * next one's input.
   *
   * @param each variable of the item
   * @param at variable of the index
   * @param in the items; fails when it is not an array
   * @param condition {@code while}, or null; evaluated on each iteration's input
   */
  record For(
      TaskAttributes attributes,
      String each,
      String at,
      Expression<List<Payload>> in,
      @Nullable Expression<Boolean> condition,
      Block body)
      implements Node {}

  /**
   * {@code fork}: runs every branch at the same time.
   *
   * @param branches one task each, whose {@link TaskAttributes#next} never names another task
   * @param compete whether the first branch to complete wins and the others are cancelled
   */
  record Fork(TaskAttributes attributes, List<Node> branches, boolean compete) implements Node {
    /** Copies the list. */
    public Fork {
      branches = List.copyOf(branches);
    }
  }

  /**
   * {@code call: parallelForEach:1.0.0@default}: runs the body for every item, at most so many at a
   * time; its output is the array of the bodies' outputs in item order. Each body's raw input is
   * the task's transformed input.
   *
   * @param each variable of the item
   * @param at variable of the index
   * @param in the items; fails when it is not an array
   * @param maxConcurrency how many bodies may run at a time; 0 for as many as the engine's limit
   *     allows
   */
  record ParallelForEach(
      TaskAttributes attributes,
      String each,
      String at,
      Expression<List<Payload>> in,
      int maxConcurrency,
      Block body)
      implements Node {}

  /** {@code try}: runs the body and handles its errors. */
  record Try(TaskAttributes attributes, Block body, Catch handler) implements Node {}

  /**
   * {@code catch}.
   *
   * @param matches static filter, evaluated on the error, or null for every error
   * @param as variable of the error
   * @param when condition, evaluated on the try's transformed input with the error in scope, or
   *     null
   * @param exceptWhen exception to it, or null
   * @param retry the retry policy, or null
   * @param body the block to run with the try's transformed input when there is no further retry,
   *     or null
   * @param then target of the flow after the error was caught, instead of {@link
   *     TaskAttributes#next}, or null
   */
  record Catch(
      @Nullable Expression<Boolean> matches,
      String as,
      @Nullable Expression<Boolean> when,
      @Nullable Expression<Boolean> exceptWhen,
      @Nullable Retry retry,
      @Nullable Block body,
      @Nullable Integer then) {}

  /**
   * A retry policy.
   *
   * @param when condition, or null
   * @param exceptWhen exception to it, or null
   * @param delay the time before a retry
   * @param limit bounds of the retries
   */
  record Retry(
      @Nullable Expression<Boolean> when,
      @Nullable Expression<Boolean> exceptWhen,
      RetryDelay delay,
      RetryLimit limit) {}

  /**
   * The time before a retry.
   *
   * @param baseNanos base delay, or null for none
   * @param backoff growth of the delay with the attempts
   * @param jitterFromNanos least random addition to the delay, or null
   * @param jitterToNanos greatest random addition to the delay, or null
   */
  record RetryDelay(
      @Nullable Expression<Long> baseNanos,
      Backoff backoff,
      @Nullable Expression<Long> jitterFromNanos,
      @Nullable Expression<Long> jitterToNanos) {}

  /**
   * Bounds of retries.
   *
   * @param maxRetries most retries after the first attempt; {@link Integer#MAX_VALUE} for no limit
   * @param attemptTimeoutNanos the time one attempt may take, or null
   * @param durationNanos the time all attempts together may take, or null
   */
  record RetryLimit(
      int maxRetries,
      @Nullable Expression<Long> attemptTimeoutNanos,
      @Nullable Expression<Long> durationNanos) {}

  /** Growth of a delay with the number n of the retry, from 1. */
  enum Backoff {
    /** The base delay, always. */
    CONSTANT,
    /** n times the base delay. */
    LINEAR,
    /** 2 to the power of n - 1 times the base delay. */
    EXPONENTIAL
  }

  /** {@code raise}: ends with an error. */
  record Raise(TaskAttributes attributes, Expression<WorkflowError> error) implements Node {}

  /** {@code emit}: ends when the event is stored; its output is the event. */
  record Emit(TaskAttributes attributes, Expression<EventEmission> event) implements Node {}

  /**
   * {@code listen}: consumes events; its output is the array of them.
   *
   * @param to the events
   * @param filters all filters of {@code to} by their numbers
   * @param read the part of an event that counts
   * @param foreach what is done with each of them, or null
   */
  record Listen(
      TaskAttributes attributes,
      EventConsumption to,
      List<EventFilter> filters,
      EventForm read,
      @Nullable EventIteration foreach)
      implements Node {
    /** Copies the list. */
    public Listen {
      filters = List.copyOf(filters);
    }

    /** A listener with the filters of what it listens to. */
    public Listen(
        TaskAttributes attributes,
        EventConsumption to,
        EventForm read,
        @Nullable EventIteration foreach) {
      this(attributes, to, to.allFilters(), read, foreach);
    }

    @Override
    public Listen listens() {
      return this;
    }
  }

  /** {@code wait}: ends after a time, with its input as output. */
  record Wait(TaskAttributes attributes, Expression<Long> durationNanos) implements Node {}
}
