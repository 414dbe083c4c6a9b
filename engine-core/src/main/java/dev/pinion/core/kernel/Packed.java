package dev.pinion.core.kernel;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The values of an instance as bytes.
 *
 * @param onHeap the bytes, or null when they are in the cold store
 * @param handle where they are in the cold store
 * @param treeBytes what they took of the heap as trees
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, read by one thread
record Packed(byte @Nullable [] onHeap, long handle, long treeBytes) {
  /** Bytes in the cold store, or on the heap where that has no room. */
  static Packed of(byte[] bytes, long treeBytes, ColdStore cold) {
    long handle = cold.put(bytes);
    return new Packed(handle == ColdStore.NO_ROOM ? bytes : null, handle, treeBytes);
  }

  boolean isOnHeap() {
    return onHeap != null;
  }

  /** How much of the heap is free because of the packing. */
  long savedBytes() {
    return Math.max(0, treeBytes - (onHeap == null ? 0 : onHeap.length));
  }

  byte[] bytes(ColdStore cold) {
    return onHeap == null ? cold.get(handle) : onHeap;
  }

  /** The same in the cold store, if that has room now. */
  Packed movedTo(ColdStore cold) {
    return of(Objects.requireNonNull(onHeap), treeBytes, cold);
  }

  void free(ColdStore cold) {
    if (onHeap == null) {
      cold.free(handle);
    }
  }
}
