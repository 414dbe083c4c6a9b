package dev.pinion.core.events;

import dev.pinion.core.spi.EventSubscriber;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A subscriber that takes what it is told to take. */
final class FedSubscriber implements EventSubscriber {
  final List<EventBatch> batches = new ArrayList<>();
  FeedRequest wanted = FeedRequest.NONE;
  boolean listening = true;
  int room = Integer.MAX_VALUE;
  long end = -1;
  @Nullable FeedProgress progress;
  long[] consumed = {};

  /** Requests an epoch for the first partitions. */
  FedSubscriber wanting(int epoch, long after, int... partitions) {
    BitSet set = new BitSet();
    for (int partition : partitions) {
      set.set(partition);
    }
    wanted = new FeedRequest(epoch, after, set);
    return this;
  }

  /** Has everything up to a position durable, for all partitions. */
  void reach(long position) {
    progress = new FeedProgress(wanted.epoch(), position, EventFeeder.allPartitions());
  }

  List<Long> positions() {
    return batches.stream()
        .flatMap(batch -> batch.events().stream())
        .map(LoggedEvent::position)
        .toList();
  }

  @Override
  public void attach(Runnable wakeup) {}

  @Override
  public FeedRequest wanted() {
    return wanted;
  }

  @Override
  public boolean listens() {
    return listening;
  }

  @Override
  public boolean offer(EventBatch batch) {
    if (room == 0) {
      return false;
    }
    room--;
    return batches.add(batch);
  }

  @Override
  public void logEnd(long position) {
    end = position;
  }

  @Override
  public @Nullable FeedProgress progress() {
    return progress;
  }

  @Override
  public long[] takeConsumed() {
    long[] taken = consumed;
    consumed = new long[0];
    return taken;
  }
}
