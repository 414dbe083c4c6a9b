package dev.pinion.core.journal.store;

import java.io.IOException;

/** The disk, or a quota on it, has no room. */
public final class NoSpaceException extends IOException {
  /**
   * No room.
   *
   * @param what what was being done, and where
   */
  public NoSpaceException(String what, Throwable cause) {
    super("expected room on the disk, found none: " + what + "; make room and try again", cause);
  }
}
