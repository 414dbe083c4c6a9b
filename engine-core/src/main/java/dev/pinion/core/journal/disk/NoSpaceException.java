package dev.pinion.core.journal.disk;

/** The disk, or a quota on it, has no room. */
public final class NoSpaceException extends ResourceExhaustedException {
  /**
   * No room.
   *
   * @param what attempted operation and place
   */
  public NoSpaceException(String what, Throwable cause) {
    super("expected room on the disk, found none: " + what + "; make room and try again", cause);
  }
}
