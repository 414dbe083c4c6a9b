package dev.pinion.core.partition;

import dev.pinion.core.model.InstanceId;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * A replica's place among the replicas of an engine. A partition belongs to the slot that its
 * number names, and a slot to one of the running replicas: to its own, if that runs.
 *
 * <p>Any thread. Which replicas serve and who holds which slot changes while the engine runs;
 * everything else is fixed.
 */
public final class ReplicaGroup {
  /** Number of partitions of an engine's state. */
  public static final int PARTITIONS = InstanceId.MAX_PARTITIONS;

  /** A replica without others. */
  public static final ReplicaGroup ALONE = new ReplicaGroup(0, 1, Path.of(""), StartPolicy.LOCAL);

  private final int slot;
  private final int slots;
  private final Path directory;
  private final StartPolicy policy;
  private final List<Integer> weights;
  private volatile Set<Integer> serving = Set.of();
  private volatile SlotAssignment slotAssignment;
  private volatile Runnable onAssigned = () -> {};

  /** A place among replicas of equal size. */
  public ReplicaGroup(int slot, int slots, Path directory, StartPolicy policy) {
    this(slot, slots, directory, policy, Collections.nCopies(Math.max(slots, 0), 1));
  }

  /**
   * A place.
   *
   * @param slot this replica's own slot, from 0
   * @param slots number of slots, at most {@link #PARTITIONS}
   * @param directory folder of the sockets between replicas and their parent
   * @param policy choice of the replica for a start
   * @param weights relative size of the replica of each slot, such as its CPUs; at least 1
   */
  public ReplicaGroup(
      int slot, int slots, Path directory, StartPolicy policy, List<Integer> weights) {
    if (slots < 1 || slots > PARTITIONS || slot < 0 || slot >= slots) {
      throw new IllegalArgumentException(
          "expected a slot below a number of slots from 1 to "
              + PARTITIONS
              + ", found slot "
              + slot
              + " of "
              + slots);
    }
    if (weights.size() != slots || weights.stream().anyMatch(weight -> weight < 1)) {
      throw new IllegalArgumentException(
          "expected a weight of at least 1 for each of " + slots + " slots, found " + weights);
    }
    this.slot = slot;
    this.weights = List.copyOf(weights);
    this.slots = slots;
    this.directory = directory;
    this.policy = policy;
    this.slotAssignment = SlotAssignment.identity(slots);
  }

  /** This replica's own slot. */
  public int slot() {
    return slot;
  }

  /** Number of slots. */
  public int slots() {
    return slots;
  }

  /** Choice of the replica for a start. */
  public StartPolicy policy() {
    return policy;
  }

  /** Relative size of the replica of a slot, at least 1. */
  public int weight(int of) {
    return weights.get(of);
  }

  /** Whether there can be others. */
  public boolean shared() {
    return slots > 1;
  }

  /** The slot of a partition, whichever replica holds it. */
  public int slotOf(int partition) {
    return partition % slots;
  }

  /** The replica that holds a partition, according to the parent's last report. */
  public int owner(int partition) {
    return slotAssignment.owner(slotOf(partition));
  }

  /** Assignment of the slots, according to the parent's last report. */
  public SlotAssignment assignment() {
    return slotAssignment;
  }

  /** Sets the assignment of the slots, unless a later one is known. */
  public synchronized void assign(SlotAssignment told) {
    if (told.version() > slotAssignment.version()) {
      slotAssignment = told;
      onAssigned.run();
    }
  }

  /** Sets the action after each change of the assignment, on the thread that reports it. */
  public void onAssigned(Runnable listener) {
    onAssigned = listener;
  }

  /** Sets the slots whose replicas serve now. */
  public void setServing(Set<Integer> now) {
    serving = Set.copyOf(now);
  }

  /** Whether the replica of another slot serves, according to the parent's last report. */
  public boolean serves(int other) {
    return other != slot && serving.contains(other);
  }

  /** The Unix socket at which a replica answers the others. */
  public Path socket(int of) {
    return directory.resolve("replica-" + of + ".sock");
  }

  /** The Unix socket at which the parent hands over connections. */
  public Path dispatcher() {
    return directory.resolve("dispatch.sock");
  }

  /** The Unix socket at which the parent passes its listening socket. */
  public Path listener() {
    return directory.resolve("listen.sock");
  }

  /** The Unix socket at which the parent takes connections back. */
  public Path returnSocket() {
    return directory.resolve("return.sock");
  }
}
