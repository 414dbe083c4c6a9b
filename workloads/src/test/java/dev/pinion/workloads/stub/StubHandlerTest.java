package dev.pinion.workloads.stub;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StubHandlerTest {
  private static final String ITEMS =
      "\"items\":[{\"id\":1,\"name\":\"first\"},{\"id\":2,\"name\":\"second\"},"
          + "{\"id\":3,\"name\":\"third\"}]";

  private final StubState state = new StubState(StubSettings.standard());
  private final EmbeddedChannel channel =
      new EmbeddedChannel(new HttpRequestDecoder(), new StubHandler(state));

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  @Test
  void shouldAnswerByFormula() {
    // when
    send(call("/svc/s3", "{\"value\":20}"));

    // then
    String body = "{\"service\":\"s3\",\"value\":43," + ITEMS + "}";
    assertEquals(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: "
            + body.length()
            + "\r\n\r\n"
            + body,
        received());
    assertEquals(1, state.counters().stats().services().get("s3"));
    assertTrue(body.length() >= 100 && body.length() <= 200, body);
  }

  @ParameterizedTest
  @CsvSource({
    "/svc/s1,{},1",
    "/svc/s6/any/path,'{\"a\":[{\"value\":9}],\"value\":-50}',-94",
    "/svc/s2?q=1,'{\"value\":1125899906842624}',2251799813685250",
    "/svc/s2,'{\"value\":-1125899906842624}',-2251799813685246",
  })
  void shouldComputeEveryValueInRange(String path, String body, long expected) {
    // when
    send(call(path, body));

    // then
    String answer = received();
    assertTrue(answer.contains("\"value\":" + expected + ","), answer);
    String[] parts = answer.split("\r\n\r\n", 2);
    assertTrue(parts[0].endsWith("content-length: " + parts[1].length()), answer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "[]",
        "1",
        "{",
        "{} {}",
        "{\"value\":1.5}",
        "{\"value\":\"1\"}",
        "{\"value\":null}",
        "{\"value\":1125899906842625}",
        "{\"value\":99999999999999999999}"
      })
  void shouldCountBodiesThatAreNotWhatItExpects(String body) {
    // when
    send(call("/svc/s1", body));

    // then
    assertTrue(received().startsWith("HTTP/1.1 400 Bad Request\r\n"));
    assertEquals(1, state.counters().stats().malformed());
    assertEquals(0, state.counters().stats().total());
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/svc/s1,405", "POST,/svc/s0,404", "POST,/svc/s7,404", "POST,/svc/s01,404",
    "POST,/svc/,404", "POST,/svc/s,404", "POST,/svc/x1,404", "POST,/svc/s1x,404",
    "POST,/svc/s99999999999999999999,404", "POST,/other,404", "GET,/__reset,404",
  })
  void shouldCountRequestsThatAreNoCall(String method, String path, int status) {
    // when
    send(method + " " + path + " HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}");

    // then
    assertTrue(received().startsWith("HTTP/1.1 " + status + " "));
    assertEquals(1, state.counters().stats().malformed());
    assertEquals(0, state.counters().stats().total());
  }

  @ParameterizedTest
  @CsvSource({"text/xml; charset=utf-8, text/xml; charset=utf-8", "'', application/octet-stream"})
  void shouldEchoBodiesOfAnyType(String sent, String type) {
    // when
    String field = sent.isEmpty() ? "" : "Content-Type: " + sent + "\r\n";
    send("PUT /echo HTTP/1.1\r\n" + field + "content-length: 4\r\n\r\n<a/>");

    // then
    assertEquals(
        "HTTP/1.1 200 OK\r\ncontent-type: " + type + "\r\ncontent-length: 4\r\n\r\n<a/>",
        received());
    assertEquals(0, state.counters().stats().total() + state.counters().stats().malformed());
  }

  @Test
  void shouldPutRequestsTogetherHoweverTheyArrive() {
    // given
    String twice = call("/svc/s1", "{\"value\":1}") + call("/svc/s2", "{\"value\":2}");
    send(twice);
    String expected = received();

    for (int split = 1; split < twice.length(); split++) {
      // when
      send(twice.substring(0, split));
      send(twice.substring(split));

      // then
      assertEquals(expected, received());
    }
    assertEquals(2L * twice.length(), state.counters().stats().total());
  }

  @Test
  void shouldAnswerNoEarlierThanTheDelayAndInOrder() {
    // given
    channel.freezeTime();
    state.script(StubBehaviour.answering(Duration.ofMillis(50)));
    send(call("/svc/s1", "{}"));
    state.script(StubBehaviour.answering(Duration.ofMillis(10)));
    send(call("/svc/s2", "{}"));
    state.script(StubBehaviour.answering(Duration.ZERO));
    send(call("/svc/s3", "{}"));

    // when
    advance(Duration.ofMillis(50).minusNanos(1));

    // then
    assertEquals("", received());

    // when
    advance(Duration.ofNanos(1));

    // then
    String all = received();
    assertEquals(3, all.split("HTTP/1.1 200", -1).length - 1);
    assertTrue(all.indexOf("\"s1\"") < all.indexOf("\"s2\""));
    assertTrue(all.indexOf("\"s2\"") < all.indexOf("\"s3\""));
  }

  @Test
  void shouldReadNoFurtherWhileTooManyAnswersWait() throws Exception {
    // given
    channel.freezeTime();
    state.script(StubBehaviour.answering(Duration.ofMillis(1)));
    for (int i = 1; i < ResponseQueue.MAX_WAITING; i++) {
      send(call("/svc/s1", "{}"));
    }
    assertTrue(channel.config().isAutoRead());

    // when
    send(call("/svc/s1", "{}"));

    // then
    assertFalse(channel.config().isAutoRead());

    // when every response falls due at once: the embedded channel runs each within the previous one
    onDeepStack(() -> advance(Duration.ofMillis(1)));

    // then
    assertTrue(channel.config().isAutoRead());
  }

  private static void onDeepStack(Runnable work) throws InterruptedException {
    Thread thread = new Thread(null, work, "deep stack", 256L << 20);
    thread.start();
    thread.join();
  }

  @Test
  void shouldFailTheSameNumberOfCallsForTheSameSeed() throws Exception {
    // given
    byte[] script = "{\"failureRate\":0.25,\"seed\":7,\"status\":503}".getBytes(US_ASCII);

    List<Long> failures =
        List.of(1, 2).stream()
            .map(
                run -> {
                  // when
                  send(request("POST", "/__behaviour", new String(script, US_ASCII)));
                  send(request("POST", "/__reset", ""));
                  for (int i = 0; i < 400; i++) {
                    send(call("/svc/s1", "{}"));
                  }
                  return state.counters().stats().failed();
                })
            .toList();

    // then
    assertEquals(failures.get(0), failures.get(1));
    assertTrue(failures.get(0) > 60 && failures.get(0) < 140, failures.toString());
    assertEquals(400, state.counters().stats().total());
    assertEquals(
        2 * failures.get(0), received().split("HTTP/1.1 503 Service Unavailable", -1).length - 1L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{\"failureRate\":1.01}",
        "{\"failureRate\":-0.1}",
        "{\"status\":200}",
        "{\"status\":600}",
        "{\"delayMs\":-1}",
        "{\"delayMs\":3600001}",
        "{\"delayMs\":1.5}",
        "{\"delayMs\":\"1\"}",
        "{\"delay\":1}"
      })
  void shouldRefuseABehaviourThatIsNone(String script) {
    // when
    send(request("POST", "/__behaviour", script));

    // then
    assertTrue(received().startsWith("HTTP/1.1 400 "));
    assertEquals(0, state.script().behaviour().delayMs());
  }

  @Test
  void shouldTakeBodiesUpToTheLimit() {
    // given
    String largest = "{}" + " ".repeat(StubHandler.MAX_BODY - 2);

    // when
    send(call("/svc/s1", largest));

    // then
    assertTrue(received().startsWith("HTTP/1.1 200 "));
    assertTrue(channel.isOpen());

    // when
    send(call("/svc/s1", largest + " "));

    // then
    assertTrue(received().startsWith("HTTP/1.1 413 "));
    assertFalse(channel.isOpen());
    assertEquals(1, state.counters().stats().malformed());
  }

  @Test
  void shouldCloseWhenTheClientAsksOrSendsNoHttp() {
    // when
    send("POST /svc/s1 HTTP/1.1\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}");

    // then
    assertTrue(received().contains("\r\nconnection: close\r\n"));
    assertFalse(channel.isOpen());

    // given
    EmbeddedChannel other = new EmbeddedChannel(new HttpRequestDecoder(), new StubHandler(state));

    // when
    other.writeInbound(Unpooled.copiedBuffer("nonsense\r\n\r\n", US_ASCII));

    // then
    ByteBuf answer = other.readOutbound();
    assertTrue(answer.toString(US_ASCII).startsWith("HTTP/1.1 400 "));
    assertFalse(other.isOpen());
    assertEquals(1, state.counters().stats().malformed());
    answer.release();
  }

  @Test
  void shouldGoOnBeforeABodyThatWaitsForIt() {
    // when
    send("POST /svc/s1 HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n");

    // then
    assertEquals("HTTP/1.1 100 Continue\r\n\r\n", received());

    // when
    send("{}");

    // then
    assertTrue(received().startsWith("HTTP/1.1 200 "));
  }

  private void advance(Duration time) {
    channel.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
    channel.runScheduledPendingTasks();
    channel.runPendingTasks();
  }

  private void send(String bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes, US_ASCII));
  }

  private String received() {
    StringBuilder all = new StringBuilder();
    for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
      all.append(next.toString(US_ASCII));
      next.release();
    }
    return all.toString();
  }

  private static String call(String path, String body) {
    return request("POST", path, body);
  }

  private static String request(String method, String path, String body) {
    return method
        + " "
        + path
        + " HTTP/1.1\r\nhost: stub\r\ncontent-length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }
}
