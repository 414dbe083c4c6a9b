package dev.pinion.core.invoker.http;

import dev.pinion.core.limits.InvokerLimits;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponseDecoder;
import java.util.List;

/** Netty's decoder of responses, with the request of each and a report of what was received. */
final class ResponseDecoder extends HttpResponseDecoder {
  private static final int MAX_LINE_BYTES = 4096;

  private boolean answersHead;
  private boolean bytesSeen;
  private boolean ended;

  ResponseDecoder(InvokerLimits limits) {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(MAX_LINE_BYTES)
            .setMaxHeaderSize(limits.maxHeaderBytes()));
  }

  /** Sets the method of the request for the next response. */
  void expectAnswerTo(String method) {
    answersHead = method.equals("HEAD");
    bytesSeen = false;
  }

  /** Whether a byte has come since the last request. */
  boolean bytesSeen() {
    return bytesSeen;
  }

  /** Whether every byte received belongs to a response that was passed on. */
  boolean isDrained() {
    return actualReadableBytes() == 0;
  }

  /** Whether the present message is passed on because the connection has ended. */
  boolean ended() {
    return ended;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    bytesSeen = true;
    super.channelRead(context, message);
  }

  @Override
  protected void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws Exception {
    ended = true;
    super.decodeLast(context, in, out);
  }

  @Override
  protected boolean isContentAlwaysEmpty(HttpMessage message) {
    return answersHead || super.isContentAlwaysEmpty(message);
  }

  /** Rejects two lengths: they are an error, not a choice (RFC 9112, section 6.3). */
  @Override
  protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
    throw new IllegalArgumentException("both Transfer-Encoding and Content-Length");
  }
}
