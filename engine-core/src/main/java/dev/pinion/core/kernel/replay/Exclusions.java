package dev.pinion.core.kernel.replay;

import dev.pinion.core.kernel.ChildQueue;
import dev.pinion.core.kernel.step.InstanceReader;
import dev.pinion.core.kernel.table.FinishedInstance;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.Tags;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Instances that a replay leaves out, because it failed at them before: they are faulted. */
final class Exclusions {
  private final Instances instances;
  private final ChildQueue children;
  private final Set<InstanceId> excluded = new HashSet<>();
  private Function<InstanceId, @Nullable String> reasons = id -> null;
  private long nowEpochMillis;

  Exclusions(Instances instances, ChildQueue children) {
    this.instances = instances;
    this.children = children;
  }

  /**
   * Sets which instances are left out.
   *
   * @param reasonsByInstance returns why an instance is left out and what to do, or null
   * @param epochMillis the time of this recovery
   */
  void set(Function<InstanceId, @Nullable String> reasonsByInstance, long epochMillis) {
    reasons = reasonsByInstance;
    nowEpochMillis = epochMillis;
  }

  /** Instances that were left out so far. */
  Set<InstanceId> excluded() {
    return Set.copyOf(excluded);
  }

  /** Why an instance is left out, or null. */
  @Nullable String reason(InstanceId id) {
    return reasons.apply(id);
  }

  /** Adds an instance that is left out as a faulted one. */
  void add(InstanceReader.StateHeader stateHeader, String reason) {
    if (excluded.add(stateHeader.id())) {
      InstanceView view =
          new InstanceView(
              stateHeader.id(),
              stateHeader.definition(),
              InstanceState.FAULTED,
              stateHeader.startedAtEpochMillis(),
              nowEpochMillis,
              0,
              null,
              WorkflowError.of(ErrorType.RUNTIME, reason),
              Tags.NONE,
              stateHeader.parent() == null ? null : stateHeader.parent().task());
      instances.restore(new FinishedInstance(view, null, null));
      children.lost(stateHeader.parent(), stateHeader.id(), reason);
    }
  }
}
