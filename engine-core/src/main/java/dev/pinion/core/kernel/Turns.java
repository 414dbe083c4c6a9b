package dev.pinion.core.kernel;

import dev.pinion.core.kernel.step.EffectResumption;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.InstanceReader;
import dev.pinion.core.kernel.step.MemoryAccount;
import dev.pinion.core.kernel.step.Stepper;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.OrderingKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/**
 * Applies events to instances, after they are recorded, and runs the turns of instances that have
 * something to do. An instance with more to do than fits one turn waits for the next duty cycle.
 * Kernel thread only.
 */
final class Turns {
  private final EngineLimits limits;
  private final Stepper stepper;
  private final EventRecorder recorder;
  private final MemoryAccount memoryAccount;
  private final Instances instances;
  private final InstanceQueries instanceQueries;
  private final OrderedStarts ordered;
  private final RecordedErrors errors;
  private final Deque<Instance> runnable = new ArrayDeque<>();

  Turns(
      EngineLimits limits,
      Stepper stepper,
      EventRecorder recorder,
      MemoryAccount memoryAccount,
      Instances instances,
      InstanceQueries instanceQueries,
      OrderedStarts ordered) {
    this.limits = limits;
    this.stepper = stepper;
    this.recorder = recorder;
    this.memoryAccount = memoryAccount;
    this.instances = instances;
    this.instanceQueries = instanceQueries;
    this.ordered = ordered;
    this.errors = new RecordedErrors(limits);
  }

  /** The recorder of events. */
  EventRecorder recorder() {
    return recorder;
  }

  /** Work done so far, in steps of expressions. */
  long spent() {
    return stepper.spent();
  }

  /** Steps of expressions that one kind of work may spend in a duty cycle. */
  int loopSteps() {
    return limits.expression().loopSteps();
  }

  /** Whether no instance waits for another turn. */
  boolean isEmpty() {
    return runnable.isEmpty();
  }

  /** Begins an instance whose start is recorded. */
  void begin(Instance instance) {
    stepper.start(instance);
    OrderingKey order = OrderingKey.of(instance.graph().key(), instance.tags());
    if (order != null) {
      ordered.block(order, instance);
    }
    run(instance, true);
  }

  /** Records and applies an event of an instance, which may have ended meanwhile. */
  void submit(InstanceId id, Event.Trigger event) {
    Instance instance = instances.running(id);
    if (instance == null) {
      instances.counters().onStale();
    } else {
      submit(instance, event);
    }
  }

  /** Records and applies an event; if the instance has a turn coming, the turn handles it. */
  void submit(Instance instance, Event.Trigger event) {
    boolean wasIdle = instance.isIdle();
    apply(instance, event);
    proceed(instance, wasIdle);
  }

  /** Records and applies an event; {@link #proceed} must follow. */
  void apply(Instance instance, Event.Trigger given) {
    Event.Trigger event = errors.within(given);
    instance.eventAt(recorder.time().nowNanos());
    memoryAccount.wake(instance);
    recorder.record(instance, event);
    if (!stepper.apply(instance, event, recorder.time().epochMillis())) {
      instances.counters().onStale();
    }
  }

  /**
   * Runs the turn that an event gives an instance, unless one is coming.
   *
   * @param wasIdle whether nothing was ready before the event
   */
  void proceed(Instance instance, boolean wasIdle) {
    if (instance.queued()) {
      instanceQueries.changed(instance);
      memoryAccount.rest(instance);
    } else {
      run(instance, wasIdle);
    }
  }

  /** Continues an instance from the state in which a client retries it; the event is recorded. */
  void retry(
      InstanceReader.RestoredInstance restoredInstance,
      Event.Retried event,
      EffectResumption.PendingEffects pendingEffects) {
    new EffectResumption(stepper, limits.expression().maxSteps())
        .resume(restoredInstance, pendingEffects);
    stepper.apply(restoredInstance.instance(), event, recorder.time().epochMillis());
    run(restoredInstance.instance(), true);
  }

  /**
   * Runs one turn of an instance; what is left waits for the next duty cycle.
   *
   * @param follows whether the turn follows an event that came when nothing was ready: then a
   *     replay knows that the turn takes place, and how far it goes unless it makes records itself
   */
  private void run(Instance instance, boolean follows) {
    long before = instance.advances();
    long recordsBefore = recorder.records();
    memoryAccount.wake(instance);
    if (stepper.turn(instance, limits.kernel().stepsPerTurn())) {
      instance.queued(true);
      runnable.add(instance);
    } else if (instance.advances() != before
        && (!follows || (instance.hasEnded() && recorder.records() != recordsBefore))) {
      recorder.record(instance, new Event.TurnsCompleted(instance.id()));
    }
    if (instance.blocksLaterStarts() && instance.hasBegun()) {
      OrderingKey order = OrderingKey.of(instance.graph().key(), instance.tags());
      ordered.release(Objects.requireNonNull(order), instance);
    }
    instanceQueries.changed(instance);
    memoryAccount.rest(instance);
  }

  /**
   * Runs waiting turns, each instance's once.
   *
   * @param share value of {@link #spent} up to which turns begin
   * @return how many were run
   */
  int runQueued(long share) {
    int queued = runnable.size();
    int turns = 0;
    while (turns < queued && spent() < share) {
      Instance instance = runnable.remove();
      instance.queued(false);
      if (!instance.released()) {
        run(instance, false);
      }
      turns++;
    }
    return turns;
  }
}
