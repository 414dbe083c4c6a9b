package dev.pinion.core.http;

import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.limits.RequestLimits;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One client connection: one request at a time, in order.
 *
 * <pre>
 *   IDLE ── first byte ──▶ HEAD ── head complete ──▶ BODY ── body complete ──▶ ANSWERING ──▶ IDLE
 *                            └── broken or too slow ──┴──▶ CLOSING ◀── last answer ──┘
 * </pre>
 *
 * <p>A connection that is to be closed sends its last answer, closes its sending direction and
 * continues to read for a moment, so that a client still sending sees the answer and not a reset
 * (RFC 9112 section 9.6). The moment begins when the operating system has the answer; until then a
 * client may be slow as long as it reads something. All methods but {@link #onLoop} belong to the
 * channel's event loop.
 */
// A failed write reaches exceptionCaught or closes the channel; a failed close leaves nothing to
// do.
@SuppressWarnings("FutureReturnValueIgnored")
public final class HttpConnection extends ChannelInboundHandlerAdapter
    implements StrictRequestDecoder.HeadListener {
  private enum ConnectionPhase {
    IDLE,
    HEAD,
    BODY,
    ANSWERING,
    CLOSING
  }

  private static final long BODY_GRACE_MILLIS = 5_000;
  private static final long CLOSING_MILLIS = 2_000;

  /** Size from which an answer is flushed at once, so that many in one cycle keep to the bound. */
  private static final int LARGE_ANSWER_BYTES = 64 << 10;

  /** Pipelined requests answered before other connections have their turn. */
  public static final int ANSWERS_PER_TURN = 16;

  private final HttpServer httpServer;
  private final boolean fromPeer;
  private final RequestLimits limits;
  private final StrictRequestDecoder decoder;
  private final RequestBodyBuffer body;
  private final IdleTimer idleTimer = new IdleTimer();
  private final ChannelFutureListener finish = this::finish;
  private final ConnectionQueue.Link place = new ConnectionQueue.Link();

  @SuppressWarnings("NullAway.Init") // set by handlerAdded, which comes before every other call
  private ChannelHandlerContext context;

  private ConnectionPhase connectionPhase = ConnectionPhase.IDLE;
  private boolean touched;
  private boolean unflushed;
  private boolean gone;
  private int slot;

  /** Whether a complete head has ever arrived. */
  private boolean heard;

  /** Requests answered in this turn. */
  private int answeredInTurn;

  /** Whether the next request waits: for another turn, or for the client to read. */
  private boolean paused;

  /** Whether the server will resume it in another turn. */
  private boolean resuming;

  /** Whether the operating system has the last answer: it waits for the client's end. */
  private boolean lastSent;

  /** Bytes that are counted as unsent. */
  private long unsent;

  private @Nullable HttpExchange httpExchange;
  private @Nullable Problem refusal;
  private long bodyBytes;
  private int maxBodyBytes;
  private boolean keepAlive;
  private boolean http10;
  private boolean withoutBody;

  /**
   * A new connection.
   *
   * @param fromPeer whether another replica opened it
   */
  HttpConnection(HttpServer httpServer, boolean fromPeer) {
    this.httpServer = httpServer;
    this.fromPeer = fromPeer;
    this.limits = httpServer.limits();
    this.decoder = new StrictRequestDecoder(limits, this);
    this.body = new RequestBodyBuffer(httpServer.budget());
  }

  HttpServer server() {
    return httpServer;
  }

  /**
   * Whether another replica opened it: it may stay idle, and receives the load with each answer.
   */
  boolean fromPeer() {
    return fromPeer;
  }

  /** Address of the client, without its port; empty when it is not known. */
  String client() {
    return context.channel().remoteAddress() instanceof InetSocketAddress address
        ? address.getAddress().getHostAddress()
        : "";
  }

  /** Its place in a queue of the server's. */
  ConnectionQueue.Link queueLink() {
    return place;
  }

  /** Its place among the server's connections. */
  int index() {
    return slot;
  }

  void setIndex(int place) {
    slot = place;
  }

  /** Decodes for this connection; stands in front of it in the pipeline. */
  StrictRequestDecoder decoder() {
    return decoder;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    httpServer.opened(this);
    markDirty(); // its end of cycle finds it idle
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      if (gone || connectionPhase == ConnectionPhase.CLOSING) {
        return;
      }
      if (message instanceof HttpRequest request) {
        onHead(request);
      } else if (message instanceof HttpContent content) {
        onContent(content);
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  @Override
  public void onHeadBegins() {
    http10 = false;
    withoutBody = false;
    httpServer.idleConnections().busy(this);
    enter(ConnectionPhase.HEAD);
  }

  @Override
  public void onBadHead(Problem problem) {
    reject(problem);
  }

  private void onHead(HttpRequest request) {
    if (!heard && !fromPeer) {
      heard = true;
      httpServer.idleConnections().onFirstRequest(this);
    }
    http10 = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
    withoutBody = request.method().name().equals("HEAD");
    Problem broken = HeadCheck.problem(request);
    if (broken != null) {
      reject(broken);
      return;
    }
    keepAlive = HttpUtil.isKeepAlive(request);
    HeadAdmission.RoutedHead routedHead = httpServer.admission().admit(request, fromPeer);
    httpExchange = new HttpExchange(this, request, routedHead.match(), routedHead.mediaType());
    refusal = routedHead.problem();
    maxBodyBytes = routedHead.maxBodyBytes();
    bodyBytes = 0;
    enter(ConnectionPhase.BODY);
    if (HttpUtil.getContentLength(request, 0L) > maxBodyBytes) {
      reject(tooLarge());
    } else {
      onExpectation(request);
    }
  }

  /** Handles Expect (RFC 9110 section 10.1.1); a client of HTTP/1.0 expects nothing. */
  private void onExpectation(HttpRequest request) {
    String expectation = request.headers().get(HttpHeaderNames.EXPECT);
    if (expectation == null || http10) {
      return;
    }
    if (!expectation.equalsIgnoreCase("100-continue")) {
      reject(
          Problem.of(
              ProblemType.EXPECTATION_FAILED,
              "expected Expect: 100-continue or no Expect field, found "
                  + Problem.quoted(expectation)));
    } else if (refusal != null) {
      reject(refusal);
    } else if (HttpUtil.isTransferEncodingChunked(request)
        || HttpUtil.getContentLength(request, 0L) > 0) {
      write(httpServer.writer().interim(context.alloc()));
    }
  }

  private void onContent(HttpContent content) {
    if (connectionPhase != ConnectionPhase.BODY) {
      return;
    }
    if (content.decoderResult().isFailure()) {
      reject(
          Problem.of(
              ProblemType.MALFORMED_HTTP, "expected a body in chunks of RFC 9112 section 7.1"));
      return;
    }
    ByteBuf part = content.content();
    bodyBytes += part.readableBytes();
    boolean last = content instanceof LastHttpContent;
    if (bodyBytes > maxBodyBytes) {
      reject(tooLarge());
    } else if (last && body.length() == 0) {
      dispatch(part);
    } else if (refusal == null && part.isReadable() && !body.append(context.alloc(), part)) {
      reject(Problem.overload("request.maxBufferedBytes"));
    } else if (last) {
      dispatch(body.content());
    }
  }

  private void dispatch(ByteBuf complete) {
    enter(ConnectionPhase.ANSWERING);
    HttpExchange current = httpExchange;
    if (current == null) {
      return;
    }
    if (refusal != null) {
      current.reject(refusal);
    } else if (!httpServer.begin()) {
      current.reject(Problem.overload("request.maxRequests"));
    } else {
      current.markCounted();
      current.handle(complete);
      // The endpoint has copied what it still needs of the body.
      body.clear();
    }
  }

  private Problem tooLarge() {
    return Problem.of(
        ProblemType.BODY_TOO_LARGE,
        "expected a body of at most " + maxBodyBytes + " bytes, found a larger one");
  }

  /** Sends the answer to the request under way. */
  void respond(HttpExchange answered, Response response) {
    if (httpExchange != answered || gone) {
      return;
    }
    boolean close = !keepAlive || (httpServer.isDraining() && !canMove());
    end();
    if (fromPeer) {
      httpServer.interception().completeForPeer(answered, response);
    }
    ByteBuf bytes =
        httpServer.writer().write(context.alloc(), response, withoutBody, close, http10);
    ByteBuf shared = withoutBody ? null : response.sharedBody();
    if (shared != null) {
      write(bytes);
      bytes = shared.retainedDuplicate();
    }
    if (close) {
      writeLast(bytes);
      return;
    }
    int length = bytes.readableBytes();
    write(bytes);
    enter(ConnectionPhase.IDLE);
    sendIfLarge(length);
    if (gone) {
      return;
    }
    if (++answeredInTurn < ANSWERS_PER_TURN && context.channel().isWritable()) {
      decoder.release(context);
    } else {
      paused = true;
    }
  }

  /** Allows the next request; one that has arrived already waits for another turn. */
  private void goOn() {
    if (resuming) {
      return;
    }
    if (decoder.hasReadAhead()) {
      resuming = true;
      httpServer.resumeLater(this);
    } else {
      paused = false;
      decoder.release(context);
    }
  }

  /** Continues with the next request, in a separate turn. */
  public void resume() {
    resuming = false;
    if (!gone && paused && context.channel().isWritable()) {
      paused = false;
      decoder.release(context);
    }
  }

  /** Answers a request that cannot be read to its end, and closes. */
  private void reject(Problem problem) {
    end();
    Response response = httpServer.answer(problem);
    writeLast(httpServer.writer().write(context.alloc(), response, withoutBody, true, http10));
  }

  private void end() {
    HttpExchange ended = httpExchange;
    httpExchange = null;
    refusal = null;
    body.clear();
    if (ended != null && ended.end()) {
      httpServer.ended();
    }
  }

  private void write(ByteBuf bytes) {
    context.write(bytes, context.voidPromise());
    unflushed = true;
    markDirty();
  }

  private void writeLast(ByteBuf bytes) {
    enter(ConnectionPhase.CLOSING);
    httpServer.idleConnections().closing(this);
    decoder.discardAll();
    unflushed = true;
    markDirty();
    int length = bytes.readableBytes();
    context.write(bytes).addListener(finish);
    sendIfLarge(length);
  }

  private void sendIfLarge(int length) {
    if (length >= LARGE_ANSWER_BYTES) {
      unflushed = false;
      context.flush();
      takeStock();
      httpServer.unsent().keepBound();
    }
  }

  private void finish(ChannelFuture written) {
    if (written.isSuccess() && written.channel() instanceof DuplexChannel duplex) {
      duplex.shutdownOutput();
      duplex.config().setAutoRead(true);
      lastSent = true;
      idleTimer.restart();
      markDirty();
    } else {
      written.channel().close();
    }
  }

  private void enter(ConnectionPhase next) {
    connectionPhase = next;
    idleTimer.restart();
    markDirty();
  }

  /** Requests {@link #flushCycle} at the end of this duty cycle. */
  void markDirty() {
    if (!touched) {
      touched = true;
      httpServer.markDirty(this);
    }
  }

  /** Starts the timers of the events of this duty cycle and flushes its writes at once. */
  public void flushCycle(long nowNanos) {
    touched = false;
    if (gone) {
      return;
    }
    idleTimer.tick(nowNanos);
    if (unflushed) {
      unflushed = false;
      context.flush();
    }
    answeredInTurn = 0;
    if (paused && context.channel().isWritable()) {
      goOn();
    }
    takeStock();
    moveIfIdle();
  }

  /**
   * Reports the bytes that wait to be sent, and whether nothing is under way, to the httpServer.
   */
  private void takeStock() {
    if (fromPeer || gone) {
      return;
    }
    long now = unsentBytes();
    if (now != 0 || unsent != 0) {
      httpServer.unsent().changed(this, unsent, now);
      unsent = now;
    }
    if (now == 0 && connectionPhase == ConnectionPhase.IDLE) {
      httpServer.idleConnections().idle(this, heard);
    }
  }

  /**
   * Milliseconds until it may be closed to make room for another client.
   *
   * @param leastSilentMillis least idle time of a connection that has sent nothing
   */
  long evictableInMillis(long nowNanos, long leastSilentMillis) {
    boolean nothingUnderWay =
        connectionPhase == ConnectionPhase.IDLE
            || (connectionPhase == ConnectionPhase.HEAD && !heard);
    if (!nothingUnderWay || unsent != 0) {
      return IdleClientConnections.LEAST_IDLE_MILLIS;
    }
    boolean silent = connectionPhase == ConnectionPhase.IDLE && !heard;
    long least = silent ? leastSilentMillis : IdleClientConnections.LEAST_IDLE_MILLIS;
    return Math.max(0, least - idleTimer.millis(nowNanos));
  }

  /** Whether another replica can take over this connection. */
  private boolean canMove() {
    return !fromPeer && httpServer.connectionReturn().open();
  }

  /** While the replica drains, hands an idle connection over to another one. */
  private void moveIfIdle() {
    if (connectionPhase == ConnectionPhase.IDLE
        && context.channel().isOpen() // a client that leaves is reported after this turn
        && httpServer.isDraining()
        && canMove()
        && !paused
        && unsentBytes() == 0
        && decoder.isEmpty()) {
      Channel channel = context.channel();
      // Leaving its loop takes a turn: bytes that arrive meanwhile are for its next replica.
      channel.config().setAutoRead(false);
      // It counts as being handed over before it no longer counts as open.
      httpServer.connectionReturn().giveBack(channel);
      channel.pipeline().remove(decoder);
      channel.pipeline().remove(this);
    }
  }

  /** Ends phases that have taken too long. Called every few hundred milliseconds. */
  public void expire(long nowNanos) {
    switch (connectionPhase) {
      case IDLE -> {
        moveIfIdle();
        if (gone) {
          return;
        }
        idleTimer.progress(nowNanos, unsentBytes());
        takeStock();
        if (!fromPeer && idleTimer.idleMillis(nowNanos) >= limits.idleTimeoutMillis()) {
          context.close();
        }
      }
      case HEAD -> {
        if (idleTimer.millis(nowNanos) >= limits.headTimeoutMillis()) {
          reject(tooSlow("a complete head within " + limits.headTimeoutMillis() + " ms"));
        }
      }
      case BODY -> {
        idleTimer.progress(nowNanos, bodyBytes);
        if (bodyTooSlow(nowNanos)) {
          reject(
              tooSlow("a body at " + limits.minBodyBytesPerSecond() + " bytes a second or more"));
        }
      }
      case CLOSING -> {
        idleTimer.progress(nowNanos, unsentBytes());
        takeStock();
        if (idleTimer.idleMillis(nowNanos)
            >= (lastSent ? CLOSING_MILLIS : limits.idleTimeoutMillis())) {
          context.close();
        }
      }
      case ANSWERING -> {}
    }
  }

  private boolean bodyTooSlow(long nowNanos) {
    long millis = idleTimer.millis(nowNanos);
    return idleTimer.idleMillis(nowNanos) >= limits.idleTimeoutMillis()
        || (millis > BODY_GRACE_MILLIS
            && bodyBytes * 1_000 < limits.minBodyBytesPerSecond() * millis);
  }

  private static Problem tooSlow(String expected) {
    return Problem.of(
        ProblemType.REQUEST_TIMEOUT, "expected " + expected + ", found a slower client");
  }

  /** Bytes not yet taken by the operating system: they shrink while a client reads. */
  private long unsentBytes() {
    ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
  }

  /** Runs something on the event loop, at once when called by it. Any thread. */
  void onLoop(Runnable task) {
    if (context.executor().inEventLoop()) {
      task.run();
      return;
    }
    try {
      context.executor().execute(task);
    } catch (RejectedExecutionException e) {
      httpServer.taskLost();
    }
  }

  /** Closes without an answer. */
  public void closeNow() {
    forget();
    context.close();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (paused && ctx.channel().isWritable()) {
      goOn();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    forget();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    forget();
  }

  private void forget() {
    if (!gone) {
      gone = true;
      end();
      if (unsent != 0) {
        httpServer.unsent().changed(this, unsent, 0);
      }
      httpServer.idleConnections().onClosed(this, heard);
      httpServer.closed(this);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(cause instanceof IOException)) {
      httpServer.failed(cause);
    }
    ctx.close();
  }
}
