package dev.pinion.core.program;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Counts programs that were killed while they ran. For any thread. */
public final class ProgramKills {
  private final Map<Reason, LongAdder> counts =
      Arrays.stream(Reason.values())
          .collect(Collectors.toUnmodifiableMap(Function.identity(), _ -> new LongAdder()));

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
    of(reason).increment();
  }

  /** Number of programs that were killed for a reason. */
  public long count(Reason reason) {
    return of(reason).sum();
  }

  private LongAdder of(Reason reason) {
    return Objects.requireNonNull(counts.get(reason));
  }
}
