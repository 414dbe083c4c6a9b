package dev.pinion.bootstrap.dispatch;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/**
 * Whether connections are accepted: while there is space for them, and not for a moment after
 * accepting failed, even if there is space. Clients wait in the backlog of the operating system
 * meanwhile. Part of the pipeline of the accepting socket; used by its event loop only.
 */
final class AcceptGate extends ChannelInboundHandlerAdapter {
  /** Time without accepting after it failed. */
  static final long PAUSE_MILLIS = 100;

  private final RateLimitedWarning failed;

  @SuppressWarnings("NullAway.Init") // set by handlerAdded, which precedes every other call
  private ChannelHandlerContext context;

  private boolean room;
  private boolean pausing;

  AcceptGate(RateLimitedWarning failed) {
    this.failed = failed;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  /** Sets whether there is space. */
  void room(boolean now) {
    room = now;
    apply();
  }

  private void apply() {
    context.channel().config().setAutoRead(room && !pausing);
  }

  /** Handles a failed accept, mostly for want of file descriptors; some are freed meanwhile. */
  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the loop ends with the pause, or nothing accepts
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    failed.happened(
        "expected to accept connections of clients, but could not: "
            + cause
            + "; check the limit of open files (ulimit -n)");
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
