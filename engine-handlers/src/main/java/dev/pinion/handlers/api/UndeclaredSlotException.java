package dev.pinion.handlers.api;

import java.util.Collection;

/** A handler read a part of the message that it did not declare to read. */
public final class UndeclaredSlotException extends RuntimeException {
  UndeclaredSlotException(Slot asked, Collection<Slot> declared) {
    super(
        "expected a handler to read what it declared, "
            + declared
            + ", found it reading "
            + asked
            + "; declare that as well");
  }
}
