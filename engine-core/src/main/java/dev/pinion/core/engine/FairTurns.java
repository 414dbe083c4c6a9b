package dev.pinion.core.engine;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannelRecvByteBufAllocator;

/** Bounds of what one channel does before others have their turn on its event loop. */
final class FairTurns {
  /** Reads, of up to 64 KiB each, that one connection may take before others have their turn. */
  private static final int READS_PER_TURN = 4;

  /** Connections that are accepted before others have their turn. */
  private static final int ACCEPTS_PER_TURN = 4;

  private FairTurns() {}

  /**
   * Bounds the connections accepted in one turn, so that a flood does not delay existing ones.
   * Netty is not asked whether more wait: it does not know this for a listening socket, and would
   * accept one a turn. Without epoll the connections of a turn are counted after it, so that three
   * may exceed the bound.
   */
  static RecvByteBufAllocator accepts() {
    return new ServerChannelRecvByteBufAllocator()
        .respectMaybeMoreData(false)
        .maxMessagesPerRead(ACCEPTS_PER_TURN);
  }

  /** Bounds reads in one turn, so that a client with a large body does not starve others. */
  static RecvByteBufAllocator reads() {
    return new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(READS_PER_TURN);
  }
}
