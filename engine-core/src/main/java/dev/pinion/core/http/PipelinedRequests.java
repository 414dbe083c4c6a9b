package dev.pinion.core.http;

import io.netty.channel.ChannelHandlerContext;

/**
 * When the next request of a connection is decoded: at once after an answer, or in another turn, so
 * that a client that sends ahead does not keep others waiting. Event loop only.
 */
public final class PipelinedRequests {
  /** Requests answered before other connections have their turn. */
  public static final int ANSWERS_PER_TURN = 16;

  private final StrictRequestDecoder decoder;

  /** Requests answered in this turn. */
  private int answeredInTurn;

  /** Whether the next request waits: for another turn, or for the client to read. */
  private boolean paused;

  /** Whether the server will resume the connection in another turn. */
  private boolean resuming;

  PipelinedRequests(StrictRequestDecoder decoder) {
    this.decoder = decoder;
  }

  /** Decodes the next request after an answer, unless it has to wait. */
  void onAnswer(ChannelHandlerContext context) {
    if (++answeredInTurn < ANSWERS_PER_TURN && context.channel().isWritable()) {
      decoder.release(context);
    } else {
      paused = true;
    }
  }

  /** Begins another turn. */
  void beginTurn() {
    answeredInTurn = 0;
  }

  /**
   * Allows a request that waits; one that has arrived already waits for another turn.
   *
   * @return whether the server has to resume the connection in another turn
   */
  boolean needsTurn(ChannelHandlerContext context) {
    if (!paused || resuming || !context.channel().isWritable()) {
      return false;
    }
    if (decoder.hasReadAhead()) {
      resuming = true;
      return true;
    }
    paused = false;
    decoder.release(context);
    return false;
  }

  /** Continues with the next request, in a turn for it. */
  void resume(ChannelHandlerContext context, boolean gone) {
    resuming = false;
    if (!gone && paused && context.channel().isWritable()) {
      paused = false;
      decoder.release(context);
    }
  }

  /** Whether the next request waits. */
  boolean isPaused() {
    return paused;
  }
}
