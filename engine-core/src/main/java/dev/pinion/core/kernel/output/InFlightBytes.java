package dev.pinion.core.kernel.output;

import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.InstanceId;
import java.util.HashMap;
import java.util.Map;

/** Counted heap bytes of large calls and evaluations outside the kernel. */
public final class InFlightBytes {
  private final HeapAccount heap;
  private final Map<InFlightKey, Long> counted = new HashMap<>();

  private record InFlightKey(InstanceId id, int attempt) {}

  /** None are in flight. */
  public InFlightBytes(HeapAccount heap) {
    this.heap = heap;
  }

  /** Charges the heap for a call or an evaluation that leaves. */
  public void charge(InstanceId id, int attempt, long bytes) {
    long reserved = heap.reserve(bytes);
    if (reserved > 0) {
      Long before = counted.put(new InFlightKey(id, attempt), reserved);
      if (before != null) { // abandoned before the instance was retried, and not reported yet
        heap.release(before);
      }
    }
  }

  /** Ends the charge for a call or an evaluation, if there is one. */
  public void release(InstanceId id, int attempt) {
    Long reserved = counted.isEmpty() ? null : counted.remove(new InFlightKey(id, attempt));
    if (reserved != null) {
      heap.release(reserved);
    }
  }
}
