package dev.pinion.core.engine;

import dev.pinion.core.model.InstanceId;

/**
 * Which kernel owns which partition of the state. Immutable.
 *
 * <p>The number of partitions is fixed for the life of the state, the number of kernels is not; so
 * an instance names its partition, and this table finds the owner.
 */
final class Partitions {
  /** Number of partitions, whatever the number of kernels. */
  static final int COUNT = 64;

  private final int kernels;

  /**
   * Deals the partitions out to kernels in turn.
   *
   * @param kernels number of kernels, from 1 to {@link #COUNT}
   */
  Partitions(int kernels) {
    if (kernels < 1 || kernels > COUNT) {
      throw new IllegalArgumentException(
          "expected from 1 to " + COUNT + " kernels, found " + kernels);
    }
    this.kernels = kernels;
  }

  /** The kernel that owns a partition. */
  int owner(int partition) {
    return partition % kernels;
  }

  /** Whether some kernel owns the partition that an id names. */
  boolean owned(InstanceId id) {
    return id.partition() < COUNT;
  }

  /**
   * The partition after another one among those a kernel owns, in turn.
   *
   * @param kernel the owner
   * @param last the partition before, or a negative number for none
   */
  int next(int kernel, int last) {
    int following = last < 0 ? kernel : last + kernels;
    return following < COUNT ? following : kernel;
  }
}
