package dev.pinion.bootstrap.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LogPipeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Test
  void shouldCarryEverythingInOrder() throws Exception {
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    LogPipe pipe = pipe(to);

    write(pipe, "one\n");
    pipe.write('2');
    write(pipe, "\nthree\n");
    pipe.end(PATIENCE);

    assertEquals("one\n2\nthree\n", to.toString(StandardCharsets.UTF_8));
  }

  // Field fault 20
  @Test
  void shouldLoseAndCountLinesWhileTheOutputBlocks() throws Exception {
    // given an output that blocks in the first line
    Blocking to = new Blocking();
    LogPipe pipe = pipe(to);
    write(pipe, "first\n");
    to.taken.await();

    // when more is written than may wait
    write(pipe, "x".repeat(LogPipe.MAX_BYTES - 1) + "\n");
    write(pipe, "lost\nlost\n");
    write(pipe, "and lost\n");
    assertEquals(3, pipe.lostLines());
    to.goOn.countDown();
    pipe.end(PATIENCE);

    // then the loss is reported although nothing follows
    String all = to.all.toString(StandardCharsets.UTF_8);
    assertTrue(all.startsWith("first\nxxx"), all.substring(0, 20));
    assertTrue(all.endsWith("x\n3 lost\n"), all.substring(all.length() - 20));
    assertEquals(3, pipe.lostLines());
  }

  // Field fault 20
  @Test
  void shouldTakeExactlyTheBytesThatMayWait() throws Exception {
    Blocking to = new Blocking();
    LogPipe pipe = pipe(to);
    write(pipe, "first\n");
    to.taken.await();

    write(pipe, "x".repeat(LogPipe.MAX_BYTES - 1) + "\n");
    assertEquals(0, pipe.lostLines());
    write(pipe, "\n");

    assertEquals(1, pipe.lostLines());
    to.goOn.countDown();
    pipe.end(PATIENCE);
  }

  // Field fault 20
  @Test
  void shouldLoseWholeLinesOnly() throws Exception {
    Blocking to = new Blocking();
    LogPipe pipe = pipe(to);
    write(pipe, "first\n");
    to.taken.await();
    write(pipe, "y".repeat(LogPipe.MAX_BYTES - 6) + "\n");

    // when a line is written in pieces, of which the first would fit
    write(pipe, "abc");
    write(pipe, "defghi\n");
    to.goOn.countDown();
    pipe.end(PATIENCE);

    String all = to.all.toString(StandardCharsets.UTF_8);
    assertTrue(all.endsWith("y\n1 lost\n"), all.substring(all.length() - 20));
  }

  // Field fault 20
  @Test
  void shouldTakeALargeChunkWhenNothingWaits() throws Exception {
    Blocking to = new Blocking();
    LogPipe pipe = pipe(to);
    String large = "x".repeat(2 * LogPipe.MAX_BYTES) + "\n";
    write(pipe, large);
    to.taken.await();
    write(pipe, large);
    assertEquals(0, pipe.lostLines());
    write(pipe, "\n");
    assertEquals(1, pipe.lostLines());
    to.goOn.countDown();
    pipe.end(PATIENCE);

    assertEquals(large + large + "1 lost\n", to.all.toString(StandardCharsets.UTF_8));
  }

  // Field fault 20
  @Test
  void shouldLoseTheRestOfALineWhoseBeginningIsLost() throws Exception {
    Blocking to = new Blocking();
    LogPipe pipe = pipe(to);
    write(pipe, "first\n");
    to.taken.await();
    write(pipe, "y".repeat(LogPipe.MAX_BYTES - 9) + "\n");

    // when a line is so long that it is written in pieces, of which only the last one would fit
    write(pipe, "z".repeat(LogPipe.MAX_LINE_BYTES + 1));
    write(pipe, "end\n");
    write(pipe, "next\n");
    assertEquals(1, pipe.lostLines());
    to.goOn.countDown();
    pipe.end(PATIENCE);

    String all = to.all.toString(StandardCharsets.UTF_8);
    assertTrue(all.endsWith("y\n1 lost\nnext\n"), all.substring(all.length() - 20));
  }

  // Field fault 20
  @Test
  void shouldLoseTheRestOfALineWhoseMiddleIsLost() throws Exception {
    Blocking to = new Blocking();
    LogPipe pipe = pipe(to);
    write(pipe, "first\n");
    to.taken.await();
    write(pipe, "y".repeat(LogPipe.MAX_BYTES - LogPipe.MAX_LINE_BYTES - 20) + "\n");

    write(pipe, "z".repeat(LogPipe.MAX_LINE_BYTES + 1));
    write(pipe, "z".repeat(LogPipe.MAX_LINE_BYTES + 1));
    write(pipe, "end\n");
    assertEquals(1, pipe.lostLines());
    to.goOn.countDown();
    pipe.end(PATIENCE);

    String all = to.all.toString(StandardCharsets.UTF_8);
    assertTrue(all.endsWith("z\n1 lost\n"), all.substring(all.length() - 20));
  }

  // Field fault 20
  @Test
  void shouldKeepWhatFollowsTheRestOfALostLineInOneWrite() throws Exception {
    Blocking to = new Blocking();
    LogPipe pipe = pipe(to);
    write(pipe, "first\n");
    to.taken.await();
    write(pipe, "y".repeat(LogPipe.MAX_BYTES - 9) + "\n");

    write(pipe, "z".repeat(LogPipe.MAX_LINE_BYTES + 1));
    write(pipe, "z".repeat(LogPipe.MAX_LINE_BYTES + 1));
    write(pipe, "end\nnext\n");
    assertEquals(1, pipe.lostLines(), "one line");
    to.goOn.countDown();
    pipe.end(PATIENCE);

    String all = to.all.toString(StandardCharsets.UTF_8);
    assertTrue(all.endsWith("y\n1 lost\nnext\n"), all.substring(all.length() - 20));
  }

  private static LogPipe pipe(OutputStream to) {
    return LogPipe.to("log", to, lines -> lines + " lost");
  }

  private static void write(LogPipe pipe, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    pipe.write(bytes, 0, bytes.length);
  }

  /** Blocks until released. */
  private static final class Blocking extends OutputStream {
    private final CountDownLatch taken = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final ByteArrayOutputStream all = new ByteArrayOutputStream();

    @Override
    public void write(int b) {
      all.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      taken.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      all.write(bytes, offset, length);
    }
  }
}
