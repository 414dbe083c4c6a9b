package dev.pinion.core.kernel.step;

/** Ratio of the heap bytes of an instance's values to their charged weight. */
final class HeapRatio {
  private long weight;
  private long heap;

  private HeapRatio() {}

  static double of(Instance instance) {
    HeapRatio ratio = new HeapRatio();
    InstanceValues.forEachWeighed(
        instance,
        value -> {
          ratio.weight += value.weight();
          ratio.heap += value.heapBytes();
        });
    return ratio.weight == 0 ? 1 : (double) ratio.heap / ratio.weight;
  }
}
