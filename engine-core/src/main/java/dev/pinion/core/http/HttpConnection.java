package dev.pinion.core.http;

import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.Response;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.RejectedExecutionException;

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
    implements StrictRequestDecoder.HeadListener,
        HttpExchange.Connection,
        HttpServer.ServedConnection,
        ClientConnection {
  private final HttpServer httpServer;
  private final boolean fromPeer;
  private final StrictRequestDecoder decoder;
  private final PipelinedRequests pipelinedRequests;
  private final IncomingRequest incoming;
  private final PhaseTimer phaseTimer;
  private final ConnectionOutput output;
  private final ChannelFutureListener finish = this::finish;
  private final ConnectionQueue.Link<ClientConnection> place = new ConnectionQueue.Link<>(this);

  @SuppressWarnings("NullAway.Init") // set by handlerAdded, which comes before every other call
  private ChannelHandlerContext context;

  private boolean touched;
  private boolean gone;
  private int slot;

  /** Whether a complete head has ever arrived. */
  private boolean heard;

  /** Whether the operating system has the last answer: it waits for the client's end. */
  private boolean lastSent;

  /**
   * A new connection.
   *
   * @param fromPeer whether another replica opened it
   */
  HttpConnection(HttpServer httpServer, boolean fromPeer) {
    this.httpServer = httpServer;
    this.fromPeer = fromPeer;
    this.decoder = new StrictRequestDecoder(httpServer.limits(), this);
    this.pipelinedRequests = new PipelinedRequests(decoder);
    this.incoming = new IncomingRequest(httpServer);
    this.phaseTimer = new PhaseTimer(httpServer.limits());
    this.output = new ConnectionOutput(httpServer.unsent(), this);
  }

  @Override
  public HttpExchange.Server server() {
    return httpServer;
  }

  /**
   * Whether another replica opened it: it may stay idle, and receives the load with each answer.
   */
  @Override
  public boolean fromPeer() {
    return fromPeer;
  }

  @Override
  public String client() {
    return context.channel().remoteAddress() instanceof InetSocketAddress address
        ? address.getAddress().getHostAddress()
        : "";
  }

  @Override
  public ConnectionQueue.Link<ClientConnection> queueLink() {
    return place;
  }

  @Override
  public int index() {
    return slot;
  }

  @Override
  public void setIndex(int place) {
    slot = place;
  }

  /** Decodes for this connection; stands in front of it in the pipeline. */
  StrictRequestDecoder decoder() {
    return decoder;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    output.attach(ctx);
    httpServer.opened(this);
    markDirty(); // its end of cycle finds it idle
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      if (gone || phaseTimer.isIn(ConnectionPhase.CLOSING)) {
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
    incoming.beginHead();
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
    Problem broken = incoming.onHead(request);
    if (broken != null) {
      reject(broken);
      return;
    }
    incoming.open(request, this);
    enter(ConnectionPhase.BODY);
    Problem unwanted = incoming.bodyProblem(request);
    if (unwanted != null) {
      reject(unwanted);
    } else if (incoming.wantsContinue(request)) {
      write(httpServer.writer().interim(context.alloc()));
    }
  }

  private void onContent(HttpContent content) {
    if (!phaseTimer.isIn(ConnectionPhase.BODY)) {
      return;
    }
    Problem broken = incoming.append(content, context.alloc());
    if (broken != null) {
      reject(broken);
    } else if (content instanceof LastHttpContent) {
      enter(ConnectionPhase.ANSWERING);
      incoming.dispatch(content.content());
    }
  }

  @Override
  public void respond(HttpExchange answered, Response response) {
    if (!httpServer.dispatcher().intercepts(answered, response)) {
      send(answered, response);
    }
  }

  /** Sends the answer to the request under way. */
  private void send(HttpExchange answered, Response response) {
    if (incoming.exchange() != answered || gone) {
      return;
    }
    boolean close = !incoming.keepAlive() || (httpServer.isDraining() && !canMove());
    incoming.end();
    if (fromPeer) {
      httpServer.dispatcher().completeForPeer(answered, response);
    }
    ByteBuf bytes = incoming.answer(context.alloc(), response, close);
    ByteBuf shared = incoming.withoutBody() ? null : response.sharedBody();
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
    if (!gone) {
      pipelinedRequests.onAnswer(context);
    }
  }

  private void goOn() {
    if (pipelinedRequests.needsTurn(context)) {
      httpServer.resumeLater(this);
    }
  }

  @Override
  public void resume() {
    pipelinedRequests.resume(context, gone);
  }

  /** Answers a request that cannot be read to its end, and closes. */
  private void reject(Problem problem) {
    incoming.end();
    writeLast(incoming.answer(context.alloc(), httpServer.answer(problem), true));
  }

  private void write(ByteBuf bytes) {
    output.write(bytes);
    markDirty();
  }

  private void writeLast(ByteBuf bytes) {
    enter(ConnectionPhase.CLOSING);
    httpServer.idleConnections().closing(this);
    decoder.discardAll();
    markDirty();
    int length = bytes.readableBytes();
    output.writeLast(bytes).addListener(finish);
    sendIfLarge(length);
  }

  private void sendIfLarge(int length) {
    if (output.flushIfLarge(length)) {
      takeStock();
      httpServer.unsent().keepBound();
    }
  }

  private void finish(ChannelFuture written) {
    if (written.isSuccess() && written.channel() instanceof DuplexChannel duplex) {
      duplex.shutdownOutput();
      duplex.config().setAutoRead(true);
      lastSent = true;
      phaseTimer.restart();
      markDirty();
    } else {
      written.channel().close();
    }
  }

  private void enter(ConnectionPhase next) {
    phaseTimer.enter(next);
    markDirty();
  }

  @Override
  public void markDirty() {
    if (!touched) {
      touched = true;
      httpServer.markDirty(this);
    }
  }

  @Override
  public void flushCycle(long nowNanos) {
    touched = false;
    if (gone) {
      return;
    }
    phaseTimer.tick(nowNanos);
    output.flush();
    pipelinedRequests.beginTurn();
    goOn();
    takeStock();
    moveIfIdle();
  }

  /** Reports the bytes that wait to be sent, and whether nothing is under way, to the server. */
  private void takeStock() {
    if (fromPeer || gone) {
      return;
    }
    long now = output.count();
    if (now == 0 && phaseTimer.isIn(ConnectionPhase.IDLE)) {
      httpServer.idleConnections().idle(this, heard);
    }
  }

  @Override
  public long evictableInMillis(long nowNanos, long leastSilentMillis) {
    return output.isWaiting()
        ? IdleClientConnections.LEAST_IDLE_MILLIS
        : phaseTimer.evictableInMillis(nowNanos, heard, leastSilentMillis);
  }

  /** Whether another replica can take over this connection. */
  private boolean canMove() {
    return !fromPeer && httpServer.connectionReturn().open();
  }

  /** While the replica drains, hands an idle connection over to another one. */
  private void moveIfIdle() {
    if (phaseTimer.isIn(ConnectionPhase.IDLE)
        && context.channel().isOpen() // a client that leaves is reported after this turn
        && httpServer.isDraining()
        && canMove()
        && !pipelinedRequests.isPaused()
        && output.waitingBytes() == 0
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

  @Override
  public void expire(long nowNanos) {
    switch (phaseTimer.phase()) {
      case IDLE -> {
        moveIfIdle();
        if (gone) {
          return;
        }
        phaseTimer.progress(nowNanos, output.waitingBytes());
        takeStock();
        if (!fromPeer && phaseTimer.isIdleTooLong(nowNanos)) {
          context.close();
        }
      }
      case HEAD -> {
        if (phaseTimer.isHeadTooSlow(nowNanos)) {
          reject(phaseTimer.slowHead());
        }
      }
      case BODY -> {
        phaseTimer.progress(nowNanos, incoming.bodyBytes());
        if (phaseTimer.isBodyTooSlow(nowNanos, incoming.bodyBytes())) {
          reject(phaseTimer.slowBody());
        }
      }
      case CLOSING -> {
        phaseTimer.progress(nowNanos, output.waitingBytes());
        takeStock();
        if (phaseTimer.isClosingTooLong(nowNanos, lastSent)) {
          context.close();
        }
      }
      case ANSWERING -> {}
    }
  }

  @Override
  public void onLoop(Runnable task) {
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

  @Override
  public void closeNow() {
    forget();
    context.close();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    goOn();
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
      incoming.end();
      output.close();
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
