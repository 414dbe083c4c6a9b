package dev.pinion.broker.monitor;

import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.CallObserver;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Observations of one stage. Its thread writes; another one reads. Without locks, atomic additions
 * and, once a service and a class are known, allocation.
 */
final class StageObserver implements CallObserver {
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long MICROS_PER_MILLI = 1_000;

  private static final int MAX_NAMES = 64;

  private final Supplier<BindingTable> table;
  private final CapacityCheck capacityCheck;
  private final Map<String, Requests> classes = new ConcurrentHashMap<>();

  /** By the class that a caller has named, mapped by the table. Used by the stage only. */
  private final Map<@Nullable String, Requests> byName = new HashMap<>();

  private long version = -1;

  /** Kinds of separate counters. */
  enum Kind {
    /** Requests of a class. */
    CLASS,
    /** Invocations of an abstract service, for a class. */
    ABSTRACT,
    /** Calls of a concrete service, for a class. */
    CONCRETE
  }

  /** Checks whether there is room for another counter. */
  @FunctionalInterface
  interface CapacityCheck {
    /**
     * Called once for each stage, and each time that there was no room.
     *
     * @param service empty for a class
     */
    boolean take(Kind kind, String serviceClass, String service);
  }

  /** Counters of a concrete service, for a class. */
  static final class Calls {
    final CallAccumulator callAccumulator = new CallAccumulator();
    final LatencyHistogram latencyHistogram = new LatencyHistogram();
  }

  /** Counters of a class. */
  static final class Requests {
    final String name;
    final CallAccumulator.SingleWriterCounter begun = new CallAccumulator.SingleWriterCounter();
    final CallAccumulator ended = new CallAccumulator();

    /** By abstract service. */
    final Map<String, CallAccumulator.SingleWriterCounter> invocations = new ConcurrentHashMap<>();

    /** By concrete service. */
    final Map<String, Calls> calls = new ConcurrentHashMap<>();

    Requests(String name) {
      this.name = name;
    }
  }

  StageObserver(Supplier<BindingTable> table, CapacityCheck capacityCheck) {
    this.table = table;
    this.capacityCheck = capacityCheck;
  }

  /** Counters by class, for the taking thread. */
  Map<String, Requests> classes() {
    return classes;
  }

  @Override
  public void begun(@Nullable String serviceClass) {
    Requests found = requests(serviceClass);
    if (found != null) {
      found.begun.add(1);
    }
  }

  @Override
  public void invoked(String abstractService, @Nullable String serviceClass) {
    Requests found = requests(serviceClass);
    CallAccumulator.SingleWriterCounter counter =
        found == null
            ? null
            : cell(
                found.invocations,
                abstractService,
                Kind.ABSTRACT,
                found.name,
                CallAccumulator.SingleWriterCounter::new);
    if (counter != null) {
      counter.add(1);
    }
  }

  @Override
  public void called(String service, @Nullable String serviceClass, long nanos, boolean success) {
    Requests found = requests(serviceClass);
    Calls calls =
        found == null ? null : cell(found.calls, service, Kind.CONCRETE, found.name, Calls::new);
    if (calls != null) {
      long micros = Math.min(nanos / NANOS_PER_MICRO, LatencyHistogram.MAX_MICROS);
      calls.latencyHistogram.add(micros);
      calls.callAccumulator.add(micros, success);
    }
  }

  @Override
  public void ended(@Nullable String serviceClass, long millis, boolean success) {
    Requests found = requests(serviceClass);
    if (found != null) {
      found.ended.add(millis * MICROS_PER_MILLI, success);
    }
  }

  private @Nullable Requests requests(@Nullable String serviceClass) {
    BindingTable current = table.get();
    if (current.version() != version) {
      byName.clear();
      version = current.version();
    }
    Requests found = byName.get(serviceClass);
    return found != null ? found : requests(serviceClass, current.className(serviceClass));
  }

  private @Nullable Requests requests(@Nullable String serviceClass, String name) {
    Requests known = classes.get(name);
    Requests found =
        known != null ? known : made(classes, name, Kind.CLASS, name, "", () -> new Requests(name));
    if (found != null) {
      if (byName.size() == MAX_NAMES) {
        byName.clear(); // callers may use any names
      }
      byName.put(serviceClass, found);
    }
    return found;
  }

  private <T> @Nullable T cell(
      Map<String, T> map, String service, Kind kind, String name, Supplier<T> maker) {
    T known = map.get(service);
    return known != null ? known : made(map, service, kind, name, service, maker);
  }

  /** The counter of a key; null when there is no room. */
  private <T> @Nullable T made(
      Map<String, T> map, String key, Kind kind, String name, String service, Supplier<T> maker) {
    if (!capacityCheck.take(kind, name, service)) {
      return null;
    }
    T made = maker.get();
    map.put(key, made);
    return made;
  }
}
