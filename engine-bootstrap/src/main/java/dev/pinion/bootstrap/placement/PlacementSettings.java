package dev.pinion.bootstrap.placement;

import org.jspecify.annotations.Nullable;

/**
 * What a plan may be asked for.
 *
 * @param replicas number of replicas, or null for one per affinity group
 * @param layout event loops of each replica, or null for one fused loop per critical CPU
 * @param heapBytes heap of all replicas together, or null for a quarter of the memory allowed
 * @param spin whether event loops wait by spinning, which needs a CPU for each of them
 */
public record PlacementSettings(
    @Nullable Integer replicas, @Nullable Layout layout, @Nullable Long heapBytes, boolean spin) {
  /** Nothing asked for. */
  public static final PlacementSettings AUTO = new PlacementSettings(null, null, null, false);

  /** Most replicas that can be asked for. */
  public static final int MAX_REPLICAS = 1_024;

  /** Checks the number of replicas. */
  public PlacementSettings {
    if (replicas != null && (replicas < 1 || replicas > MAX_REPLICAS)) {
      throw new IllegalArgumentException(
          "expected 1 to " + MAX_REPLICAS + " replicas, found " + replicas);
    }
  }
}
