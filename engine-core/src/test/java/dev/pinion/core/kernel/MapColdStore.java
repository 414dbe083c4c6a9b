package dev.pinion.core.kernel;

import dev.pinion.core.coldstore.ColdStore;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A cold store in a map, which counts and can be full. */
public final class MapColdStore implements ColdStore {
  private final Map<Long, byte[]> kept = new HashMap<>();
  private long last;
  public boolean full;

  /** Most bytes that find room at once. */
  public int longest = Integer.MAX_VALUE;

  @Override
  public long put(byte[] bytes) {
    if (!hasRoom(bytes.length)) {
      return NO_ROOM;
    }
    kept.put(++last, bytes.clone());
    return last;
  }

  @Override
  public boolean hasRoom(int bytes) {
    return !full && bytes <= longest;
  }

  @Override
  public byte[] get(long handle) {
    return present(kept.get(handle), handle).clone();
  }

  @Override
  public void free(long handle) {
    present(kept.remove(handle), handle);
  }

  private static byte[] present(byte @Nullable [] bytes, long handle) {
    if (bytes == null) {
      throw new IllegalArgumentException("expected a handle in use, found " + handle);
    }
    return bytes;
  }

  @Override
  public long usedBytes() {
    return kept.values().stream().mapToLong(bytes -> bytes.length).sum();
  }

  @Override
  public long freeBytes() {
    return full ? 0 : Long.MAX_VALUE;
  }
}
