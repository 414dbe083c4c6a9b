package dev.pinion.bootstrap.placement;

import dev.pinion.core.settings.StageLayout;
import org.jspecify.annotations.Nullable;

/**
 * A request for a plan. Built from {@link #AUTO} by the {@code with} methods.
 *
 * @param replicas number of replicas and their CPUs
 * @param layout event loops of each replica, or null for one fused loop per critical CPU
 * @param heapBytes heap of all replicas together, or null for a quarter of the memory allowed
 * @param waiting behaviour of idle event loops and workers of handlers, or null to leave that to
 *     the plan
 * @param pinning granularity of the assignment of threads to CPUs
 * @param systemCpus CPUs left to the system, or null for one where four or more are allowed
 */
public record PlacementSettings(
    ReplicaPolicy replicas,
    @Nullable StageLayout layout,
    @Nullable Long heapBytes,
    @Nullable IdleStrategies waiting,
    Pinning pinning,
    @Nullable Integer systemCpus) {
  /** The request without any wishes. */
  public static final PlacementSettings AUTO =
      new PlacementSettings(new ReplicaPolicy.Auto(), null, null, null, Pinning.THREADS, null);

  /** This request with other replicas. */
  public PlacementSettings withReplicas(ReplicaPolicy value) {
    return new PlacementSettings(value, layout, heapBytes, waiting, pinning, systemCpus);
  }

  /** This request with replicas in the format of {@link ReplicaPolicy#parse}. */
  public PlacementSettings withReplicas(String value) {
    return withReplicas(ReplicaPolicy.parse(value));
  }

  /** This request with another layout. */
  public PlacementSettings withLayout(@Nullable StageLayout value) {
    return new PlacementSettings(replicas, value, heapBytes, waiting, pinning, systemCpus);
  }

  /** This request with another heap. */
  public PlacementSettings withHeapBytes(@Nullable Long value) {
    return new PlacementSettings(replicas, layout, value, waiting, pinning, systemCpus);
  }

  /** This request with another way of waiting. */
  public PlacementSettings withWaiting(@Nullable IdleStrategies value) {
    return new PlacementSettings(replicas, layout, heapBytes, value, pinning, systemCpus);
  }

  /** This request with another granularity. */
  public PlacementSettings withPinning(Pinning value) {
    return new PlacementSettings(replicas, layout, heapBytes, waiting, value, systemCpus);
  }

  /** This request with another number of CPUs for the system. */
  public PlacementSettings withSystemCpus(@Nullable Integer value) {
    return new PlacementSettings(replicas, layout, heapBytes, waiting, pinning, value);
  }
}
