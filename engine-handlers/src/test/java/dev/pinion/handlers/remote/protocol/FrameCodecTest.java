package dev.pinion.handlers.remote.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Verdict;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Frames are read as written; anything else is refused, and never costs more than its bytes. */
class FrameCodecTest {
  private static final UUID REQUESTER = new UUID(1, 2);
  private static final UUID HOST = new UUID(3, 4);

  private static final Pattern EXPECTED_AND_FOUND =
      Pattern.compile("^expected .*found ?", Pattern.DOTALL);

  private final FrameCodec codec = new FrameCodec(EngineLimits.defaults(), RemoteLimits.DEFAULTS);

  private static Message message(Body body) {
    return Message.of(
        new MessageId(5, -6), Point.AFTER_CALL, Map.of("a", "ä\u0000", "header.x", ""), body);
  }

  static HandlerTask task(Body body) {
    return new HandlerTask(
        HandlerOperation.ROLL_BACK,
        "chain",
        "step",
        "kind",
        Payload.object(Map.of("n", Payload.of(1))),
        message(body));
  }

  static List<Frame> frames() {
    Changes changes =
        Changes.NONE
            .property("a", "1")
            .withoutProperty("b")
            .body(Body.of(new byte[] {0, -1}, "x/y"))
            .body(Body.of(Payload.of(1.5)))
            .json("/a~1b/0", Payload.NULL)
            .json("", Payload.of(Long.MAX_VALUE))
            .withoutJson("/c");
    return List.of(
        new Frame.Claim(REQUESTER, 7, "kind", "table"),
        new Frame.Grant(REQUESTER, 7, HOST, ""),
        new Frame.Run(REQUESTER, 7, 3, List.of(HOST, REQUESTER), 5_000, task(Body.EMPTY)),
        new Frame.Run(REQUESTER, 7, 1, List.of(), 1, task(Body.of(Payload.of("\ud800")))),
        new Frame.Run(REQUESTER, 7, 1, List.of(), 1, task(Body.of(new byte[] {'{'}, "a/json"))),
        new Frame.Begun(REQUESTER, 7, HOST),
        new Frame.Done(REQUESTER, 7, HOST, 99, Verdict.UNCHANGED),
        new Frame.Done(REQUESTER, 7, HOST, 99, Verdict.goOn(changes)),
        new Frame.Done(REQUESTER, 7, HOST, 0, Verdict.Answer.of(201, Map.of("x", "y"), Body.EMPTY)),
        new Frame.Done(REQUESTER, 7, HOST, 0, Verdict.refuse("urn:x", "t", 403, "d")),
        new Frame.Failed(REQUESTER, 7, HOST, FailureReason.IN_DOUBT, "why"),
        new Frame.Heartbeat(HOST, true));
  }

  @Test
  void shouldReadWhatWasWritten() throws Exception {
    for (Frame frame : frames()) {
      assertEquals(frame, codec.read(codec.write(frame)));
    }
  }

  @Test
  void shouldKeepTheLayoutOfVersion2() throws Exception {
    byte[] bytes = codec.write(new Frame.Begun(REQUESTER, 7, HOST));

    ByteBuffer expected = ByteBuffer.allocate(49).put((byte) 'P').put((byte) 'H');
    expected.put((byte) 2).put((byte) 4).putInt(49).putLong(1).putLong(2).putLong(7);
    expected.put((byte) 0x50).putLong(3).putLong(4); // CBOR: 16 bytes
    assertEquals(expected.flip(), ByteBuffer.wrap(bytes));
  }

  @Test
  void shouldRefuseAnotherVersionByItsNumber() throws Exception {
    for (int version : new int[] {0, 1, 3, 255}) {
      byte[] bytes = codec.write(new Frame.Begun(REQUESTER, 7, HOST));
      bytes[2] = (byte) version;

      UnknownFrameVersionException refusal =
          assertThrows(UnknownFrameVersionException.class, () -> codec.read(bytes));
      assertEquals(
          "expected a frame of version 2, found version "
              + version
              + "; run the same release of Pinion on both sides",
          refusal.getMessage());
      assertEquals(REQUESTER, refusal.requester());
      assertEquals(7, refusal.attempt());
    }
  }

  @Test
  void shouldRefuseEveryCutAndEveryAddition() throws Exception {
    for (Frame frame : frames()) {
      byte[] whole = codec.write(frame);
      for (int length = 0; length <= whole.length + 1; length++) {
        if (length == whole.length) {
          continue;
        }
        byte[] cut = Arrays.copyOf(whole, length);
        assertRefused(cut);
        if (length >= FrameCodec.HEADER_BYTES) { // also when the header has the same length
          ByteBuffer.wrap(cut).putInt(FrameCodec.LENGTH_AT, length);
          assertRefused(cut);
        }
      }
    }
  }

  private void assertRefused(byte[] bytes) {
    MalformedFrameException refusal =
        assertThrows(MalformedFrameException.class, () -> codec.read(bytes));
    assertTrue(EXPECTED_AND_FOUND.matcher(refusal.getMessage()).find(), refusal.getMessage());
  }

  @Test
  void shouldBoundWhatItWritesAndReads() throws Exception {
    RemoteLimits small = new RemoteLimits(1, 1_024, 1, 1, 1_024, 256, 2, 1, 1, 1_024, 1, 0);
    FrameCodec bounded = new FrameCodec(EngineLimits.defaults(), small);
    Frame fits = run("x".repeat(500));
    int over = 1_024 - bounded.write(fits).length;
    Frame edge = run("x".repeat(500 + over));
    Frame beyond = run("x".repeat(501 + over));

    assertEquals(edge, bounded.read(bounded.write(edge)));
    assertThrows(MalformedFrameException.class, () -> bounded.write(beyond));
    byte[] large = codec.write(beyond);
    assertThrows(MalformedFrameException.class, () -> bounded.read(large));
  }

  private static Frame run(String body) {
    return new Frame.Run(
        REQUESTER,
        7,
        1,
        List.of(HOST),
        1,
        task(Body.of(body.getBytes(StandardCharsets.US_ASCII), "text/plain")));
  }

  @Test
  void shouldNeverDoAnythingButRefuse() {
    fuzz(20_000, Long.getLong("pinion.seed", 20_261_122));
  }

  @Test
  @Tag("long")
  void shouldNeverDoAnythingButRefuseForLong() {
    fuzz(5_000_000, Long.getLong("pinion.seed", System.nanoTime()));
  }

  private void fuzz(int rounds, long seed) {
    System.out.println("damaged frames from seed " + seed + "; -Dpinion.seed=N runs others");
    Random random = new Random(seed);
    int refused = 0;
    for (int i = 0; i < rounds; i++) {
      refused += damaged(random) ? 0 : 1;
    }
    assertTrue(refused > rounds / 10 && refused < rounds, refused + " refused");
  }

  /** Whether a damaged frame is still read as a frame; then it can be written again. */
  private boolean damaged(Random random) {
    try {
      byte[] bytes = codec.write(frames().get(random.nextInt(frames().size())));
      for (int i = random.nextInt(4); i >= 0; i--) {
        int at = 4 + random.nextInt(bytes.length - 4);
        bytes[at] = (byte) (random.nextInt(3) == 0 ? 0xff : random.nextInt(256));
      }
      ByteBuffer.wrap(bytes).putInt(FrameCodec.LENGTH_AT, bytes.length);
      Frame frame = codec.read(bytes);
      assertEquals(frame, codec.read(codec.write(frame)));
      return true;
    } catch (MalformedFrameException e) {
      assertTrue(EXPECTED_AND_FOUND.matcher(e.getMessage()).find(), e.getMessage());
      return false;
    }
  }
}
