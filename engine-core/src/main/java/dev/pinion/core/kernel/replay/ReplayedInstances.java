package dev.pinion.core.kernel.replay;

import dev.pinion.core.kernel.ChildQueue;
import dev.pinion.core.kernel.EffectRouter;
import dev.pinion.core.kernel.KernelState;
import dev.pinion.core.kernel.step.EffectResumption;
import dev.pinion.core.kernel.step.EffectSink;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.InstanceReader;
import dev.pinion.core.kernel.step.MemoryAccount;
import dev.pinion.core.kernel.step.Stepper;
import dev.pinion.core.kernel.step.ValuePacking;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.ParentLink;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The instances of a kernel during a replay: read from their state, run as far as records say, and
 * put aside while they wait.
 */
final class ReplayedInstances {
  private static final int ADVANCES_AT_ONCE = 1_000;

  private final Instances instances;
  private final EffectRouter router;
  private final EffectSink effects;
  private final MemoryAccount memoryAccount;
  private final ValuePacking valuePacking;
  private final ReplayEffectSink replayed;
  private final InstanceReader reader;

  /** Passivation of waiting instances of a shadow; null without another kernel. */
  private final @Nullable Passivation passivation;

  private EngineLimits limits;
  private Stepper stepper;

  /**
   * The instances of a kernel.
   *
   * @param effects receiver of the effects of steps
   * @param follows whether the kernel only follows another one
   */
  ReplayedInstances(
      KernelState kernel, ReplayEffectSink replayed, EffectSink effects, boolean follows) {
    this.instances = kernel.instances();
    this.router = kernel.router();
    this.effects = effects;
    this.memoryAccount = kernel.memoryAccount();
    this.valuePacking = memoryAccount.packing();
    this.replayed = replayed;
    this.reader = new InstanceReader(kernel.graphs(), router);
    this.limits = kernel.limits();
    this.stepper = new Stepper(limits, effects, memoryAccount);
    this.passivation =
        follows ? new Passivation(instances, kernel.memory(), valuePacking, replayed) : null;
  }

  /** Applies other limits to the steps that follow. */
  void under(EngineLimits inForce) {
    if (differ(limits, inForce)) {
      limits = inForce;
      memoryAccount.bound(MemoryAccount.boundOf(inForce));
      stepper = new Stepper(inForce, effects, memoryAccount);
    }
  }

  /** Compares by names and values: comparing records costs a tenth of a second in a new process. */
  @SuppressWarnings("ReferenceEquality") // the same limits need no comparison
  private static boolean differ(EngineLimits some, EngineLimits others) {
    return some != others && !some.values().equals(others.values());
  }

  EngineLimits limits() {
    return limits;
  }

  Stepper stepper() {
    return stepper;
  }

  /** All running instances and those that have ended. */
  Instances all() {
    return instances;
  }

  /** What is under way between instances and their children. */
  ChildQueue children() {
    return router.children();
  }

  /** Reads an instance from its state. */
  InstanceReader.RestoredInstance read(byte[] state, long offsetNanos) throws RecoveryException {
    return reader.read(state, offsetNanos);
  }

  /** Runs every instance as far as it can come without another event. */
  void runAll() {
    for (InstanceId id : instances.runningIds()) {
      Instance instance = instances.running(id);
      if (instance != null && !instance.isIdle()) {
        catchUp(instance, Long.MAX_VALUE);
        rest(instance);
      }
    }
  }

  /** Runs an instance up to the number of advances of a record, at the time of its last event. */
  void catchUp(Instance instance, long advances) {
    router.setTime(instance.eventNanos());
    wake(instance);
    boolean more = true;
    while (more && instance.advances() < advances) {
      long left = advances - instance.advances();
      more = stepper.turn(instance, (int) Math.min(ADVANCES_AT_ONCE, left));
    }
  }

  void rest(InstanceId id) {
    Instance instance = instances.running(id);
    if (instance != null) {
      rest(instance);
    }
  }

  void rest(Instance instance) {
    valuePacking.onIdle(instance);
    if (passivation != null) {
      passivation.onIdle(instance);
    }
  }

  void wake(Instance instance) {
    valuePacking.unpack(instance);
    if (passivation != null) {
      passivation.onActive(instance);
    }
  }

  /** A running instance, read again if it is passive; null for none. */
  @Nullable Instance underWay(InstanceId id) throws RecoveryException {
    Passivation.PassivatedInstance passivatedInstance =
        passivation == null ? null : passivation.take(id);
    if (passivatedInstance == null) {
      return instances.running(id);
    }
    try {
      InstanceReader.RestoredInstance restoredInstance = reader.read(passivatedInstance.state(), 0);
      int missed = replayed.openings() - passivatedInstance.openings();
      restoredInstance
          .unsettled()
          .forEach(each -> each.activity().delivered(each.activity().deliveries() + missed));
      open(restoredInstance, replayed);
      return restoredInstance.instance();
    } catch (IllegalArgumentException | BudgetExceededException | ExpressionException e) {
      throw misfit(id, "a passive instance", e);
    }
  }

  /**
   * The parent of a child whose start was recorded, run as far as it had come by then: its turns
   * may not be recorded yet. Null when it is not journalled, or left out.
   */
  @Nullable Instance parent(ParentLink link) throws RecoveryException {
    Instance parent = underWay(link.id());
    if (parent != null) {
      catchUp(parent, link.progress() - parent.events());
      rest(parent);
    }
    return parent;
  }

  /** Adds an instance with what it waits for. */
  void open(
      InstanceReader.RestoredInstance restoredInstance,
      EffectResumption.PendingEffects pendingEffects) {
    instances.open(restoredInstance.instance());
    memoryAccount.restored(restoredInstance.instance(), restoredInstance.heldBytes());
    new EffectResumption(stepper, limits.expression().maxSteps())
        .resume(restoredInstance, pendingEffects);
  }

  /** The problem of a state or record that this engine does not run as its writer did. */
  static RecoveryException misfit(@Nullable InstanceId id, String what, RuntimeException reason) {
    return new RecoveryException(
        id,
        what
            + ": "
            + reason.getMessage()
            + "; this engine does not run the definition as the one that wrote it did: start that"
            + " version");
  }

  /** Forgets running and passive instances. */
  void forget(Predicate<InstanceId> which) {
    if (passivation != null) {
      passivation.forget(which);
    }
    for (InstanceId id : instances.runningIds()) {
      if (which.test(id)) {
        drop(id);
      }
    }
  }

  /** Forgets one instance. */
  void forget(InstanceId id) {
    if (passivation != null) {
      passivation.forget(id::equals);
    }
    drop(id);
  }

  private void drop(InstanceId id) {
    Instance instance = instances.running(id);
    if (instance != null) {
      instance.forEachActivity(replayed::dropActivity);
      instances.forget(id);
    }
  }

  /** Whether an instance is running, perhaps passive. */
  boolean isUnderWay(InstanceId id) {
    return instances.running(id) != null || (passivation != null && passivation.holds(id));
  }

  /** Number of passive instances. */
  int passive() {
    return passivation == null ? 0 : passivation.passive();
  }
}
