package dev.pinion.bootstrap.process;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

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

  // Field fault 20: a disk that is full, a reader that is gone
  @Test
  void shouldGoOnAfterAFailureWithTheByteThatIsMissing() throws Exception {
    Failing to = new Failing();
    LogPipe pipe = pipe(to);
    write(pipe, "first\n");
    await().until(() -> to.tries.get() > 2);
    write(pipe, "second\n");

    to.takes(3); // and fails again, in the middle of a line
    await().until(() -> to.text().equals("fir"));
    to.takes(Integer.MAX_VALUE);
    write(pipe, "third\n");
    pipe.end(PATIENCE);

    assertEquals("first\nsecond\nthird\n", to.text());
    assertEquals(0, pipe.lostLines());
  }

  // Field fault 20
  @Test
  void shouldTellAfterAFailureWhatWasLostMeanwhile() throws Exception {
    Failing to = new Failing();
    LogPipe pipe = pipe(to);
    write(pipe, "first\n");
    await().until(() -> to.tries.get() > 0);
    write(pipe, "x".repeat(LogPipe.MAX_BYTES - 1) + "\n");
    write(pipe, "lost\nlost\n");
    assertEquals(2, pipe.lostLines());

    to.takes(Integer.MAX_VALUE);

    await().until(() -> to.text().endsWith("x\n2 lost\n"));
    write(pipe, "next\n");
    pipe.end(PATIENCE);
    assertTrue(to.text().endsWith("x\n2 lost\nnext\n"));
    assertTrue(to.text().startsWith("first\nx"));
  }

  // Field fault 20
  @Test
  void shouldGoOnWhenAPipeThatDoesNotBlockHasRoomAgain() throws Exception {
    Failing to = new Failing();
    to.error = null;
    LogPipe pipe = pipe(to);
    write(pipe, "first\n");
    await().until(() -> to.tries.get() > 2);

    to.takes(Integer.MAX_VALUE);
    pipe.end(PATIENCE);

    assertEquals("first\n", to.text());
  }

  // Field fault 20
  @Test
  void shouldPauseBetweenTries() throws Exception {
    Failing to = new Failing();
    LogPipe pipe = pipe(to);
    long begin = System.nanoTime();
    write(pipe, "first\n");
    await().until(() -> to.tries.get() >= 5);
    assertTrue(System.nanoTime() - begin >= TimeUnit.MILLISECONDS.toNanos(10 + 20 + 40 + 80));
    pipe.end(PATIENCE);

    assertEquals(10, LogPipe.pauseMillis(1));
    assertEquals(20, LogPipe.pauseMillis(2));
    assertEquals(640, LogPipe.pauseMillis(7));
    assertEquals(1_000, LogPipe.pauseMillis(8));
    assertEquals(1_000, LogPipe.pauseMillis(Integer.MAX_VALUE));
  }

  // Field fault 20
  @Test
  void shouldEndThoughTheOutputFails() throws Exception {
    Failing to = new Failing();
    LogPipe pipe = pipe(to);
    write(pipe, "first\n");
    await().until(() -> to.tries.get() > 0);

    pipe.end(PATIENCE);

    assertFalse(pipe.isAlive());
    assertEquals("", to.text());
  }

  // Field fault 20
  @Test
  void shouldEndInItsTimeThoughTheOutputTakesNothing() throws Exception {
    Failing to = new Failing();
    to.error = null;
    LogPipe pipe = pipe(to);
    write(pipe, "first\n");
    await().until(() -> to.tries.get() > 0);

    pipe.end(Duration.ofMillis(1));

    await().until(() -> !pipe.isAlive());
  }

  // Field fault 20
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldTakeAFullDeviceAsOneThatFails() throws Exception {
    try (FileOutputStream full = new FileOutputStream("/dev/full")) {
      LogPipe pipe = LogPipe.to("log", full.getFD(), lines -> lines + " lost");
      write(pipe, "first\n");
      write(pipe, "second\n");
      assertTrue(pipe.isAlive());
      pipe.end(PATIENCE);
      assertFalse(pipe.isAlive());
    }
  }

  private static LogPipe pipe(WritableByteChannel to) {
    return LogPipe.to("log", to, lines -> lines + " lost");
  }

  private static LogPipe pipe(OutputStream to) {
    return pipe(Channels.newChannel(to));
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

  /** Accepts a set number of bytes; beyond it fails, or accepts nothing when no error is set. */
  private static final class Failing implements WritableByteChannel {
    private final AtomicInteger tries = new AtomicInteger();
    private final ByteArrayOutputStream all = new ByteArrayOutputStream();
    private volatile @Nullable String error = "No space left on device";
    private int room;

    @Override
    public synchronized int write(ByteBuffer from) throws IOException {
      tries.incrementAndGet();
      int taken = Math.min(room, from.remaining());
      if (taken == 0 && error != null) {
        throw new IOException(error);
      }
      byte[] bytes = new byte[taken];
      from.get(bytes);
      all.write(bytes, 0, taken);
      room -= taken;
      return taken;
    }

    synchronized void takes(int bytes) {
      room = bytes;
    }

    synchronized String text() {
      return all.toString(StandardCharsets.UTF_8);
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {
      // nothing to close
    }
  }
}
