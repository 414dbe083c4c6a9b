package dev.pinion.core.partition;

/**
 * The kernels of this replica that own the partitions of the state.
 *
 * <p>The number of partitions is fixed for the life of the state, the numbers of replicas and of
 * kernels are not; so an instance names its partition, and this table finds the owner. Slot {@code
 * s} of {@code n} has the partitions {@code s, s + n, s + 2n …}; a replica assigns those of each
 * slot that it holds to its kernels in turn. The slots it holds change; new instances go to
 * partitions of its own slot, which it holds for as long as it serves.
 *
 * <p>Any thread.
 */
public final class PartitionTable {
  private final ReplicaGroup replicaGroup;
  private final int kernels;

  /**
   * Assigns the partitions of a replica to its kernels.
   *
   * @param kernels number of kernels, from 1 to the number of partitions of a replica
   */
  public PartitionTable(ReplicaGroup replicaGroup, int kernels) {
    int most = ReplicaGroup.PARTITIONS / replicaGroup.slots();
    if (kernels < 1 || kernels > most) {
      throw new IllegalArgumentException(
          "expected from 1 to "
              + most
              + " kernels in each of "
              + replicaGroup.slots()
              + " replicas, found "
              + kernels);
    }
    this.replicaGroup = replicaGroup;
    this.kernels = kernels;
  }

  /** Number of kernels of this replica. */
  public int kernels() {
    return kernels;
  }

  /** Whether a partition belongs to this replica, by the parent's last assignment. */
  public boolean isLocal(int partition) {
    return replicaGroup.owner(partition) == replicaGroup.slot();
  }

  /** The kernel that owns a partition if this replica does. */
  public int owner(int partition) {
    return partition / replicaGroup.slots() % kernels;
  }

  /**
   * The next partition of those that a kernel owns, in turn.
   *
   * @param kernel the owner
   * @param last the previous partition, or a negative number for none
   */
  public int nextPartition(int kernel, int last) {
    int first = replicaGroup.slot() + kernel * replicaGroup.slots();
    int following = last < 0 ? first : last + kernels * replicaGroup.slots();
    return following < ReplicaGroup.PARTITIONS ? following : first;
  }
}
