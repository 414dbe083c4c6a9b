package dev.pinion.benchmarks.bare;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMethod;

/** One client connection of the echo server. */
final class EchoHandler extends RequestAggregator {
  private static final byte[] HEAD =
      "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ".getBytes(US_ASCII);
  private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(US_ASCII);
  private static final int MAX_DIGITS = 10;

  @Override
  protected void onRequest(ChannelHandlerContext ctx, HttpMethod method, String uri) {
    int length = body().length();
    ByteBuf out = ctx.alloc().ioBuffer(HEAD.length + MAX_DIGITS + END_OF_HEAD.length + length);
    out.writeBytes(HEAD);
    ByteBufUtil.writeAscii(out, Integer.toString(length));
    out.writeBytes(END_OF_HEAD).writeBytes(body().bytes(), 0, length);
    answer(ctx, out);
  }
}
