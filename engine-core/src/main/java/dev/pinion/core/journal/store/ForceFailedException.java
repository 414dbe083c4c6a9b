package dev.pinion.core.journal.store;

import java.io.IOException;

/**
 * A write or a force failed, so what is on disk is unknown. The log acknowledges nothing any more:
 * after a failed force the operating system may count lost pages as clean, and a second force would
 * succeed without writing them.
 */
public final class ForceFailedException extends IOException {
  /**
   * The first failure, or a later call after it.
   *
   * @param place the file concerned
   * @param durable the last position that is known to be on disk
   */
  public ForceFailedException(String place, long durable, Throwable cause) {
    super(
        "expected to write and force "
            + place
            + ", found: "
            + cause.getMessage()
            + "; records after position "
            + durable
            + " are unknown. End this process, check the disk, and open the log again",
        cause);
  }
}
