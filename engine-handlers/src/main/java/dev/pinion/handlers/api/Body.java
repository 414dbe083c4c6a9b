package dev.pinion.handlers.api;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.model.Payload;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Content of a message: bytes of a media type, or a JSON value. Each form is made from the other at
 * its first use, once.
 *
 * <p>Immutable by contract, so that bodies cross threads without copying: the array of a body is
 * never written again, neither by the code that made the body nor by code that got it from {@link
 * #bytes}.
 */
public final class Body {
  /** The media type of JSON values. */
  public static final String JSON = "application/json";

  /** No body. */
  public static final Body EMPTY = new Body(new byte[0], null, "");

  // Benign races: each thread makes equal ones.
  private byte @Nullable [] bytes;
  private @Nullable Payload json;
  private final boolean raw;
  private final String mediaType;

  private Body(byte @Nullable [] bytes, @Nullable Payload json, String mediaType) {
    this.bytes = bytes;
    this.json = json;
    this.raw = bytes != null;
    this.mediaType = mediaType;
  }

  /**
   * A body of bytes.
   *
   * @param mediaType such as {@code application/xml}; empty when it is not known
   */
  public static Body of(byte[] bytes, String mediaType) {
    return bytes.length == 0 && mediaType.isEmpty() ? EMPTY : new Body(bytes, null, mediaType);
  }

  /** A body that is a JSON value, of media type {@link #JSON}. */
  public static Body of(Payload json) {
    return new Body(null, json, JSON);
  }

  /**
   * A body that is a JSON value of another media type, such as {@code application/problem+json}.
   */
  public static Body of(Payload json, String mediaType) {
    return new Body(null, json, mediaType);
  }

  /** A body with another JSON value, of the same media type when that is one of JSON. */
  Body with(Payload value) {
    return new Body(null, value, mediaType.contains("json") ? mediaType : JSON);
  }

  /** Whether this body was made from bytes. */
  public boolean isRaw() {
    return raw;
  }

  /** The media type, as in a {@code Content-Type} field; empty when it is not known. */
  public String mediaType() {
    return mediaType;
  }

  /** Number of bytes; of a JSON value an estimate ({@link Payload#weight}). */
  public int size() {
    byte[] known = bytes;
    return known != null ? known.length : value().weight();
  }

  /** Estimated heap of its current forms, as bytes and as a JSON value. */
  long heapBytes() {
    byte[] read = bytes;
    Payload value = json;
    return (read == null ? 0L : read.length) + (value == null ? 0L : value.heapBytes());
  }

  /** The body as bytes; not to be written to. */
  public byte[] bytes(PayloadCodec codec) {
    byte[] known = bytes;
    if (known == null) {
      known = codec.toBytes(value());
      bytes = known;
    }
    return known;
  }

  /**
   * The body as JSON value.
   *
   * @throws PayloadSyntaxException when the bytes are no JSON, or beyond the codec's limits
   */
  public Payload json(PayloadCodec codec) throws PayloadSyntaxException {
    Payload known = json;
    if (known == null) {
      byte[] read = bytes(codec);
      known = codec.readBounded(read, 0, read.length);
      json = known;
    }
    return known;
  }

  private Payload value() {
    return Objects.requireNonNull(json);
  }

  /** Whether the other was made from the same bytes or value, and has the same media type. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Body body
        && raw == body.raw
        && mediaType.equals(body.mediaType)
        && (raw ? Arrays.equals(bytes, body.bytes) : value().equals(body.value()));
  }

  @Override
  public int hashCode() {
    return raw ? Arrays.hashCode(bytes) : value().hashCode();
  }

  /** Media type and size; never the content. */
  @Override
  public String toString() {
    return (mediaType.isEmpty() ? "body" : mediaType) + " of " + size() + " B";
  }
}
