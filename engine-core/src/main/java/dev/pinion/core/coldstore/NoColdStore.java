package dev.pinion.core.coldstore;

/** A store without any room. */
final class NoColdStore implements ColdStore {
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
}
