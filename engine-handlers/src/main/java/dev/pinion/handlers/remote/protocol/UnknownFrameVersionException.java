package dev.pinion.handlers.remote.protocol;

import java.util.UUID;

/** A frame of an unknown version; its sender can be notified nevertheless. */
public final class UnknownFrameVersionException extends MalformedFrameException {
  private final transient UUID requester;
  private final long attempt;

  UnknownFrameVersionException(int expected, int version, UUID requester, long attempt) {
    super(
        "expected a frame of version "
            + expected
            + ", found version "
            + version
            + "; run the same release of Pinion on both sides");
    this.requester = requester;
    this.attempt = attempt;
  }

  public UUID requester() {
    return requester;
  }

  public long attempt() {
    return attempt;
  }
}
