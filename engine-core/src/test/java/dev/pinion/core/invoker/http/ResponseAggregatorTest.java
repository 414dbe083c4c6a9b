package dev.pinion.core.invoker.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.InvokerLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses cut into every possible piece, without a network. */
class ResponseAggregatorTest {
  private static final String CHUNKED =
      String.join(
          "\r\n",
          "HTTP/1.1 103 Early Hints",
          "Link: </a>",
          "",
          "HTTP/1.1 200 OK",
          "Transfer-Encoding: chunked",
          "",
          "5;x=y",
          "hello",
          "1",
          ",",
          "6",
          " world",
          "0",
          "X-Sum: 1",
          "",
          "");

  private static final InvokerLimits LIMITS =
      EngineLimits.defaults()
          .with(Map.of("invoker.maxResponseBytes", 1024, "invoker.maxHeaderBytes", 256))
          .invoker();

  private final ResponseDecoder decoder = new ResponseDecoder(LIMITS);
  private final EmbeddedChannel channel = new EmbeddedChannel(decoder);
  private final ResponseAggregator responseAggregator =
      new ResponseAggregator(
          LIMITS.maxResponseBytes(), LIMITS.maxHeaderBytes(), UnpooledByteBufAllocator.DEFAULT);

  /** Feeds bytes and returns whether they completed the response. */
  private boolean feed(String bytes) throws BadResponseException {
    decoder.expectAnswerTo("GET");
    channel.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.ISO_8859_1));
    return drain();
  }

  private boolean drain() throws BadResponseException {
    boolean complete = false;
    for (HttpObject part = channel.readInbound(); part != null; part = channel.readInbound()) {
      try {
        complete |= responseAggregator.accept(part);
      } finally {
        ReferenceCountUtil.release(part);
      }
    }
    return complete;
  }

  private String body() {
    return responseAggregator.body().toString(StandardCharsets.UTF_8);
  }

  @Test
  void shouldReadAnAnswerByteByByte() throws BadResponseException {
    for (int i = 0; i < CHUNKED.length() - 1; i++) {
      assertFalse(feed(CHUNKED.substring(i, i + 1)), "at byte " + i);
    }
    assertTrue(feed(CHUNKED.substring(CHUNKED.length() - 1)));
    assertEquals(200, responseAggregator.status());
    assertEquals("hello, world", body());
    responseAggregator.clear();
  }

  @Test
  void shouldReadAnAnswerCutInTwoAnywhere() throws BadResponseException {
    for (int cut = 1; cut < CHUNKED.length(); cut++) {
      feed(CHUNKED.substring(0, cut));
      assertTrue(feed(CHUNKED.substring(cut)), "cut at " + cut);
      assertEquals("hello, world", body(), "cut at " + cut);
      responseAggregator.clear();
    }
  }

  @Test
  void shouldKeepABodyOfOnePartAsItCameAndReleaseEverything() throws BadResponseException {
    // given
    ByteBuf one = Unpooled.copiedBuffer("one", StandardCharsets.UTF_8);
    ByteBuf two = Unpooled.copiedBuffer("two", StandardCharsets.UTF_8);

    // when
    responseAggregator.accept(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
    responseAggregator.accept(new DefaultHttpContent(one));

    // then
    assertSame(one, responseAggregator.body());
    assertEquals(2, one.refCnt());
    assertTrue(responseAggregator.accept(new DefaultLastHttpContent(two)));
    assertEquals("onetwo", body());
    assertEquals(1, one.refCnt());
    assertEquals(1, two.refCnt());
    ByteBuf joined = responseAggregator.body();
    responseAggregator.clear();
    assertEquals(0, joined.refCnt());
    one.release();
    two.release();
  }

  @Test
  void shouldAcceptABodyAtTheLimitAndRefuseOneByteMore() throws BadResponseException {
    String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    String full = "400\r\n" + "x".repeat(1024) + "\r\n";
    assertTrue(feed(head + full + "0\r\n\r\n"));
    assertEquals(1024, responseAggregator.body().readableBytes());
    responseAggregator.clear();
    BadResponseException refused =
        assertThrows(BadResponseException.class, () -> feed(head + full + "1\r\nx\r\n0\r\n\r\n"));
    assertEquals(
        "expected at most 1024 bytes of body (invoker.maxResponseBytes), found more, with status"
            + " 200",
        refused.problem());
    responseAggregator.clear();
  }

  @Test
  void shouldAcceptAHeaderAtTheLimitAndRefuseOneByteMore() throws BadResponseException {
    // given header lines that add up to the limit, line ends not counted
    String fixed = "Content-Length: 0\r\nX: ";
    int left = 256 - "Content-Length: 0X: ".length();
    String head = "HTTP/1.1 200 OK\r\n" + fixed;

    // then
    assertTrue(feed(head + "x".repeat(left) + "\r\n\r\n"));
    BadResponseException refused =
        assertThrows(
            BadResponseException.class, () -> feed(head + "x".repeat(left + 1) + "\r\n\r\n"));
    assertEquals(
        "expected at most 256 bytes of header fields (invoker.maxHeaderBytes), found more",
        refused.problem());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH\r\n\r\n",
        "HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
      })
  void shouldRefuseWhatBreaksTheProtocol(String bytes) {
    assertThrows(BadResponseException.class, () -> feed(bytes));
    responseAggregator.clear();
  }

  @Test
  void shouldTakeTheEndOfTheConnectionAsTheEndOfABodyWithoutLength() throws BadResponseException {
    assertFalse(feed("HTTP/1.0 200 OK\r\n\r\nall of it"));
    channel.close().syncUninterruptibly();
    assertTrue(drain());
    assertTrue(decoder.ended());
    assertFalse(responseAggregator.keepAlive());
    assertEquals("all of it", body());
    responseAggregator.clear();
  }
}
