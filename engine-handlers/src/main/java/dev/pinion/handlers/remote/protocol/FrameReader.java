package dev.pinion.handlers.remote.protocol;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the CBOR values of a frame: numbers, truth values, null, text and byte strings, without
 * tags. A string that claims more bytes than follow is refused after at most 250 kB, the parser's
 * unit.
 */
final class FrameReader implements FrameInput {
  private static final int UUID_BYTES = 16;

  private final CBORParser parser;
  private final int maxTextBytes;
  private final int maxCount;

  /**
   * A reader.
   *
   * @param maxCount items that the frame can have at most: its bytes
   */
  FrameReader(CBORParser parser, int maxTextBytes, int maxCount) {
    this.parser = parser;
    this.maxTextBytes = maxTextBytes;
    this.maxCount = maxCount;
  }

  @Override
  public int u8() throws MalformedFrameException {
    return (int) number(0, 0xff);
  }

  @Override
  public boolean flag() throws MalformedFrameException {
    JsonToken token = next();
    if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
      throw expected("a truth value", token);
    }
    return token == JsonToken.VALUE_TRUE;
  }

  @Override
  public int i32() throws MalformedFrameException {
    return (int) number(Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  @Override
  public long i64() throws MalformedFrameException {
    return number(Long.MIN_VALUE, Long.MAX_VALUE);
  }

  @Override
  public UUID uuid() throws MalformedFrameException {
    byte[] bytes = blob();
    if (bytes.length != UUID_BYTES) {
      throw new MalformedFrameException(
          "expected " + UUID_BYTES + " bytes " + at() + ", found " + bytes.length);
    }
    ByteBuffer both = ByteBuffer.wrap(bytes);
    return new UUID(both.getLong(), both.getLong());
  }

  @Override
  public int count(int most) throws MalformedFrameException {
    return (int) number(0, Math.min(most, maxCount));
  }

  @Override
  public byte[] blob() throws MalformedFrameException {
    JsonToken token = next();
    if (token != JsonToken.VALUE_EMBEDDED_OBJECT) {
      throw expected("bytes", token);
    }
    byte[] blob;
    try {
      blob = parser.getBinaryValue();
    } catch (IOException e) {
      throw broken(e);
    }
    if (blob == null) { // the parser embeds a simple value of CBOR as well
      throw expected("bytes", token);
    }
    return blob;
  }

  @Override
  public String text() throws MalformedFrameException {
    return text(next());
  }

  @Override
  public @Nullable String optional() throws MalformedFrameException {
    JsonToken token = next();
    return token == JsonToken.VALUE_NULL ? null : text(token);
  }

  private String text(@Nullable JsonToken token) throws MalformedFrameException {
    if (token != JsonToken.VALUE_STRING) {
      throw expected("text", token);
    }
    String text;
    try {
      text = parser.getText();
    } catch (IOException e) {
      throw broken(e);
    }
    int bytes = Utf8Length.of(text);
    if (bytes > maxTextBytes) {
      throw new MalformedFrameException(
          "expected a text of at most " + maxTextBytes + " bytes " + at() + ", found " + bytes);
    }
    return text;
  }

  @Override
  public void end() throws MalformedFrameException {
    JsonToken token = next();
    if (token != null) {
      throw expected("the end of the frame", token);
    }
  }

  private long number(long least, long most) throws MalformedFrameException {
    JsonToken token = next();
    if (token != JsonToken.VALUE_NUMBER_INT) {
      throw expected("a number", token);
    }
    long value;
    try {
      if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) { // its digits are not shown
        throw new MalformedFrameException(
            "expected a number of at most 64 bits " + at() + ", found a larger one");
      }
      value = parser.getLongValue();
    } catch (IOException e) {
      throw broken(e);
    }
    if (value < least || value > most) {
      throw new MalformedFrameException(
          "expected a number from " + least + " to " + most + " " + at() + ", found " + value);
    }
    return value;
  }

  private @Nullable JsonToken next() throws MalformedFrameException {
    JsonToken token;
    try {
      token = parser.nextToken();
    } catch (IOException e) {
      throw broken(e);
    }
    if (token != null && !parser.getCurrentTags().isEmpty()) { // a tag may refer to earlier texts
      throw new MalformedFrameException(
          "expected a value without a tag " + at() + ", found the tag " + parser.getCurrentTag());
    }
    return token;
  }

  private MalformedFrameException expected(String what, @Nullable JsonToken found) {
    return new MalformedFrameException(
        "expected " + what + " " + at() + ", found " + (found == null ? "the end" : found));
  }

  private MalformedFrameException broken(IOException e) {
    return new MalformedFrameException(
        "expected CBOR " + at() + ", found something else: " + e.getMessage(), e);
  }

  @Override
  public String at() {
    return "at byte " + parser.currentTokenLocation().getByteOffset();
  }
}
