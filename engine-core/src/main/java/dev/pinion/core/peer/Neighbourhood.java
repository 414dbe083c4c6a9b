package dev.pinion.core.peer;

import dev.pinion.core.model.InstanceId;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * A replica's place among the replicas of an engine. A partition belongs to the slot that its
 * number names, and a slot to one of the replicas that run: to its own, if that one does.
 *
 * <p>Any thread. Which replicas serve and who holds which slot changes while the engine runs;
 * everything else is fixed.
 */
public final class Neighbourhood {
  /** Number of partitions that the state of an engine is cut into. */
  public static final int PARTITIONS = InstanceId.MAX_PARTITIONS;

  /** A replica without others. */
  public static final Neighbourhood ALONE = new Neighbourhood(0, 1, Path.of(""), StartPolicy.LOCAL);

  private final int slot;
  private final int slots;
  private final Path directory;
  private final StartPolicy policy;
  private final List<Integer> weights;
  private volatile Set<Integer> serving = Set.of();
  private volatile Assignment assignment;
  private volatile Runnable onAssigned = () -> {};

  /** A place among replicas that are equally large. */
  public Neighbourhood(int slot, int slots, Path directory, StartPolicy policy) {
    this(slot, slots, directory, policy, Collections.nCopies(Math.max(slots, 0), 1));
  }

  /**
   * A place.
   *
   * @param slot this replica's own slot, from 0
   * @param slots number of slots, at most {@link #PARTITIONS}
   * @param directory folder of the sockets by which replicas and their parent meet
   * @param policy which replica takes a start
   * @param weights how large the replica of each slot is compared with the others, such as its
   *     CPUs; at least 1
   */
  public Neighbourhood(
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
    this.assignment = Assignment.own(slots);
  }

  /** This replica's own slot. */
  public int slot() {
    return slot;
  }

  /** Number of slots. */
  public int slots() {
    return slots;
  }

  /** Which replica takes a start. */
  public StartPolicy policy() {
    return policy;
  }

  /** How large the replica of a slot is compared with the others, at least 1. */
  public int weight(int of) {
    return weights.get(of);
  }

  /** Whether there can be others. */
  public boolean shared() {
    return slots > 1;
  }

  /** The slot that a partition belongs to, whoever holds it. */
  public int slotOf(int partition) {
    return partition % slots;
  }

  /** The replica that holds a partition, as far as the parent has told. */
  public int owner(int partition) {
    return assignment.holder(slotOf(partition));
  }

  /** Who holds which slot, as far as the parent has told. */
  public Assignment assignment() {
    return assignment;
  }

  /** Takes note of who is to hold which slot, unless something later is known. */
  public synchronized void assign(Assignment told) {
    if (told.version() > assignment.version()) {
      assignment = told;
      onAssigned.run();
    }
  }

  /** Names what is run after each change of the assignment, on the thread that tells of it. */
  public void onAssigned(Runnable listener) {
    onAssigned = listener;
  }

  /** Takes note of the slots whose replicas serve now. */
  public void serving(Set<Integer> now) {
    serving = Set.copyOf(now);
  }

  /** Whether the replica of another slot serves, as far as the parent has told. */
  public boolean serves(int other) {
    return other != slot && serving.contains(other);
  }

  /** The Unix socket at which a replica answers the others. */
  public Path socket(int of) {
    return directory.resolve("replica-" + of + ".sock");
  }

  /** The Unix socket at which the parent hands connections over. */
  public Path dispatcher() {
    return directory.resolve("dispatch.sock");
  }

  /** The Unix socket at which the parent gives its listening socket. */
  public Path listener() {
    return directory.resolve("listen.sock");
  }

  /** The Unix socket at which the parent takes connections back. */
  public Path returns() {
    return directory.resolve("return.sock");
  }
}
