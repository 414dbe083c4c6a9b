package dev.pinion.core.kernel.table;

import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.instance.InstanceState;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The running instances that keep schedules, one for each name, in the order of names. An older one
 * of the same name is superseded: a crash came between the start of its successor and its own end.
 * Kernel thread only.
 */
public final class ScheduleTable {
  private final SortedMap<DefinitionName, Instance> keepers = new TreeMap<>();
  private final SequencedSet<Instance> superseded = new LinkedHashSet<>();

  /** Names whose instance has changed, until somebody asks. */
  private final SequencedSet<DefinitionName> changed = new LinkedHashSet<>();

  private boolean failed;

  private static @Nullable DefinitionName nameOf(Instance instance) {
    Node.Schedule task = instance.graph().scheduleTask();
    return task == null ? null : DefinitionName.of(task.definition());
  }

  /** Adds an instance that begins or is restored, if it keeps a schedule. */
  void opened(Instance instance) {
    DefinitionName name = nameOf(instance);
    if (name == null) {
      return;
    }
    Instance known = keepers.get(name);
    boolean newer = known == null || instance.id().compareTo(known.id()) > 0;
    if (known != null) {
      superseded.add(newer ? known : instance);
    }
    if (newer) {
      keepers.put(name, instance);
    }
    changed.add(name);
  }

  /** Removes an instance that has ended or continues elsewhere. */
  void closed(Instance instance) {
    DefinitionName name = nameOf(instance);
    if (name == null || superseded.remove(instance) || !keepers.remove(name, instance)) {
      return;
    }
    if (instance.state() == InstanceState.FAULTED) {
      failed = true; // its successor might fail in the same way, so there is no hurry
      changed.remove(name); // also when it faulted as soon as it had begun
    } else {
      changed.add(name);
    }
  }

  /** Has an instance checked again, if it keeps a schedule. */
  public void recheck(Instance instance) {
    DefinitionName name = nameOf(instance);
    if (name != null) {
      changed.add(name);
    }
  }

  /** The instance that keeps the schedule of a name, or null. */
  public @Nullable Instance find(DefinitionName name) {
    return keepers.get(name);
  }

  /** Whether another instance has taken the place of one. */
  public boolean isSuperseded(Instance instance) {
    return !superseded.isEmpty() && superseded.contains(instance);
  }

  /** The instance that has taken the place of another one, or null. */
  public @Nullable Instance successorOf(Instance old) {
    DefinitionName name = nameOf(old);
    return name == null ? null : keepers.get(name);
  }

  /** All from a name on, in order; from the first one when it is null. */
  public Collection<Instance> from(@Nullable DefinitionName name) {
    return name == null ? keepers.values() : keepers.tailMap(name).values();
  }

  /** Names of all of them. */
  public Collection<DefinitionName> names() {
    return keepers.keySet();
  }

  /** Number of schedules that are kept. */
  int size() {
    return keepers.size();
  }

  /** An instance that was superseded, or null. */
  public @Nullable Instance firstSuperseded() {
    return superseded.isEmpty() ? null : superseded.getFirst();
  }

  /** Whether {@link #pollChanged} or {@link #pollFailure} has something. */
  public boolean hasChanged() {
    return !changed.isEmpty() || failed;
  }

  /** Removes and returns a name whose instance has changed; null when there is none. */
  public @Nullable DefinitionName pollChanged() {
    return changed.isEmpty() ? null : changed.removeFirst();
  }

  /** Whether an instance has faulted since the last look. */
  public boolean pollFailure() {
    boolean since = failed;
    failed = false;
    return since;
  }
}
