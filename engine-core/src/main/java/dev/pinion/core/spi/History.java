package dev.pinion.core.spi;

import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of instances of today and of the past: a projection of the journals that lags
 * behind them. Methods block; any thread that may.
 */
public interface History {
  /** No history is kept. */
  History NONE =
      new History() {
        @Override
        public Page events(InstanceId id, long after, int limit) throws Unavailable {
          throw new Unavailable("no history is kept here; start the engine with --history");
        }

        @Override
        public Page instances(Search search) throws Unavailable {
          throw new Unavailable("no history is kept here; start the engine with --history");
        }
      };

  /**
   * What happened in an instance, in order.
   *
   * @param after only events after this number; -1 for all
   * @param limit the most to tell
   * @return null when nothing is known of the instance
   * @throws Unavailable also when the history has not come so far that it would know
   */
  @Nullable Page events(InstanceId id, long after, int limit) throws Unavailable;

  /** Instances that a search finds, newest first. */
  Page instances(Search search) throws Unavailable;

  /**
   * An instance that has ended, with its output or error; null when it is not known as such.
   *
   * @throws Unavailable also when the history has not come so far that it would know
   */
  default @Nullable InstanceView ended(InstanceId id) throws Unavailable {
    return null;
  }

  /**
   * Whether there was an instance, whatever became of it.
   *
   * @throws Unavailable when it cannot be asked now
   */
  default boolean knows(InstanceId id) throws Unavailable {
    return false;
  }

  /**
   * Whether there was an instance of which nobody knows what became of it.
   *
   * @throws Unavailable when it cannot be asked now
   */
  default boolean lacksEnd(InstanceId id) throws Unavailable {
    return false;
  }

  /**
   * The input of an instance; null when it is not known, or was too long to keep.
   *
   * @throws Unavailable when it cannot be asked now
   */
  default @Nullable Payload input(InstanceId id) throws Unavailable {
    return null;
  }

  /** Who is told what happens, which is published from here. */
  default Subscriptions subscriptions() {
    return Subscriptions.NONE;
  }

  /**
   * A search; what is null does not matter.
   *
   * @param label name and value
   * @param startedAfter wall-clock milliseconds, inclusive
   * @param startedBefore wall-clock milliseconds, exclusive
   * @param before only instances older than this one
   * @param limit the most to find
   */
  record Search(
      @Nullable String state,
      @Nullable String namespace,
      @Nullable String definition,
      @Nullable String businessKey,
      @Nullable Label label,
      @Nullable Long startedAfter,
      @Nullable Long startedBefore,
      @Nullable InstanceId before,
      int limit) {}

  /** A label. */
  record Label(String name, String value) {}

  /**
   * Part of an answer.
   *
   * @param items JSON objects
   * @param more whether there are further ones
   * @param lagRecords records of journals that were on disk and not taken up yet when it was last
   *     looked
   * @param asOfEpochMillis when that was
   * @param complete whether all journals could be looked at; what is behind in others is not in
   *     {@code lagRecords}
   */
  record Page(
      List<Payload> items, boolean more, long lagRecords, long asOfEpochMillis, boolean complete) {}

  /** The database is off, down or being made. */
  final class Unavailable extends Exception {
    private static final long serialVersionUID = 1;

    /** Says why, for clients. */
    public Unavailable(String message) {
      super(message);
    }

    /** Says why, for clients. */
    public Unavailable(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
