package dev.pinion.handlers.remote.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Verdict;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Each bound of a frame, at its edge and one beyond. */
class FrameLimitsTest {
  private static final UUID REQUESTER = new UUID(1, 2);
  private static final UUID HOST = new UUID(3, 4);
  private static final int MAX_TEXT_BYTES = 256;

  private final EngineLimits engine = EngineLimits.defaults();
  private final FrameCodec wide = new FrameCodec(engine, RemoteLimits.DEFAULTS);
  private final FrameCodec bounded =
      new FrameCodec(
          engine, new RemoteLimits(1, 1_024, 1, 1, 1 << 20, MAX_TEXT_BYTES, 2, 1, 1, 1_024, 1, 0));

  private void assertRead(Frame frame) throws Exception {
    assertEquals(frame, bounded.read(wide.write(frame)));
  }

  private void assertRefused(byte[] frame, String expected, String found) {
    String refusal =
        assertThrows(MalformedFrameException.class, () -> bounded.read(frame)).toString();
    assertTrue(refusal.contains("expected " + expected), refusal);
    assertTrue(refusal.contains("found " + found), refusal);
  }

  @Test
  void shouldBoundTexts() throws Exception {
    assertRead(new Frame.Claim(REQUESTER, 1, "k".repeat(256), ""));
    assertRead(new Frame.Claim(REQUESTER, 1, "\u00e4".repeat(128), ""));
    assertRead(new Frame.Claim(REQUESTER, 1, "\ud83d\ude00".repeat(64), ""));

    for (String beyond : new String[] {"k".repeat(257), "k" + "\u00e4".repeat(128)}) {
      byte[] frame = wide.write(new Frame.Claim(REQUESTER, 1, beyond, ""));
      assertThrows(MalformedFrameException.class, () -> bounded.read(frame));
    }
    byte[] wideUnits = wide.write(new Frame.Claim(REQUESTER, 1, "\u20ac".repeat(86), ""));
    assertRefused(wideUnits, "a text of at most 256 bytes", "258");
  }

  @Test
  void shouldBoundChanges() throws Exception {
    Changes two = Changes.NONE.property("a", "").withoutProperty("b");
    assertEquals(done(two), bounded.read(bounded.write(done(two))));

    Frame three = done(two.property("c", ""));
    assertThrows(MalformedFrameException.class, () -> bounded.write(three));
    assertRefused(wide.write(three), "a number from 0 to 2", "3");
  }

  private static Frame done(Changes changes) {
    return new Frame.Done(REQUESTER, 1, HOST, 0, Verdict.goOn(changes));
  }

  @Test
  void shouldBoundProperties() throws Exception {
    int most = engine.handlers().maxProperties();
    assertRead(answer(most));
    assertRefused(wide.write(answer(most + 1)), "a number from 0 to " + most, "" + (most + 1));
  }

  private static Frame answer(int properties) {
    Map<String, String> headers = new TreeMap<>();
    for (int i = 0; i < properties; i++) {
      headers.put("h" + i, "");
    }
    return new Frame.Done(REQUESTER, 1, HOST, 0, Verdict.Answer.of(200, headers, Body.EMPTY));
  }

  @Test
  void shouldBoundPaths() throws Exception {
    int most = engine.json().maxDepth();
    assertRead(done(Changes.NONE.withoutJson("/a".repeat(most))));
    byte[] beyond = wide.write(done(Changes.NONE.withoutJson("/a".repeat(most + 1))));
    assertRefused(beyond, "a number from 0 to " + most, "" + (most + 1));
  }

  @Test
  void shouldBoundLostHosts() throws Exception {
    int most = RemoteLimits.MOST_LOST_HOSTS;
    assertRead(run(most));
    assertRefused(wide.write(run(most + 1)), "a number from 0 to " + most, "" + (most + 1));
  }

  private static Frame run(int lost) {
    return new Frame.Run(
        REQUESTER, 1, 1, Collections.nCopies(lost, HOST), 1, FrameCodecTest.task(Body.EMPTY));
  }

  @Test
  void shouldRefuseOtherValuesOfCbor() throws Exception {
    assertRefused(claim(CBORGenerator::writeStartArray), "text at byte 32", "START_ARRAY");
    assertRefused(claim(CBORGenerator::writeStartObject), "text at byte 32", "START_OBJECT");
    assertRefused(claim(out -> out.writeNumber(1)), "text at byte 32", "VALUE_NUMBER_INT");
    assertRefused(claim(CBORGenerator::writeNull), "text at byte 32", "VALUE_NULL");
    assertRefused(claim(out -> {}), "text at byte 32", "the end");
    assertRefused(
        claim(
            out -> {
              out.writeString("k");
              out.writeString("");
              out.writeNull();
            }),
        "the end of the frame at byte 35",
        "VALUE_NULL");
    assertRefused(beat(out -> out.writeNumber(1)), "a truth value", "VALUE_NUMBER_INT");
    assertRefused(beat(JsonGenerator::writeNull), "a truth value", "VALUE_NULL");
  }

  @Test
  void shouldRefuseTags() {
    // A time and a namespace of references to texts.
    byte[] time = content(7, new byte[] {(byte) 0xc1, 0x50});
    assertRefused(time, "a value without a tag at byte 32", "the tag 1");
    byte[] names = content(1, new byte[] {(byte) 0xd9, 1, 0, 0x61, 'k', 0x60});
    assertRefused(names, "a value without a tag at byte 32", "the tag 256");
  }

  @Test
  void shouldRefuseLargeNumbers() {
    byte[] bignum = {(byte) 0xc2, 0x41, 1};
    assertRefused(content(3, bignum), "a number of at most 64 bits", "a larger one");
    byte[] huge = new byte[1 << 19];
    ByteBuffer.wrap(huge).put((byte) 0xc2).put((byte) 0x5a).putInt(huge.length - 6).put((byte) 9);
    assertRefused(content(3, huge), "CBOR at byte 32", "something else: Number value length");
    byte[] unsigned = ByteBuffer.allocate(9).put((byte) 0x1b).putLong(-1).array();
    assertRefused(content(3, unsigned), "a number of at most 64 bits", "a larger one");
    byte[] beyond = ByteBuffer.allocate(9).put((byte) 0x1b).putLong(1L << 31).array();
    assertRefused(content(3, beyond), "a number from -2147483648 to 2147483647", "2147483648");
  }

  @Test
  void shouldReadOrRefuseEveryFirstByte() {
    for (int kind = 0; kind <= 8; kind++) {
      for (int first = 0; first < 256; first++) {
        for (int length = 1; length <= 10; length++) {
          byte[] values = new byte[length];
          values[0] = (byte) first;
          byte[] frame = content(kind, values);
          try {
            assertEquals(bounded.read(frame), bounded.read(frame));
          } catch (MalformedFrameException e) {
            assertTrue(e.toString().contains(": expected "), e.toString());
          }
        }
      }
    }
  }

  @Test
  void shouldRefuseLengthsBeyondTheFrame() throws Exception {
    // A byte string, a text and a number of items that claim 2 GiB.
    byte[] bytes = content(7, new byte[] {0x5a, 0x7f, -1, -1, -1, 0});
    assertThrows(MalformedFrameException.class, () -> bounded.read(bytes));
    byte[] text = content(1, new byte[] {0x7a, 0x7f, -1, -1, -1, 'k'});
    assertThrows(MalformedFrameException.class, () -> bounded.read(text));
    byte[] count = content(3, new byte[] {1, 0x1a, 0x7f, -1, -1, -1, 0});
    assertRefused(count, "a number from 0 to 39", "2147483647");
  }

  @Test
  void shouldRefuseHalfACharacter() {
    for (String half : new String[] {"\ud800", "\udc00", "\ud800x", "\udc00\ud800"}) {
      Frame frame = new Frame.Claim(REQUESTER, 1, half, "");
      String refusal =
          assertThrows(MalformedFrameException.class, () -> wide.write(frame)).toString();
      assertTrue(refusal.contains("found half a character"), refusal);
    }
    byte[] text = content(1, new byte[] {0x63, (byte) 0xed, (byte) 0xa0, (byte) 0x80, 0x60});
    assertThrows(MalformedFrameException.class, () -> bounded.read(text));
  }

  private interface Writing {
    void to(CBORGenerator out) throws IOException;
  }

  private static byte[] claim(Writing writing) throws IOException {
    return content(1, cbor(writing));
  }

  private static byte[] beat(Writing writing) throws IOException {
    return content(
        7,
        cbor(
            out -> {
              out.writeBinary(new byte[16]);
              writing.to(out);
            }));
  }

  private static byte[] cbor(Writing writing) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CBORGenerator out = new CBORFactory().createGenerator(bytes);
    writing.to(out);
    out.flush();
    return bytes.toByteArray();
  }

  private static byte[] content(int kind, byte[] content) {
    int length = FrameCodec.HEADER_BYTES + content.length;
    return ByteBuffer.allocate(length)
        .put((byte) 'P')
        .put((byte) 'H')
        .put((byte) FrameCodec.VERSION)
        .put((byte) kind)
        .putInt(length)
        .putLong(1)
        .putLong(2)
        .putLong(7)
        .put(content)
        .array();
  }
}
