package dev.pinion.core.difference;

import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/**
 * A change of a document, as JSON Patch (RFC 6902) has it: changes are made one after the other.
 *
 * @param kind what is done
 * @param pointer JSON pointer of the value, in the document as the changes before have left it
 * @param before the value that goes; null for an addition
 * @param after the value that comes; null for a removal
 */
public record DocumentChange(
    Kind kind, String pointer, @Nullable Payload before, @Nullable Payload after) {
  /** Kinds of changes. */
  public enum Kind {
    /** A member or item that is new. */
    ADD,
    /** A member or item that is gone. */
    REMOVE,
    /** Another value. */
    REPLACE
  }
}
