package dev.pinion.core.model.instance;

import java.util.Arrays;

/** Serialized state of an instance. Immutable; equal to one of the same bytes. */
public final class SerializedInstance {
  private final byte[] bytes;

  /**
   * A state.
   *
   * @param bytes bytes that a kernel wrote; the caller must not change them any more
   */
  public SerializedInstance(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The bytes; not to be modified. */
  public byte[] bytes() {
    return bytes;
  }

  /** Number of bytes. */
  public int size() {
    return bytes.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SerializedInstance state && Arrays.equals(bytes, state.bytes);
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
