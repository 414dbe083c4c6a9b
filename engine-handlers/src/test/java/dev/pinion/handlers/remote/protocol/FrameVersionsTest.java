package dev.pinion.handlers.remote.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Stored frames that the release before CBOR wrote (the fixture) are read; others are refused. */
class FrameVersionsTest {
  private final FrameCodec codec = new FrameCodec(EngineLimits.defaults(), RemoteLimits.DEFAULTS);

  private static List<byte[]> stored() throws Exception {
    try (InputStream in =
        Objects.requireNonNull(
            FrameVersionsTest.class.getResourceAsStream("frames-version-1.txt"))) {
      String lines = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      return lines.lines().map(HexFormat.of()::parseHex).toList();
    }
  }

  @Test
  void shouldReadStoredFramesOfVersion1() throws Exception {
    List<Frame> frames = FrameCodecTest.frames();
    List<byte[]> stored = stored();
    assertEquals(frames.size(), stored.size());
    for (int i = 0; i < frames.size(); i++) {
      assertEquals(frames.get(i), codec.readStored(stored.get(i)));
      assertEquals(frames.get(i), codec.readStored(codec.write(frames.get(i))));
    }
  }

  @Test
  void shouldRefuseVersion1FromTheNetwork() throws Exception {
    for (byte[] frame : stored()) {
      String refusal =
          assertThrows(UnknownFrameVersionException.class, () -> codec.read(frame)).toString();
      assertTrue(refusal.contains("version 2, found version 1;"), refusal);
    }
  }

  @Test
  void shouldRefuseStoredFramesOfALaterVersion() throws Exception {
    byte[] frame = codec.write(FrameCodecTest.frames().getFirst());
    frame[2] = 3;
    assertThrows(UnknownFrameVersionException.class, () -> codec.readStored(frame));
  }

  @Test
  void shouldRefuseEveryCutOfVersion1() throws Exception {
    for (byte[] whole : stored()) {
      for (int length = 0; length < whole.length; length++) {
        byte[] cut = Arrays.copyOf(whole, length);
        if (length >= FrameCodec.HEADER_BYTES) {
          ByteBuffer.wrap(cut).putInt(FrameCodec.LENGTH_AT, length);
        }
        assertThrows(MalformedFrameException.class, () -> codec.readStored(cut));
      }
    }
  }

  @Test
  void shouldRefuseDamagedFramesOfVersion1() throws Exception {
    long seed = Long.getLong("pinion.seed", 20_261_127);
    System.out.println("damaged frames of version 1 from seed " + seed);
    Random random = new Random(seed);
    List<byte[]> stored = stored();
    int refused = 0;
    for (int i = 0; i < 10_000; i++) {
      byte[] frame = stored.get(random.nextInt(stored.size())).clone();
      for (int j = random.nextInt(4); j >= 0; j--) {
        frame[4 + random.nextInt(frame.length - 4)] = (byte) random.nextInt(256);
      }
      ByteBuffer.wrap(frame).putInt(FrameCodec.LENGTH_AT, frame.length);
      try {
        assertEquals(codec.readStored(frame), codec.readStored(frame));
      } catch (MalformedFrameException e) {
        assertTrue(e.toString().contains(": expected "), e.toString());
        refused++;
      }
    }
    assertTrue(refused > 1_000 && refused < 10_000, refused + " refused");
  }
}
