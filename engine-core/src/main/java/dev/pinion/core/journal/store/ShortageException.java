package dev.pinion.core.journal.store;

import java.io.IOException;

/**
 * The operating system was short of something and changed nothing: what was asked for may succeed
 * later.
 */
public abstract sealed class ShortageException extends IOException
    permits NoSpaceException, NoDescriptorException {
  ShortageException(String message, Throwable cause) {
    super(message, cause);
  }
}
