package dev.pinion.core.model;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** What several values take of the heap together: one that is among them twice counts once. */
public final class DistinctHeap {
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private long bytes;

  /** Takes a value among them. */
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
