package dev.pinion.core.journal.disk;

import java.io.IOException;

/** Tells a shortage of the operating system from other failures of files. */
final class StorageFailures {
  private StorageFailures() {}

  /** The failure, as a shortage when it is one: the JDK reports it only in the message. */
  static IOException classified(String what, IOException failure) {
    String message = String.valueOf(failure.getMessage());
    if (message.contains("No space left on device") || message.contains("quota exceeded")) {
      return new NoSpaceException(what, failure);
    }
    return message.contains("Too many open files")
        ? new TooManyOpenFilesException(what, failure)
        : failure;
  }
}
