package dev.pinion.core.engine;

import dev.pinion.core.peer.Neighbourhood;

/**
 * Which kernel of this replica owns which partition of the state. Immutable.
 *
 * <p>The number of partitions is fixed for the life of the state, the numbers of replicas and of
 * kernels are not; so an instance names its partition, and this table finds the owner. The replica
 * in slot {@code s} of {@code n} owns the partitions {@code s, s + n, s + 2n …} and deals them out
 * to its kernels in turn.
 */
final class Partitions {
  private final Neighbourhood neighbourhood;
  private final int kernels;

  /**
   * Deals the partitions of a replica out to its kernels.
   *
   * @param kernels number of kernels, from 1 to the number of partitions of a replica
   */
  Partitions(Neighbourhood neighbourhood, int kernels) {
    int most = Neighbourhood.PARTITIONS / neighbourhood.slots();
    if (kernels < 1 || kernels > most) {
      throw new IllegalArgumentException(
          "expected from 1 to "
              + most
              + " kernels in each of "
              + neighbourhood.slots()
              + " replicas, found "
              + kernels);
    }
    this.neighbourhood = neighbourhood;
    this.kernels = kernels;
  }

  /** How many kernels this replica has. */
  int kernels() {
    return kernels;
  }

  /** Whether a partition belongs to this replica. */
  boolean isOurs(int partition) {
    return neighbourhood.owner(partition) == neighbourhood.slot();
  }

  /** The kernel that owns a partition of this replica. */
  int owner(int partition) {
    return partition / neighbourhood.slots() % kernels;
  }

  /**
   * The partition after another one among those a kernel owns, in turn.
   *
   * @param kernel the owner
   * @param last the partition before, or a negative number for none
   */
  int next(int kernel, int last) {
    int first = neighbourhood.slot() + kernel * neighbourhood.slots();
    int following = last < 0 ? first : last + kernels * neighbourhood.slots();
    return following < Neighbourhood.PARTITIONS ? following : first;
  }
}
