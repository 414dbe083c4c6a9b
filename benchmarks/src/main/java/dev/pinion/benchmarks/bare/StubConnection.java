package dev.pinion.benchmarks.bare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One persistent connection to the stub, with at most one call on it. */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class StubConnection extends ChannelInboundHandlerAdapter {
  private static final ObjectReader JSON = JsonMapper.builder().build().readerFor(JsonNode.class);

  private final StubConnectionPool pool;
  private final MessageBuffer body = new MessageBuffer();
  private @Nullable ChannelHandlerContext context;
  private @Nullable StartExchange startExchange;
  private int number;
  private int status;
  private boolean keepAlive;

  StubConnection(StubConnectionPool pool) {
    this.pool = pool;
  }

  /** Initializer of this connection's channel. */
  ChannelHandler initializer() {
    return new ChannelInitializer<Channel>() {
      @Override
      protected void initChannel(Channel channel) {
        channel.pipeline().addLast(new HttpResponseDecoder(), StubConnection.this);
      }
    };
  }

  /**
   * Sends a call. One flush for each call: the next bytes on this connection follow only after its
   * response, so there is nothing to batch.
   */
  void send(StartExchange caller, int call, int service, long value) {
    ChannelHandlerContext ctx = context;
    if (ctx == null || !ctx.channel().isActive()) {
      caller.onFailure("the connection to the stub was closed");
      return;
    }
    startExchange = caller;
    number = call;
    ctx.writeAndFlush(pool.writer().request(ctx.alloc(), service, value), ctx.voidPromise());
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      if (message instanceof HttpResponse response) {
        status = response.decoderResult().isFailure() ? 0 : response.status().code();
        keepAlive = HttpUtil.isKeepAlive(response);
        body.clear();
      }
      if (message instanceof HttpContent content) {
        append(ctx, content);
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    pool.onClosed(this);
    fail("the stub closed the connection");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable lost) {
    fail("the connection to the stub failed: " + lost);
    ctx.close();
  }

  private void append(ChannelHandlerContext ctx, HttpContent content) {
    if (content.decoderResult().isFailure() || !body.append(content.content())) {
      fail("the stub's answer is malformed or too large");
      ctx.close();
    } else if (content instanceof LastHttpContent) {
      onAnswered(ctx);
    }
  }

  private void onAnswered(ChannelHandlerContext ctx) {
    StartExchange caller = startExchange;
    int call = number;
    startExchange = null;
    if (keepAlive) {
      pool.onFree(this);
    } else {
      ctx.close();
    }
    if (caller != null) {
      deliver(caller, call);
    }
  }

  private void deliver(StartExchange caller, int call) {
    JsonNode value;
    try {
      value = JSON.readTree(body.bytes(), 0, body.length()).path("value");
    } catch (IOException e) {
      caller.onFailure("expected JSON from the stub, found " + e.getMessage());
      return;
    }
    if (status == 200 && value.isIntegralNumber() && value.canConvertToLong()) {
      caller.onAnswer(call, value.longValue());
    } else {
      caller.onFailure("expected status 200 and an integer value, found " + status + " " + value);
    }
  }

  private void fail(String reason) {
    StartExchange caller = startExchange;
    startExchange = null;
    if (caller != null) {
      caller.onFailure(reason);
    }
  }
}
