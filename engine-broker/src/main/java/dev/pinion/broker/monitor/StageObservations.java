package dev.pinion.broker.monitor;

import dev.pinion.core.spi.CallObserver;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one stage observes. Its thread writes; another one reads what is here. Without locks, atomic
 * additions and, once a service and a class are known, allocation.
 */
final class StageObservations implements CallObserver {
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long MICROS_PER_MILLI = 1_000;

  private final Function<@Nullable String, String> classNames;
  private final Room room;
  private final Map<String, Requests> classes = new ConcurrentHashMap<>();

  /** What is counted by itself. */
  enum Kind {
    /** Requests of a class. */
    CLASS,
    /** Invocations of an abstract service, for a class. */
    ABSTRACT,
    /** Calls of a concrete service, for a class. */
    CONCRETE
  }

  /** Says whether there is room for something more to be counted by itself. */
  @FunctionalInterface
  interface Room {
    /**
     * Asked once for each stage, and each time that there was none.
     *
     * @param service empty for a class
     */
    boolean take(Kind kind, String serviceClass, String service);
  }

  /** Of a concrete service, for a class. */
  static final class Calls {
    final Sums sums = new Sums();
    final Sums.Times times = new Sums.Times();
  }

  /** Of a class. */
  static final class Requests {
    final Sums.Count begun = new Sums.Count();
    final Sums ended = new Sums();

    /** By abstract service. */
    final Map<String, Sums.Count> invocations = new ConcurrentHashMap<>();

    /** By concrete service. */
    final Map<String, Calls> calls = new ConcurrentHashMap<>();
  }

  StageObservations(Function<@Nullable String, String> classNames, Room room) {
    this.classNames = classNames;
    this.room = room;
  }

  /** By class. For the one who takes. */
  Map<String, Requests> classes() {
    return classes;
  }

  @Override
  public void begun(@Nullable String serviceClass) {
    Requests found = requests(classNames.apply(serviceClass));
    if (found != null) {
      found.begun.add(1);
    }
  }

  @Override
  public void invoked(String abstractService, @Nullable String serviceClass) {
    String name = classNames.apply(serviceClass);
    Requests found = requests(name);
    Sums.Count counter =
        found == null
            ? null
            : cell(found.invocations, abstractService, Kind.ABSTRACT, name, Sums.Count::new);
    if (counter != null) {
      counter.add(1);
    }
  }

  @Override
  public void called(String service, @Nullable String serviceClass, long nanos, boolean success) {
    String name = classNames.apply(serviceClass);
    Requests found = requests(name);
    Calls calls =
        found == null ? null : cell(found.calls, service, Kind.CONCRETE, name, Calls::new);
    if (calls != null) {
      long micros = Math.min(nanos / NANOS_PER_MICRO, Sums.Times.MAX_MICROS);
      calls.times.add(micros);
      calls.sums.add(micros, success);
    }
  }

  @Override
  public void ended(@Nullable String serviceClass, long millis, boolean success) {
    Requests found = requests(classNames.apply(serviceClass));
    if (found != null) {
      found.ended.add(millis * MICROS_PER_MILLI, success);
    }
  }

  private @Nullable Requests requests(String name) {
    Requests known = classes.get(name);
    return known != null ? known : made(classes, name, Kind.CLASS, name, "", Requests::new);
  }

  private <T> @Nullable T cell(
      Map<String, T> map, String service, Kind kind, String name, Supplier<T> maker) {
    T known = map.get(service);
    return known != null ? known : made(map, service, kind, name, service, maker);
  }

  /** What is made for a key; null when there is no room. */
  private <T> @Nullable T made(
      Map<String, T> map, String key, Kind kind, String name, String service, Supplier<T> maker) {
    if (!room.take(kind, name, service)) {
      return null;
    }
    T made = maker.get();
    map.put(key, made);
    return made;
  }
}
