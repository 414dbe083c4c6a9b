package dev.pinion.core.program;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts programs that were killed while they ran. For any thread. */
public final class ProgramKills {
  private final AtomicLongArray counts = new AtomicLongArray(Reason.values().length);

  /** Why a program is killed. */
  public enum Reason {
    /** Its task was cancelled, or ran out of its own time. */
    CANCELLED,
    /** It wrote more than {@code program.maxOutputBytes}. */
    OUTPUT,
    /** It ran longer than {@code program.timeoutSeconds}. */
    TIMEOUT;

    /** Name in metrics. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  void add(Reason reason) {
    counts.incrementAndGet(reason.ordinal());
  }

  /** Number of programs that were killed for a reason. */
  public long count(Reason reason) {
    return counts.get(reason.ordinal());
  }
}
