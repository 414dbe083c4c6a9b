package dev.pinion.handlers.remote;

import dev.pinion.core.model.Clock;
import dev.pinion.handlers.api.AsyncHandler;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;

/**
 * A stateless handler that runs here or in a host, wherever the measured cost is less. When no host
 * takes it, the time spent counts as the cost, so that further messages stay here.
 */
final class AutoPlacedHandler implements AsyncHandler {
  private final RemoteHandler remote;
  private final Handler local;
  private final Clock clock;
  private final CostModel cost = new CostModel();

  AutoPlacedHandler(RemoteHandler remote, Clock clock) {
    this.remote = remote;
    this.local = remote.local();
    this.clock = clock;
  }

  @Override
  public Declaration declaration() {
    return local.declaration();
  }

  @Override
  public boolean repliesLater(View message) {
    return cost.goesAway(size(message));
  }

  @Override
  public Verdict handle(View message) throws Exception {
    long began = clock.nanoTime();
    try {
      return local.handle(message);
    } finally {
      cost.local(size(message), clock.nanoTime() - began);
    }
  }

  private static long size(View message) {
    return message.visible().body().size();
  }

  @Override
  public void begin(View message, Reply reply) {
    remote.begin(message, new MeasuredReply(reply, size(message), clock.nanoTime()));
  }

  /** The place for messages of a size, with the reason. */
  PlacementDecision decision(long size) {
    return cost.decision(size);
  }

  @Override
  public void close() {
    remote.close(); // and with it the local one
  }

  private final class MeasuredReply implements TimedReply {
    private final Reply reply;
    private final long size;
    private final long began;
    private long handledNanos;

    MeasuredReply(Reply reply, long size, long began) {
      this.reply = reply;
      this.size = size;
      this.began = began;
    }

    @Override
    public void handledIn(long nanos) {
      handledNanos = nanos;
    }

    @Override
    public void done(Verdict verdict) {
      cost.remote(size, clock.nanoTime() - began, handledNanos);
      reply.done(verdict);
    }

    @Override
    public void failed(Throwable failure) {
      cost.remote(size, clock.nanoTime() - began, 0);
      reply.failed(failure);
    }
  }
}
