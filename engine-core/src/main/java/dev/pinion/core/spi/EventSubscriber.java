package dev.pinion.core.spi;

import dev.pinion.core.model.Payload;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receiver of the log of events: a kernel, whose instances listen. It is fed all events in their
 * order, and tells how far it has come. Any thread; no method blocks.
 *
 * <p>An epoch is one pass over the log. Another one begins when partitions arrive, since their
 * former owner may have come less far, or when events that were left out are needed after all.
 */
public interface EventSubscriber {
  /**
   * Sets what is run when it wants something, or has room again.
   *
   * @param wakeup run by the subscriber's thread; returns at once
   */
  void attach(Runnable wakeup);

  /** What it has to be fed. */
  FeedRequest wanted();

  /** Whether any instance listens: events may be left out while none does. */
  boolean listens();

  /** Offers the next events; returns whether there was room. */
  boolean offer(EventBatch batch);

  /**
   * Tells the last position of the log, as far as it is known here. Before an event is
   * acknowledged, so that who listens after that does not receive it.
   */
  void logEnd(long position);

  /** How far it has come; null before it has come anywhere. */
  @Nullable FeedProgress progress();

  /**
   * Takes the positions of events that instances have consumed since the last call, as pairs of
   * first and last position.
   */
  long[] takeConsumed();

  /**
   * What a subscriber has to be fed.
   *
   * @param epoch number of the pass; 0 for none yet
   * @param after position behind which the pass has to begin; negative when only the cursors of the
   *     partitions tell
   * @param partitions partitions whose cursors it does not know; not modified
   */
  record FeedRequest(int epoch, long after, BitSet partitions) {
    /** Nothing. */
    public static final FeedRequest NONE = new FeedRequest(0, -1, new BitSet());
  }

  /**
   * Events of one epoch, contiguous with those of the batch before.
   *
   * @param epoch number of the pass
   * @param start what only the first batch of an epoch has; null for others
   * @param upTo position up to which this batch goes
   * @param events the events, in order; none of a batch that leaves them out
   * @param isLeftOut whether events were left out because no instance listened
   * @param consumed positions of events that were consumed elsewhere, as pairs of first and last
   */
  record EventBatch(
      int epoch,
      @Nullable FeedStart start,
      long upTo,
      List<LoggedEvent> events,
      boolean isLeftOut,
      List<Long> consumed) {
    /** Copies the lists. */
    public EventBatch {
      events = List.copyOf(events);
      consumed = List.copyOf(consumed);
    }
  }

  /**
   * Begin of an epoch.
   *
   * @param after position behind which it begins
   * @param end last position of the log at that time
   * @param cursors cursors of the requested partitions, by partition
   */
  record FeedStart(long after, long end, List<PartitionCursor> cursors) {
    /** Copies the list. */
    public FeedStart {
      cursors = List.copyOf(cursors);
    }
  }

  /** A partition, and the position up to which its instances have received all events, durably. */
  record PartitionCursor(int partition, long position) {}

  /**
   * An event in the log.
   *
   * @param position its position
   * @param namespace namespace of those who may listen to it
   * @param receivedAtMillis wall-clock time at which it was received
   * @param type its type
   * @param isConsumed whether some instance has consumed it before it was read
   * @param event the event in the JSON format of CloudEvents
   */
  record LoggedEvent(
      long position,
      String namespace,
      long receivedAtMillis,
      String type,
      boolean isConsumed,
      Payload event) {}

  /**
   * How far a subscriber has come.
   *
   * @param epoch number of the pass
   * @param position position up to which it has handled every event, durably
   * @param partitions the partitions for which this holds; not modified
   */
  record FeedProgress(int epoch, long position, BitSet partitions) {}
}
