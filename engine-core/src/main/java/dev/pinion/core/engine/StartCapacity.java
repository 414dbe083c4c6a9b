package dev.pinion.core.engine;

import dev.pinion.core.api.port.Readiness;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.counters.KernelCounters;
import dev.pinion.core.limits.KernelLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.HeapAccount;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a replica that refuse starts, and whether they do so for long. A limit that is met
 * for a moment is load: the client of that moment is answered 503 and the replica stays ready. A
 * limit that has admitted no start for {@link #PATIENCE_NANOS} is met for long, and the replica is
 * not ready until that ends. Room on the disk is not among them: its lack never lasts only a
 * moment.
 *
 * <p>They are checked at each query. A replica queries with each heartbeat, once a second. Any
 * thread.
 */
final class StartCapacity {
  /** Twice the interval of the housekeeping, so that a single one of its checks counts as load. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Clock clock;
  private final List<Lasting> limits;
  private final BooleanSupplier keysFull;

  /**
   * A limit.
   *
   * @param name name in the refusal of a start
   * @param isMet whether it would refuse a start now
   * @param taken number of starts admitted so far
   */
  record Limit(String name, BooleanSupplier isMet, LongSupplier taken) {}

  /**
   * The limits to check.
   *
   * @param limits those that refuse every start, or every journalled one
   * @param keysFull whether starts with a new {@code Idempotency-Key} are refused
   */
  StartCapacity(Clock clock, List<Limit> limits, BooleanSupplier keysFull) {
    this.clock = clock;
    this.limits = limits.stream().map(Lasting::new).toList();
    this.keysFull = keysFull;
  }

  /**
   * The limits of an engine, with a journal or without. A limit of kernels counts as met when all
   * kernels meet it.
   */
  static StartCapacity of(
      List<Kernel> kernels,
      HeapAccount heap,
      @Nullable SafeStore safeStore,
      KernelLimits limits,
      Clock clock) {
    List<KernelCounters> counters = kernels.stream().map(Kernel::counters).toList();
    LongSupplier started = () -> counters.stream().mapToLong(KernelCounters::started).sum();
    List<Limit> all = new ArrayList<>();
    all.add(
        new Limit(
            "kernel.maxInstances",
            () -> counters.stream().allMatch(each -> each.running() >= limits.maxInstances()),
            started));
    all.add(
        new Limit(
            "kernel.maxHeldBytes",
            () -> counters.stream().allMatch(each -> heap.isFull(each.waitingStartBytes())),
            started));
    if (safeStore != null) {
      all.add(new Limit("journal.laneCapacity", safeStore::isBehind, started));
      // admitted starts that are not journalled do not count
      JournalMaintenance house = safeStore.maintenance();
      all.add(new Limit("journal.unreadLogBytes", house::isFollowerBehind, () -> 0));
    }
    return new StartCapacity(
        clock, all, () -> counters.stream().allMatch(KernelCounters::areStartKeysFull));
  }

  /** The limit that has refused starts for long; null when there is none. */
  @Nullable String refusing() {
    long nowNanos = clock.nanoTime();
    String first = null;
    for (Lasting each : limits) {
      boolean lasts = each.lasts(nowNanos); // all are checked, so that each knows its duration
      first = first == null && lasts ? each.limit.name() : first;
    }
    return first;
  }

  /** The checks of these limits. */
  List<Readiness.Check> checks() {
    String refusing = refusing();
    boolean full = keysFull.getAsBoolean();
    return List.of(
        new Readiness.Check(
            "limits",
            refusing == null,
            true,
            refusing == null
                ? "no limit refuses starts"
                : refusing + " is reached, and no start was taken for seconds: they are refused"),
        new Readiness.Check(
            "keys",
            !full,
            false,
            full
                ? "kernel.maxStartKeys is reached: starts with a new Idempotency-Key are refused"
                : "there is room for further keys of starts"));
  }

  /** A limit, and the time since which every check has found it met without admitted starts. */
  private static final class Lasting {
    private final Limit limit;
    private boolean met;
    private long taken;
    private long sinceNanos;

    Lasting(Limit limit) {
      this.limit = limit;
    }

    synchronized boolean lasts(long nowNanos) {
      boolean metBefore = met;
      long takenBefore = taken;
      met = limit.isMet().getAsBoolean();
      taken = limit.taken().getAsLong();
      if (!metBefore || taken != takenBefore) {
        sinceNanos = nowNanos;
      }
      return met && nowNanos - sinceNanos >= PATIENCE_NANOS;
    }
  }
}
