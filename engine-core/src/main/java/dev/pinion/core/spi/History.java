package dev.pinion.core.spi;

import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * History of present and past instances: a projection of the journals that lags behind them.
 * Methods block; any thread that may.
 */
public interface History {
  /** No history. */
  History NONE =
      new History() {
        @Override
        public HistoryPage events(InstanceId id, long after, int limit)
            throws HistoryUnavailableException {
          throw new HistoryUnavailableException(
              "no history is kept here; start the engine with --history");
        }

        @Override
        public HistoryPage instances(Search search) throws HistoryUnavailableException {
          throw new HistoryUnavailableException(
              "no history is kept here; start the engine with --history");
        }
      };

  /**
   * Events of an instance, in order.
   *
   * @param after only events after this number; -1 for all
   * @param limit most events
   * @return null when the instance is unknown
   * @throws HistoryUnavailableException also when the history is too far behind to know
   */
  @Nullable HistoryPage events(InstanceId id, long after, int limit)
      throws HistoryUnavailableException;

  /** Instances that a search finds, newest first. */
  HistoryPage instances(Search search) throws HistoryUnavailableException;

  /**
   * An instance that has ended, with its output or error; null when it is not known as ended.
   *
   * @throws HistoryUnavailableException also when the history is too far behind to know
   */
  default @Nullable InstanceView ended(InstanceId id) throws HistoryUnavailableException {
    return null;
  }

  /**
   * Whether there was an instance, in any state.
   *
   * @throws HistoryUnavailableException when the database cannot be read now
   */
  default boolean knows(InstanceId id) throws HistoryUnavailableException {
    return false;
  }

  /**
   * Whether there was an instance whose end is unknown.
   *
   * @throws HistoryUnavailableException when the database cannot be read now
   */
  default boolean lacksEnd(InstanceId id) throws HistoryUnavailableException {
    return false;
  }

  /**
   * The input of an instance; null when it is not known, or was too long to keep.
   *
   * @throws HistoryUnavailableException when the database cannot be read now
   */
  default @Nullable Payload input(InstanceId id) throws HistoryUnavailableException {
    return null;
  }

  /** Subscriptions to what instances did, published from here. */
  default Subscriptions subscriptions() {
    return Subscriptions.NONE;
  }

  /**
   * A search; null members match everything.
   *
   * @param label name and value
   * @param parent only children of this instance
   * @param started when the instances started
   * @param page the part of the instances
   */
  record Search(
      @Nullable String state,
      @Nullable String namespace,
      @Nullable String definition,
      @Nullable String businessKey,
      @Nullable LabelFilter label,
      @Nullable InstanceId parent,
      TimeRange started,
      PageRequest page) {
    /** A search for instances whoever started them. */
    public Search(
        @Nullable String state,
        @Nullable String namespace,
        @Nullable String definition,
        @Nullable String businessKey,
        @Nullable LabelFilter label,
        TimeRange started,
        PageRequest page) {
      this(state, namespace, definition, businessKey, label, null, started, page);
    }
  }

  /**
   * A range of times; null members bound nothing.
   *
   * @param from wall-clock milliseconds, inclusive
   * @param until wall-clock milliseconds, exclusive
   */
  record TimeRange(@Nullable Long from, @Nullable Long until) {
    /** All times. */
    public static final TimeRange ALWAYS = new TimeRange(null, null);
  }

  /**
   * A part of what a search finds, newest first.
   *
   * @param before only instances older than this one; null for the newest
   * @param limit most instances
   */
  record PageRequest(@Nullable InstanceId before, int limit) {}

  /** A label. */
  record LabelFilter(String name, String value) {}

  /**
   * Page of a result.
   *
   * @param items JSON objects
   * @param more whether there are further ones
   * @param lagRecords records of journals that were on disk and not applied yet at the last check
   * @param asOfEpochMillis time of that check
   * @param complete whether all journals could be read; the lag of others is not in {@code
   *     lagRecords}
   */
  record HistoryPage(
      List<Payload> items, boolean more, long lagRecords, long asOfEpochMillis, boolean complete) {}
}
