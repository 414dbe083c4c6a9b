package dev.pinion.core.coldstore;

/**
 * Off-heap store of bytes that are seldom needed. Nothing outlives the process: the journal is the
 * truth.
 *
 * <p>Belongs to one kernel; only its thread calls it. Never waits for room: without room the caller
 * keeps the bytes on the heap and may try again later.
 */
public interface ColdStore {
  /** Result of {@link #put} when there is no room. */
  long NO_ROOM = -1;

  /** A store that never has room. */
  ColdStore NONE =
      new ColdStore() {
        @Override
        public long put(byte[] bytes) {
          return NO_ROOM;
        }

        @Override
        public boolean hasRoom(int bytes) {
          return false;
        }

        @Override
        public byte[] get(long handle) {
          throw new IllegalArgumentException(
              "expected a handle of a store with room, found " + handle + " of one that has none");
        }

        @Override
        public void free(long handle) {
          get(handle);
        }

        @Override
        public long usedBytes() {
          return 0;
        }

        @Override
        public long freeBytes() {
          return 0;
        }
      };

  /**
   * Stores a copy of bytes.
   *
   * @return the handle under which {@link #get} finds them until {@link #free}, at least 0; or
   *     {@link #NO_ROOM}
   */
  long put(byte[] bytes);

  /**
   * Whether {@link #put} would accept so many bytes now. If not, requests more room as {@link #put}
   * does.
   */
  boolean hasRoom(int bytes);

  /**
   * A copy of stored bytes.
   *
   * @throws IllegalArgumentException when the handle was never issued
   */
  byte[] get(long handle);

  /** Frees the room. The handle becomes invalid. */
  void free(long handle);

  /** Bytes in use, including the store's overhead. */
  long usedBytes();

  /** Bytes that {@link #put} would certainly accept now, one after the other. */
  long freeBytes();
}
