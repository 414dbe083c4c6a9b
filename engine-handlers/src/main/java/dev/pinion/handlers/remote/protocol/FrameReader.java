package dev.pinion.handlers.remote.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the parts of an untrusted frame; makes nothing larger than the frame. */
final class FrameReader {
  private final ByteBuffer bytes;
  private final int maxTextBytes;

  FrameReader(byte[] frame, int maxTextBytes) {
    this.bytes = ByteBuffer.wrap(frame);
    this.maxTextBytes = maxTextBytes;
  }

  int u8() throws MalformedFrameException {
    need(1);
    return Byte.toUnsignedInt(bytes.get());
  }

  /** One of the constants of an enum, by its place. */
  <E extends Enum<E>> E constant(List<E> all) throws MalformedFrameException {
    int place = u8();
    if (place >= all.size()) {
      throw new MalformedFrameException(
          "expected a number below " + all.size() + " " + at() + ", found " + place);
    }
    return all.get(place);
  }

  boolean flag() throws MalformedFrameException {
    int value = u8();
    if (value > 1) {
      throw new MalformedFrameException("expected 0 or 1 " + at() + ", found " + value);
    }
    return value == 1;
  }

  int i32() throws MalformedFrameException {
    need(Integer.BYTES);
    return bytes.getInt();
  }

  long i64() throws MalformedFrameException {
    need(Long.BYTES);
    return bytes.getLong();
  }

  UUID uuid() throws MalformedFrameException {
    return new UUID(i64(), i64());
  }

  List<UUID> uuids(int most) throws MalformedFrameException {
    int count = count(most);
    List<UUID> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(uuid());
    }
    return all;
  }

  /** Number of the items that follow, each of at least one byte. */
  int count(int most) throws MalformedFrameException {
    int count = i32();
    if (count < 0 || count > most || count > bytes.remaining()) {
      throw new MalformedFrameException(
          "expected a number from 0 to "
              + Math.min(most, bytes.remaining())
              + " "
              + at()
              + ", found "
              + count);
    }
    return count;
  }

  byte[] blob() throws MalformedFrameException {
    byte[] blob = new byte[count(Integer.MAX_VALUE)];
    bytes.get(blob);
    return blob;
  }

  String text() throws MalformedFrameException {
    int length = count(maxTextBytes);
    ByteBuffer encoded = bytes.slice(bytes.position(), length);
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(encoded).toString();
      bytes.position(bytes.position() + length);
      return text;
    } catch (CharacterCodingException e) {
      throw new MalformedFrameException("expected UTF-8 " + at() + ", found something else", e);
    }
  }

  @Nullable String optional() throws MalformedFrameException {
    return flag() ? text() : null;
  }

  void end() throws MalformedFrameException {
    if (bytes.hasRemaining()) {
      throw new MalformedFrameException(
          "expected the end of the frame " + at() + ", found " + bytes.remaining() + " bytes more");
    }
  }

  private void need(int count) throws MalformedFrameException {
    if (bytes.remaining() < count) {
      throw new MalformedFrameException(
          "expected " + count + " bytes " + at() + ", found " + bytes.remaining());
    }
  }

  private String at() {
    return "at byte " + bytes.position();
  }
}
