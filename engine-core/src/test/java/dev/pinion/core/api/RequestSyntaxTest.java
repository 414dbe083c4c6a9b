package dev.pinion.core.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pinion.core.api.filter.PageCursor;
import dev.pinion.core.http.HeadScanner;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.PercentEncoding;
import dev.pinion.core.http.message.Prefer;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestSyntaxTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "wait=10|10|false",
        "WAIT = \"10\"; x=y|10|false",
        "respond-async|-1|true",
        "respond-async, wait=0|0|true",
        "wait=1, wait=2|1|false",
        "wait=x, wait=2|-1|false",
        "wait=-1|-1|false",
        "wait|-1|false",
        "wait=999999999999999999|1000000000|false",
        "wait=9999999999999999999|-1|false",
        "return=minimal,,|-1|false"
      })
  void shouldReadPreferences(String field, long wait, boolean async) {
    assertEquals(new Prefer(wait, async), Prefer.parse(List.of(field)));
  }

  @Test
  void shouldTellWhatIsHonoured() {
    assertEquals("", Prefer.NOTHING.applied(1_000));
    assertEquals("respond-async, wait=1", new Prefer(9, true).applied(1_000));
    assertEquals(1_000, new Prefer(9, true).waitMillis(5, 1_000));
    assertEquals(0, new Prefer(Prefer.UNSAID, true).waitMillis(5, 1_000));
    assertEquals(5, Prefer.NOTHING.waitMillis(5, 1_000));
  }

  @Test
  void shouldChooseMediaTypes() {
    List<String> both = List.of(MediaTypes.JSON, MediaTypes.YAML);
    assertEquals(MediaTypes.JSON, MediaTypes.choose(null, both));
    assertEquals(MediaTypes.JSON, MediaTypes.choose("*/*", both));
    assertEquals(MediaTypes.YAML, MediaTypes.choose("application/yaml", both));
    assertEquals(MediaTypes.YAML, MediaTypes.choose("*/*;q=0.1, Application/YAML", both));
    assertEquals(MediaTypes.YAML, MediaTypes.choose("application/*, application/json;q=0", both));
    assertNull(MediaTypes.choose("text/*", both));
    assertNull(MediaTypes.choose("*/*;q=2", both));
    assertEquals("a/b", MediaTypes.essence("A/B; charset=UTF-8"));
    assertNull(MediaTypes.essence("a/b; charset=utf-16"));
  }

  @Test
  void shouldNoticeAnAlteredCursor() throws Exception {
    List<String> filter = List.of("list", "=a");
    String cursor = PageCursor.encode(filter, "place/ü");
    assertEquals("place/ü", PageCursor.decode(filter, cursor));
    assertThrows(
        ProblemException.class, () -> PageCursor.decode(List.of("list", "=", "a"), cursor));
    for (int i = 0; i < cursor.length(); i++) {
      char other = cursor.charAt(i) == 'A' ? 'B' : 'A';
      String altered = cursor.substring(0, i) + other + cursor.substring(i + 1);
      assertThrows(ProblemException.class, () -> PageCursor.decode(filter, altered));
    }
    for (String text : List.of("", "!", "AAAA", "x".repeat(10_000))) {
      assertThrows(ProblemException.class, () -> PageCursor.decode(filter, text));
    }
  }

  @Test
  void shouldDecodeWhatItEncodes() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 1_000; i++) {
      StringBuilder text = new StringBuilder();
      random
          .ints(random.nextInt(20), 0, Character.MAX_CODE_POINT)
          .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
          .forEach(text::appendCodePoint);
      String encoded = PercentEncoding.encode(text.toString());
      assertEquals(text.toString(), PercentEncoding.decode(encoded), "seed " + seed);
    }
  }

  @Test
  void shouldFindTheSameHeadInAnyPieces() throws Exception {
    String head = "GET /a?b HTTP/1.1\r\nHost: localhost\r\nX: \t y \u00ff\r\n\r\n";
    byte[] bytes = head.getBytes(StandardCharsets.ISO_8859_1);
    for (int cut = 1; cut < bytes.length; cut++) {
      HeadScanner scanner = new HeadScanner(EngineLimits.defaults().request());
      ByteBuf in = Unpooled.buffer();
      in.writeBytes(bytes, 0, cut);
      assertEquals(false, scanner.scan(in));
      in.writeBytes(bytes, cut, bytes.length - cut);
      in.writeBytes(bytes);
      assertEquals(true, scanner.scan(in), "cut at " + cut);
    }
  }

  @Test
  void shouldKeepDeadlinesInOrderOfTime() {
    PendingRequests pending = new PendingRequests();
    long[] millis = {50, 10, 30};
    long[] begunNanos = {0, 1, 0};
    for (int i = 0; i < millis.length; i++) {
      pending.add(new Waiting(), millis[i]);
      pending.startWaits(begunNanos[i]);
    }
    assertEquals(20_000_000, pending.earliestNanos());
    assertEquals(0, pending.takeDue(19_999_999).size());
    assertEquals(1, pending.takeDue(20_000_000).size());
    assertEquals(30_000_000, pending.earliestNanos());
    assertEquals(2, pending.takeDue(60_000_000).size());
    assertEquals(Long.MAX_VALUE, pending.earliestNanos());
    assertEquals(0, pending.takeDue(Long.MAX_VALUE - 1).size());
    assertEquals(3, pending.size());
  }

  private static final class Waiting extends PendingRequest<Reply> {
    @SuppressWarnings("NullAway") // never answered
    Waiting() {
      super(null);
    }

    @Override
    public void abandon() {}

    @Override
    void onReply(Reply reply) {}
  }
}
