package dev.pinion.core.kernel.step.memory;

import dev.pinion.core.coldstore.ColdStore;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The values of an instance as bytes.
 *
 * @param onHeap the bytes, or null when they are in the cold store
 * @param handle handle in the cold store
 * @param treeBytes heap bytes of the values as trees
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, read by one thread
public record PackedValues(byte @Nullable [] onHeap, long handle, long treeBytes) {
  /** Puts bytes into the cold store, or leaves them on the heap when that has no room. */
  public static PackedValues of(byte[] bytes, long treeBytes, ColdStore cold) {
    long handle = cold.put(bytes);
    return new PackedValues(handle == ColdStore.NO_ROOM ? bytes : null, handle, treeBytes);
  }

  /** Whether the cold store had no room. */
  public boolean isOnHeap() {
    return onHeap != null;
  }

  /** Heap bytes saved by the packing. */
  public long savedBytes() {
    return Math.max(0, treeBytes - (onHeap == null ? 0 : onHeap.length));
  }

  /** The bytes. Not to be modified. */
  public byte[] bytes(ColdStore cold) {
    return onHeap == null ? cold.get(handle) : onHeap;
  }

  /** A copy in the cold store, if that has room now. */
  public PackedValues movedTo(ColdStore cold) {
    return of(Objects.requireNonNull(onHeap), treeBytes, cold);
  }

  /** Frees their place in the cold store. */
  public void free(ColdStore cold) {
    if (onHeap == null) {
      cold.free(handle);
    }
  }
}
