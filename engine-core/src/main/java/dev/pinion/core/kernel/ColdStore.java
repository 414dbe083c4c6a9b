package dev.pinion.core.kernel;

/**
 * Keeps bytes that are seldom needed off the heap. Nothing outlives the process: the journal is the
 * truth.
 *
 * <p>Belongs to one kernel and is called by its thread only. Never waits for room: who finds none
 * keeps the bytes on the heap and may try again later.
 */
public interface ColdStore {
  /** The answer of {@link #put} that found no room. */
  long NO_ROOM = -1;

  /** A store that never has room. */
  ColdStore NONE = new NoColdStore();

  /**
   * Keeps a copy of bytes.
   *
   * @return the handle under which {@link #get} finds them until {@link #free}, at least 0; or
   *     {@link #NO_ROOM}
   */
  long put(byte[] bytes);

  /**
   * Whether {@link #put} would take so many bytes now. Where not, more room is asked for as by it.
   */
  boolean hasRoom(int bytes);

  /**
   * A copy of what was put.
   *
   * @throws IllegalArgumentException when the handle was never given
   */
  byte[] get(long handle);

  /** Gives the room back. The handle is not to be used any more. */
  void free(long handle);

  /** Bytes that are kept, with what the store adds to them. */
  long usedBytes();

  /** Bytes that {@link #put} would surely take now, one after the other. */
  long freeBytes();
}
