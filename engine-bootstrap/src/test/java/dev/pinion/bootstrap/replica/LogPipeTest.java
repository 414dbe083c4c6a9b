package dev.pinion.bootstrap.replica;

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
    LogPipe pipe = LogPipe.to(to);

    write(pipe, "one\n");
    pipe.write('2');
    write(pipe, "\nthree\n");
    pipe.end(PATIENCE);

    assertEquals("one\n2\nthree\n", to.toString(StandardCharsets.UTF_8));
  }

  @Test
  void shouldDropAndCountWhatDoesNotFitWhileItsReaderStandsStill() throws Exception {
    // given a reader that stands still, and a line that it has begun to take
    Still to = new Still();
    LogPipe pipe = LogPipe.to(to);
    write(pipe, "first\n");
    to.taken.await();

    // when more is written than may wait
    write(pipe, "x".repeat(LogPipe.MAX_BYTES));
    write(pipe, "dropped\n");
    to.goOn.countDown();
    to.emptied.await();
    write(pipe, "last\n");
    pipe.end(PATIENCE);

    // then
    String all = to.all.toString(StandardCharsets.UTF_8);
    assertTrue(all.startsWith("first\nxxx"), all.substring(0, 20));
    assertTrue(all.endsWith("x... 8 bytes of the log were dropped ...\nlast\n"));
  }

  private static void write(LogPipe pipe, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    pipe.write(bytes, 0, bytes.length);
  }

  /** Takes nothing until it may go on. */
  private static final class Still extends OutputStream {
    private final CountDownLatch taken = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch emptied = new CountDownLatch(2);
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
      emptied.countDown();
    }
  }
}
