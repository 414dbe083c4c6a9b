package dev.pinion.bootstrap.dispatch;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/**
 * Whether connections are accepted: while there is room for them, and not for a moment after
 * accepting failed, whatever room there is by then. Clients wait in the backlog of the operating
 * system meanwhile. Stands in the pipeline of the socket that accepts; its event loop only.
 */
final class AcceptGate extends ChannelInboundHandlerAdapter {
  /** Time without accepting after it failed. */
  static final long PAUSE_MILLIS = 100;

  private final RareWarning failed;

  @SuppressWarnings("NullAway.Init") // set by handlerAdded, which comes before every other call
  private ChannelHandlerContext context;

  private boolean room;
  private boolean pausing;

  AcceptGate(RareWarning failed) {
    this.failed = failed;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  /** Says whether there is room. */
  void room(boolean now) {
    room = now;
    apply();
  }

  private void apply() {
    context.channel().config().setAutoRead(room && !pausing);
  }

  /** Accepting failed, for want of file descriptors most likely; some are freed meanwhile. */
  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the loop ends with the pause, or nobody accepts
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    failed.happened(
        "expected to accept connections of clients, but could not: "
            + cause
            + "; look at the limit of open files (ulimit -n)");
    if (!pausing) {
      pausing = true;
      apply();
      ctx.executor().schedule(this::goOn, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void goOn() {
    pausing = false;
    apply();
  }
}
