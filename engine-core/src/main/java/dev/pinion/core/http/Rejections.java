package dev.pinion.core.http;

import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.metrics.SingleWriterCounter;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Requests that were refused although nothing was wrong with them, by reason. Written by one event
 * loop, read by any thread.
 */
public final class Rejections {
  /** Reasons. */
  public enum Reason {
    /** The disk has no room. */
    DISK_FULL("disk_full"),
    /** A limit of the engine is reached. */
    OVERLOAD("overload"),
    /** A contract or the plan allows no more. */
    QUOTA("quota"),
    /** The replica shuts down. */
    DRAIN("drain");

    private final String label;

    Reason(String label) {
      this.label = label;
    }

    /** Value of the label {@code reason}. */
    public String label() {
      return label;
    }
  }

  private final Map<Reason, SingleWriterCounter> counts = new EnumMap<>(Reason.class);

  Rejections() {
    for (Reason each : Reason.values()) {
      counts.put(each, new SingleWriterCounter());
    }
  }

  /** Counts a problem that is sent, if it is a refusal. Event loop only. */
  void onProblem(ProblemType type) {
    switch (type) {
      case DISK_FULL -> add(Reason.DISK_FULL);
      case OVERLOAD, TOO_MANY_EVENTS -> add(Reason.OVERLOAD);
      case THROTTLED, CLASS_NOT_SERVED -> add(Reason.QUOTA);
      case DRAINING -> add(Reason.DRAIN);
      default -> {
        // the fault of the client, or of something else
      }
    }
  }

  private void add(Reason reason) {
    counter(reason).increment();
  }

  /** Number of refusals for a reason. Any thread. */
  public long count(Reason reason) {
    return counter(reason).value();
  }

  private SingleWriterCounter counter(Reason reason) {
    return Objects.requireNonNull(counts.get(reason));
  }
}
