package dev.pinion.bootstrap.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogForwarderTest {
  @Test
  void shouldPassEverythingOnAndKeepTheLastLines() {
    // given
    String log =
        IntStream.range(0, 50_000).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining());
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    LogForwarder copy = new LogForwarder(input(log), to);

    // when
    copy.run();

    // then
    assertEquals(log, to.toString(StandardCharsets.UTF_8));
    List<String> last = copy.lastLines();
    assertEquals(LogForwarder.MAX_LINES, last.size());
    assertEquals("line 49800", last.getFirst());
    assertEquals("line 49999", last.getLast());
  }

  @Test
  void shouldPassOnWholeLinesOnly() {
    // given lines that do not fit the buffer evenly
    String log = ("x".repeat(700) + "\n").repeat(200) + "no end";
    List<String> passed = new ArrayList<>();
    LogForwarder copy = new LogForwarder(input(log), recorder(passed));

    // when
    copy.run();

    // then
    assertTrue(passed.size() > 5, "expected several pieces, found " + passed.size());
    for (String piece : passed.subList(0, passed.size() - 1)) {
      assertTrue(piece.endsWith("\n"), piece);
    }
    assertEquals("no end", copy.lastLines().getLast());
  }

  @Test
  void shouldBoundTheLengthOfLines() {
    String log = "y".repeat(10 * LogForwarder.BUFFER_BYTES) + "\nend\n";
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    LogForwarder copy = new LogForwarder(input(log), to);

    copy.run();

    assertEquals(log, to.toString(StandardCharsets.UTF_8));
    assertEquals("end", copy.lastLines().getLast());
    for (String line : copy.lastLines()) {
      assertTrue(line.length() <= LogForwarder.MAX_LINE_BYTES);
    }
  }

  private static InputStream input(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private static OutputStream recorder(List<String> pieces) {
    return new OutputStream() {
      @Override
      public void write(int b) {
        throw new UnsupportedOperationException();
      }

      @Override
      public void write(byte[] bytes, int offset, int length) {
        pieces.add(new String(bytes, offset, length, StandardCharsets.UTF_8));
      }
    };
  }
}
