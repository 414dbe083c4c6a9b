package dev.pinion.benchmarks.jmh;

import dev.pinion.broker.binding.BindingTableBuilder;
import dev.pinion.broker.binding.KroneckerCounters;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.monitor.ObservationCollector;
import dev.pinion.broker.registry.InterfaceMapping;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.broker.registry.TableShare;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.BoundService;
import dev.pinion.core.binding.CallObserver;
import dev.pinion.core.binding.ServedFraction;
import dev.pinion.core.binding.ServiceCandidates;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Cost of the broker for a call in a replica: the choice by the kernels' table, and the
 * notification of monitors. With {@code -prof gc}: nothing is allocated.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Benchmark)
public class BoundCallBenchmark {
  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;
  private static final long CALL_NANOS = 300_000;

  private volatile @Nullable BindingTable current;
  private @Nullable CallObserver observed;

  /**
   * A table of two classes, in which three services share the calls of an abstract one; one class
   * is served in part.
   */
  @Setup
  public void prepare() {
    observed = new ObservationCollector(this::table).observer();
    ServiceRegistry serviceRegistry = ServiceRegistry.EMPTY;
    for (String id : List.of("a", "b", "c")) {
      serviceRegistry = serviceRegistry.with(service(id));
    }
    List<TableShare> shares =
        List.of(
            new TableShare(CoordinationPattern.SINGLE, List.of("a"), 0.5),
            new TableShare(CoordinationPattern.SINGLE, List.of("b"), 0.3),
            new TableShare(CoordinationPattern.SINGLE, List.of("c"), 0.2));
    PublishedTable published =
        new PublishedTable(
            1,
            "silver",
            serviceRegistry,
            Map.of("gold", Map.of("task", shares), "silver", Map.of("task", shares)));
    current =
        BindingTableBuilder.of(
            published,
            source -> {
              throw new IllegalStateException("expected no expression, found " + source);
            },
            new KroneckerCounters(() -> 42));
  }

  private static RegisteredService service(String id) {
    return new RegisteredService(
        new ConcreteService(id, 0.1, 0.99, 1, NO_LIMIT),
        Set.of("task"),
        "http://127.0.0.1:8080/" + id,
        true,
        InterfaceMapping.NONE,
        null,
        null);
  }

  private BindingTable table() {
    BindingTable table = current;
    if (table == null) {
      throw new IllegalStateException("expected to be prepared");
    }
    return table;
  }

  private ServiceCandidates choice() {
    BoundService bound = table().service("gold", "task");
    if (bound == null) {
      throw new IllegalStateException("expected a binding, found none");
    }
    return bound.next();
  }

  /** The choice of a service alone. */
  @Benchmark
  public ServiceCandidates choose() {
    return choice();
  }

  /** The choice, while another thread binds calls of the same class to the same service. */
  @Benchmark
  @Threads(2)
  public ServiceCandidates chooseByTwo() {
    return choice();
  }

  /** Whether a request of a class served in part is served. */
  @Benchmark
  public boolean serves() {
    ServedFraction part = table().parts().get("silver");
    if (part == null) {
      throw new IllegalStateException("expected a part that is served, found none");
    }
    return part.next().getAsBoolean();
  }

  /** The choice, and the notification of monitors before and after the call. */
  @Benchmark
  public ServiceCandidates chooseAndObserve() {
    CallObserver observer = observed;
    if (observer == null) {
      throw new IllegalStateException("expected to be prepared");
    }
    ServiceCandidates chosen = choice();
    observer.invoked("task", "gold");
    observer.called(chosen.first().id(), "gold", CALL_NANOS, true);
    return chosen;
  }
}
