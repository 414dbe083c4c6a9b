package dev.pinion.workloads.load;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.Arrays;

/** One connection of a client: assembles responses. */
final class LoadConnection extends ChannelInboundHandlerAdapter {
  /** The largest body of a response, in bytes. */
  static final int MAX_BODY = 16 << 20;

  private final LoadClient client;
  private int status;
  private boolean interim;
  private boolean keepAlive;
  private byte[] body = new byte[1_024];
  private int length;

  LoadConnection(LoadClient client) {
    this.client = client;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      if (message instanceof HttpObject part && part.decoderResult().isFailure()) {
        client.onBroken(this, "malformed answer", String.valueOf(part.decoderResult().cause()));
        return;
      }
      if (message instanceof HttpResponse response) {
        begin(response);
      }
      if (message instanceof HttpContent content) {
        append(content);
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    client.onClosed(this, "the server closed the connection");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    client.onClosed(this, String.valueOf(cause.getMessage()));
    var _ = ctx.close();
  }

  private void begin(HttpResponse response) {
    status = response.status().code();
    interim = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    keepAlive = HttpUtil.isKeepAlive(response);
    length = 0;
  }

  private void append(HttpContent content) {
    ByteBuf bytes = content.content();
    int added = bytes.readableBytes();
    if (length + added > MAX_BODY) {
      client.onBroken(this, "answer too large", "more than " + MAX_BODY + " bytes");
      return;
    }
    if (length + added > body.length) {
      body = Arrays.copyOf(body, Math.max(length + added, 2 * body.length));
    }
    bytes.readBytes(body, length, added);
    length += added;
    if (content instanceof LastHttpContent && !interim) {
      client.onAnswer(this, status, body, length, keepAlive);
    }
  }
}
