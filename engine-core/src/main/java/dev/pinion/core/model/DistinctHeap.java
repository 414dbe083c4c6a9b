package dev.pinion.core.model;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Heap bytes of several values together; shared parts count once. */
public final class DistinctHeap {
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private long bytes;

  /** Adds a value. */
  public void add(Payload value) {
    if (seen.add(value.json())) {
      bytes += value.heapBytes();
    }
  }

  /** Bytes of the heap. */
  public long bytes() {
    return bytes;
  }
}
