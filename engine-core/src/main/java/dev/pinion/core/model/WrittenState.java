package dev.pinion.core.model;

import java.util.Arrays;

/**
 * The state of an instance as a kernel wrote it down. Immutable; equal to one of the same bytes.
 */
public final class WrittenState {
  private final byte[] bytes;

  /**
   * A state.
   *
   * @param bytes what was written, which the caller gives away
   */
  public WrittenState(byte[] bytes) {
    this.bytes = bytes;
  }

  /** What was written; not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  /** Number of bytes. */
  public int size() {
    return bytes.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WrittenState state && Arrays.equals(bytes, state.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "a state of " + bytes.length + " bytes";
  }
}
