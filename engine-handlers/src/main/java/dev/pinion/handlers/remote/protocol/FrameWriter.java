package dev.pinion.handlers.remote.protocol;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes the values of a frame, one after the other, as CBOR. */
final class FrameWriter {
  private final JsonGenerator out;

  FrameWriter(JsonGenerator out) {
    this.out = out;
  }

  FrameWriter number(long value) throws IOException {
    out.writeNumber(value);
    return this;
  }

  /** One of some constants, by its position. */
  <E extends Enum<E>> FrameWriter constant(E value, List<E> all) throws IOException {
    return number(all.indexOf(value));
  }

  FrameWriter flag(boolean value) throws IOException {
    out.writeBoolean(value);
    return this;
  }

  FrameWriter uuid(UUID value) throws IOException {
    ByteBuffer both = ByteBuffer.allocate(2 * Long.BYTES);
    both.putLong(value.getMostSignificantBits()).putLong(value.getLeastSignificantBits());
    return blob(both.array());
  }

  FrameWriter uuids(List<UUID> values) throws IOException {
    number(values.size());
    for (UUID value : values) {
      uuid(value);
    }
    return this;
  }

  FrameWriter blob(byte[] value) throws IOException {
    out.writeBinary(value);
    return this;
  }

  /**
   * A text, without loss.
   *
   * @throws MalformedFrameException when it holds half of a surrogate pair, which UTF-8 does not
   *     allow
   */
  FrameWriter text(String value) throws IOException, MalformedFrameException {
    Utf8Length.of(value);
    out.writeString(value);
    return this;
  }

  FrameWriter optional(@Nullable String value) throws IOException, MalformedFrameException {
    if (value == null) {
      out.writeNull();
      return this;
    }
    return text(value);
  }
}
