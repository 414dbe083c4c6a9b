package dev.pinion.workloads.stub;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.Arrays;

/** One connection of the stub: assembles requests, counts and answers them. */
final class StubHandler extends ChannelInboundHandlerAdapter {
  /** The largest body of a request, in bytes. */
  static final int MAX_BODY = 1 << 20;

  private static final String CALLS = "/svc/";
  private static final String ECHO = "/echo";

  private final StubState state;
  private final StubControl control;
  private final ResponseQueue answers = new ResponseQueue();

  private HttpMethod method = HttpMethod.GET;
  private String uri = "";
  private String contentType = "";
  private boolean close;
  private boolean refused;
  private byte[] body = new byte[256];
  private int length;

  StubHandler(StubState state) {
    this.state = state;
    this.control = new StubControl(state);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      if (!refused && message instanceof HttpRequest request) {
        begin(ctx, request);
      }
      if (!refused && message instanceof HttpContent content) {
        append(ctx, content);
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    ctx.flush();
    regulate(ctx);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    regulate(ctx);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    answers.clear();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable lost) {
    var _ = ctx.close();
  }

  private void begin(ChannelHandlerContext ctx, HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      refuse(ctx, 400, "expected an HTTP/1.1 request");
      return;
    }
    method = request.method();
    uri = request.uri();
    contentType = request.headers().get(HttpHeaderNames.CONTENT_TYPE, "application/octet-stream");
    // A client expects no body after HEAD; the body of the refusal requires closing the connection.
    close = !HttpUtil.isKeepAlive(request) || method.equals(HttpMethod.HEAD);
    length = 0;
    if (HttpUtil.is100ContinueExpected(request)) {
      var _ = ctx.writeAndFlush(StubResponses.goOn(ctx.alloc()), ctx.voidPromise());
    }
  }

  private void append(ChannelHandlerContext ctx, HttpContent content) {
    ByteBuf bytes = content.content();
    int added = bytes.readableBytes();
    if (content.decoderResult().isFailure()) {
      refuse(ctx, 400, "expected a well-formed request body");
    } else if (length + added > MAX_BODY) {
      refuse(ctx, 413, "expected a body of at most " + MAX_BODY + " bytes");
    } else {
      if (length + added > body.length) {
        body = Arrays.copyOf(body, Math.max(length + added, 2 * body.length));
      }
      bytes.readBytes(body, length, added);
      length += added;
      if (content instanceof LastHttpContent) {
        answer(ctx);
      }
    }
  }

  private void answer(ChannelHandlerContext ctx) {
    if (uri.equals(ECHO)) {
      byte[] echo = Arrays.copyOf(body, length);
      answers.add(ctx, StubResponses.of(ctx.alloc(), 200, contentType, echo, close), close, 0);
      return;
    }
    if (!uri.startsWith(CALLS)) {
      answers.add(ctx, control.answer(ctx.alloc(), method, uri, body, length, close), close, 0);
      return;
    }
    int service = service();
    if (service == 0) {
      malformed(ctx, 404, "expected a service from s1 to s" + state.services());
    } else if (!method.equals(HttpMethod.POST)) {
      malformed(ctx, 405, "expected method POST");
    } else {
      answerCall(ctx, service);
    }
  }

  private void answerCall(ChannelHandlerContext ctx, int service) {
    long value = CallBody.value(body, length);
    if (value == CallBody.MALFORMED) {
      malformed(ctx, 400, "expected a JSON object whose value, if any, is an integer in range");
      return;
    }
    state.counters().onCall(service);
    StubBehaviour.Outcome outcome = state.script().nextCall(System.nanoTime());
    ByteBuf answer;
    if (outcome.fails()) {
      state.counters().onFailed();
      answer = StubResponses.problem(ctx.alloc(), outcome.status(), "failed by script", close);
    } else {
      answer = state.answers().answer(ctx.alloc(), service, value, close);
    }
    answers.add(ctx, answer, close, outcome.delayNanos());
  }

  /** Number of the service in the path, or 0 if there is none. */
  private int service() {
    int number = 0;
    int at = CALLS.length();
    if (at >= uri.length() || uri.charAt(at) != 's') {
      return 0;
    }
    for (at++; at < uri.length(); at++) {
      char c = uri.charAt(at);
      if (c == '/' || c == '?') {
        break;
      }
      if (c < '0' || c > '9' || (number == 0 && c == '0')) {
        return 0;
      }
      number = number * 10 + (c - '0');
      if (number > state.services()) {
        return 0;
      }
    }
    return number;
  }

  private void malformed(ChannelHandlerContext ctx, int status, String sentence) {
    state.counters().onMalformed();
    answers.add(ctx, StubResponses.problem(ctx.alloc(), status, sentence, close), close, 0);
  }

  /** Counts a request that cannot be read to its end, answers it and closes the connection. */
  private void refuse(ChannelHandlerContext ctx, int status, String sentence) {
    refused = true;
    state.counters().onMalformed();
    answers.add(ctx, StubResponses.problem(ctx.alloc(), status, sentence, true), true, 0);
  }

  private void regulate(ChannelHandlerContext ctx) {
    ctx.channel().config().setAutoRead(!answers.isFull() && ctx.channel().isWritable());
  }
}
