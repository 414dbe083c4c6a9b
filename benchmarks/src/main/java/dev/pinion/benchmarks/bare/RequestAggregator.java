package dev.pinion.benchmarks.bare;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/**
 * Assembles the requests of one connection. One request at a time: a client that sends the next one
 * before its response is disconnected.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
public abstract class RequestAggregator extends ChannelInboundHandlerAdapter {
  private final MessageBuffer body = new MessageBuffer();
  private HttpMethod method = HttpMethod.GET;
  private String uri = "";
  private boolean keepAlive = true;
  private boolean busy;

  /** Handles a complete request; its body stays valid until the response. */
  protected abstract void onRequest(ChannelHandlerContext ctx, HttpMethod method, String uri);

  /** Body of the request under way. */
  protected final MessageBuffer body() {
    return body;
  }

  /**
   * Responds to the request under way. One flush for each response: the client's next request
   * follows only after it, so there is nothing to batch.
   */
  protected final void answer(ChannelHandlerContext ctx, ByteBuf answer) {
    busy = false;
    if (keepAlive) {
      ctx.writeAndFlush(answer, ctx.voidPromise());
    } else {
      ctx.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public final void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      if (busy) {
        ctx.close();
        return;
      }
      if (message instanceof HttpRequest request) {
        begin(ctx, request);
      }
      if (message instanceof HttpContent content) {
        append(ctx, content);
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  @Override
  public final void exceptionCaught(ChannelHandlerContext ctx, Throwable lost) {
    ctx.close();
  }

  private void begin(ChannelHandlerContext ctx, HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      ctx.close();
      return;
    }
    method = request.method();
    uri = request.uri();
    keepAlive = HttpUtil.isKeepAlive(request);
    body.clear();
  }

  private void append(ChannelHandlerContext ctx, HttpContent content) {
    if (content.decoderResult().isFailure() || !body.append(content.content())) {
      ctx.close();
    } else if (content instanceof LastHttpContent) {
      busy = true;
      onRequest(ctx, method, uri);
    }
  }
}
