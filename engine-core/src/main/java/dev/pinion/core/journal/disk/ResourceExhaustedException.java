package dev.pinion.core.journal.disk;

import java.io.IOException;

/** A shortage of the operating system, which changed nothing: the operation may succeed later. */
public abstract class ResourceExhaustedException extends IOException {
  ResourceExhaustedException(String message, Throwable cause) {
    super(message, cause);
  }
}
