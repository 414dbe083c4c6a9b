package dev.pinion.bootstrap.placement;

import org.jspecify.annotations.Nullable;

/**
 * What a plan may be asked for. Made from {@link #AUTO} by the {@code with} methods.
 *
 * @param replicas how many replicas and on which CPUs
 * @param layout event loops of each replica, or null for one fused loop per critical CPU
 * @param heapBytes heap of all replicas together, or null for a quarter of the memory allowed
 * @param waiting what idle event loops and workers of handlers do, or null to leave that to the
 *     plan
 * @param pinning how finely threads are assigned to CPUs
 * @param systemCpus CPUs left to the system, or null for one where four or more are allowed
 */
public record PlacementSettings(
    ReplicaPolicy replicas,
    @Nullable Layout layout,
    @Nullable Long heapBytes,
    @Nullable Waiting waiting,
    Pinning pinning,
    @Nullable Integer systemCpus) {
  /** Nothing asked for. */
  public static final PlacementSettings AUTO =
      new PlacementSettings(new ReplicaPolicy.Auto(), null, null, null, Pinning.THREADS, null);

  /** With other replicas. */
  public PlacementSettings withReplicas(ReplicaPolicy value) {
    return new PlacementSettings(value, layout, heapBytes, waiting, pinning, systemCpus);
  }

  /** With replicas as {@link ReplicaPolicy#parse} reads them. */
  public PlacementSettings withReplicas(String value) {
    return withReplicas(ReplicaPolicy.parse(value));
  }

  /** With another layout. */
  public PlacementSettings withLayout(@Nullable Layout value) {
    return new PlacementSettings(replicas, value, heapBytes, waiting, pinning, systemCpus);
  }

  /** With another heap. */
  public PlacementSettings withHeapBytes(@Nullable Long value) {
    return new PlacementSettings(replicas, layout, value, waiting, pinning, systemCpus);
  }

  /** Waiting differently. */
  public PlacementSettings withWaiting(@Nullable Waiting value) {
    return new PlacementSettings(replicas, layout, heapBytes, value, pinning, systemCpus);
  }

  /** With another grain. */
  public PlacementSettings withPinning(Pinning value) {
    return new PlacementSettings(replicas, layout, heapBytes, waiting, value, systemCpus);
  }

  /** With other CPUs for the system. */
  public PlacementSettings withSystemCpus(@Nullable Integer value) {
    return new PlacementSettings(replicas, layout, heapBytes, waiting, pinning, value);
  }
}
