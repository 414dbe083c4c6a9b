package dev.pinion.core.http;

import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.limits.RequestLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import java.util.List;

/**
 * Netty's request decoder, strict and one request at a time: it decodes nothing further until that
 * request is answered. Bytes sent ahead stay undecoded in one buffer, and reading stops when there
 * are any.
 */
// A failed write reaches exceptionCaught or closes the channel; a failed close leaves nothing to
// do.
@SuppressWarnings("FutureReturnValueIgnored")
final class StrictRequestDecoder extends HttpRequestDecoder {
  /** Bytes discarded on a connection that is being closed before it is closed without waiting. */
  static final int MAX_DISCARDED = 1 << 20;

  /** Receives events of the decoder besides messages. */
  interface HeadListener {
    /** The first byte of a head has arrived. */
    void onHeadBegins();

    /** The head violates the rules. */
    void onBadHead(Problem problem);
  }

  private enum DecoderMode {
    HEAD,
    BODY,
    HELD,
    DISCARD
  }

  private final HeadScanner scanner;
  private final HeadListener headListener;
  private DecoderMode decoderMode = DecoderMode.HEAD;
  private boolean headBegun;
  private boolean lineSkipped;
  private boolean readAhead;
  private int contentLengths;
  private long discarded;

  StrictRequestDecoder(RequestLimits limits, HeadListener headListener) {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(limits.maxUriBytes() + 2)
            .setMaxHeaderSize(limits.maxHeaderBytes() + 2)
            .setMaxChunkSize(limits.maxBodyBytes())
            .setStrictLineParsing(true)
            .setUseRfc9112TransferEncoding(true)
            .setAllowDuplicateContentLengths(false)
            // The scanner has checked names and values of the head already.
            .setHeadersFactory(DefaultHttpHeadersFactory.headersFactory().withValidation(false)));
    this.scanner = new HeadScanner(limits);
    this.headListener = headListener;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    switch (decoderMode) {
      case HEAD -> {
        if (headComplete(in)) {
          decoderMode = DecoderMode.BODY;
          decodeOne(ctx, in, out);
        }
      }
      case BODY -> decodeOne(ctx, in, out);
      case HELD -> stopReading(ctx, in);
      case DISCARD -> discard(ctx, in);
    }
  }

  private boolean headComplete(ByteBuf in) {
    if (!headBegun && !beginHead(in)) {
      return false;
    }
    try {
      return scanner.scan(in);
    } catch (ProblemException e) {
      decoderMode = DecoderMode.DISCARD;
      in.skipBytes(in.readableBytes());
      headListener.onBadHead(e.problem());
      return false;
    }
  }

  /** Skips one empty line in front of a request (RFC 9112 section 2.2). */
  private boolean beginHead(ByteBuf in) {
    if (!lineSkipped && in.getByte(in.readerIndex()) == '\r') {
      if (in.readableBytes() < 2) {
        return false;
      }
      if (in.getByte(in.readerIndex() + 1) == '\n') {
        in.skipBytes(2);
        lineSkipped = true;
      }
    }
    if (in.isReadable()) {
      headBegun = true;
      headListener.onHeadBegins();
    }
    return headBegun;
  }

  /** Refuses a second Content-Length, which Netty would drop from a message of HTTP/1.0. */
  @Override
  protected AsciiString splitHeaderName(byte[] line, int start, int length) {
    AsciiString name = super.splitHeaderName(line, start, length);
    if (HttpHeaderNames.CONTENT_LENGTH.contentEqualsIgnoreCase(name) && ++contentLengths > 1) {
      throw new IllegalArgumentException("expected one Content-Length, found another one");
    }
    return name;
  }

  /** Reads later versions of HTTP/1 as HTTP/1.1: the decoder frames by equality. */
  @Override
  protected HttpMessage createMessage(String[] line) throws Exception {
    if (!line[2].equals(HttpVersion.HTTP_1_0.text())) {
      line[2] = HttpVersion.HTTP_1_1.text();
    }
    return super.createMessage(line);
  }

  private void decodeOne(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    super.decode(ctx, in, out);
    if (!out.isEmpty() && out.getLast() instanceof LastHttpContent) {
      decoderMode = DecoderMode.HELD;
    }
  }

  private void stopReading(ChannelHandlerContext ctx, ByteBuf in) {
    if (in.isReadable() && !readAhead) {
      readAhead = true;
      ctx.channel().config().setAutoRead(false);
    }
  }

  private void discard(ChannelHandlerContext ctx, ByteBuf in) {
    discarded += in.readableBytes();
    in.skipBytes(in.readableBytes());
    if (discarded > MAX_DISCARDED) {
      ctx.close();
    }
  }

  /** Whether bytes of the next request have arrived. */
  boolean hasReadAhead() {
    return readAhead;
  }

  /** Whether no byte of a next request has arrived. */
  boolean isEmpty() {
    return decoderMode == DecoderMode.HEAD && !headBegun && actualReadableBytes() == 0;
  }

  /** Discards further bytes: the connection is to be closed. */
  void discardAll() {
    decoderMode = DecoderMode.DISCARD;
  }

  /**
   * Allows the next request to be decoded, as this one is answered. Called by the channel's event
   * loop.
   */
  void release(ChannelHandlerContext ctx) {
    if (decoderMode != DecoderMode.HELD) {
      return;
    }
    decoderMode = DecoderMode.HEAD;
    headBegun = false;
    lineSkipped = false;
    contentLengths = 0;
    scanner.reset();
    if (readAhead) {
      readAhead = false;
      ctx.pipeline().fireChannelRead(Unpooled.EMPTY_BUFFER);
      if (decoderMode != DecoderMode.HELD || !readAhead) {
        ctx.channel().config().setAutoRead(true);
      }
    }
  }
}
