package dev.pinion.benchmarks.jmh;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.coldstore.ColdStore;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.kernel.DefinitionSources;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.output.EffectLanes;
import dev.pinion.core.kernel.output.KernelOutputs;
import dev.pinion.core.kernel.step.memory.KernelMemory;
import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.WorkflowCompiler;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.EventSubscriber;
import dev.pinion.core.spi.EventSubscriber.EventBatch;
import dev.pinion.core.spi.EventSubscriber.FeedRequest;
import dev.pinion.core.spi.EventSubscriber.FeedStart;
import dev.pinion.core.spi.EventSubscriber.LoggedEvent;
import dev.pinion.core.spi.EventSubscriber.PartitionCursor;
import dev.pinion.core.spi.InstanceObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One kernel with 100,000 instances that listen, each for an order of its own, on one thread. One
 * operation is one event, so the score is in events for each second. Bytes of the heap for each
 * instance are told first.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class ListenerBenchmark {
  private static final int LISTENERS = 100_000;
  private static final int BATCH = 256;

  /** Room for all events that listeners collect while this runs. */
  private static final long HEAP_BYTES = 1L << 40;

  private static final String NAMESPACE = "benchmark";
  private static final String DEFINITION =
      """
      document: {dsl: 1.0.3, namespace: benchmark, name: orders, version: 1.0.0}
      do:
        - hear:
            listen:
              to:
                any:
                  - with: {type: paid}
                    correlate: {order: {from: .data.order, expect: .order}}
                until: {one: {with: {type: closed}}}
      """;

  private final ProcessGraph graph = graph();
  private final Kernel kernel =
      new Kernel(
          0,
          EngineLimits.defaults(),
          new DefinitionSources(
              Map.of(graph.key(), graph)::get, BindingSource.NONE, Durability.NONE),
          new KernelOutputs(Journal.NONE, InstanceObserver.NONE, new NoEffects()),
          new KernelMemory(new HeapAccount(HEAP_BYTES), ColdStore.NONE),
          0);
  private final List<Payload> orders = events();
  private final Payload strange = event("nobody");
  private long nowNanos;
  private long position;
  private int next;

  private static ProcessGraph graph() {
    if (new WorkflowCompiler(EngineLimits.defaults()).compile(DEFINITION, "application/yaml")
        instanceof CompilationResult.Compiled compiled) {
      return compiled.graph();
    }
    throw new IllegalStateException("expected a definition, found mistakes");
  }

  private static List<Payload> events() {
    List<Payload> events = new ArrayList<>(LISTENERS);
    for (int i = 0; i < LISTENERS; i++) {
      events.add(event(order(i)));
    }
    return events;
  }

  private static String order(int number) {
    return "order-" + number;
  }

  private static Payload event(String order) {
    return Payload.object(
        Map.of(
            "specversion", Payload.of("1.0"),
            "id", Payload.of(order),
            "source", Payload.of("/benchmark"),
            "type", Payload.of("paid"),
            "data", Payload.object(Map.of("order", Payload.of(order)))));
  }

  /** Starts the instances, and begins to feed them. */
  @Setup
  public void listen() {
    kernel.events().logEnd(0);
    DefinitionKey key = graph.key();
    long before = usedHeap();
    for (int i = 0; i < LISTENERS; i++) {
      Payload input = Payload.object(Map.of("order", Payload.of(order(i))));
      boolean _ = kernel.requests().offer(new Command.Start(key, 0, input, null, false));
      settle();
    }
    EventSubscriber subscriber = kernel.events();
    FeedRequest wanted = subscriber.wanted();
    List<PartitionCursor> cursors =
        wanted.partitions().stream().mapToObj(each -> new PartitionCursor(each, 0)).toList();
    offer(
        new EventBatch(
            wanted.epoch(), new FeedStart(0, 0, cursors), 0, List.of(), false, List.of()));
    if (kernel.counters().listening().listeners() != LISTENERS) {
      throw new IllegalStateException("expected every instance to listen");
    }
    System.out.println("# Heap for each listener: " + (usedHeap() - before) / LISTENERS + " bytes");
  }

  private static long usedHeap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** Events that one instance each has waited for. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long expected() {
    long before = kernel.counters().listening().matches();
    List<LoggedEvent> events = new ArrayList<>(BATCH);
    for (int i = 0; i < BATCH; i++) {
      next = (next + 7_919) % LISTENERS; // a prime: no neighbours
      events.add(logged(orders.get(next)));
    }
    offer(events);
    long matches = kernel.counters().listening().matches() - before;
    if (matches != BATCH) {
      throw new IllegalStateException("expected " + BATCH + " matches, found " + matches);
    }
    return matches;
  }

  /** Events that no instance waits for. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long unexpected() {
    List<LoggedEvent> events = new ArrayList<>(BATCH);
    for (int i = 0; i < BATCH; i++) {
      events.add(logged(strange));
    }
    offer(events);
    return kernel.counters().listening().events();
  }

  private LoggedEvent logged(Payload event) {
    return new LoggedEvent(++position, NAMESPACE, 0, "paid", false, event);
  }

  private void offer(List<LoggedEvent> events) {
    int epoch = kernel.events().wanted().epoch();
    offer(new EventBatch(epoch, null, position, events, false, List.of()));
  }

  private void offer(EventBatch batch) {
    if (!kernel.events().offer(batch)) {
      throw new IllegalStateException("expected room for a batch of events");
    }
    settle();
  }

  private void settle() {
    do {
      nowNanos += 1_000;
    } while (kernel.doWork(nowNanos, nowNanos / 1_000_000) > 0 || kernel.hasWork());
  }

  /** Nothing leaves the kernel. */
  private static final class NoEffects implements EffectLanes {
    @Override
    public boolean invoke(Effect.Invocation call) {
      throw new IllegalStateException("expected no call, but there was one");
    }

    @Override
    public boolean evaluate(Effect.Evaluate evaluation) {
      throw new IllegalStateException("expected no long evaluation, but there was one");
    }

    @Override
    public <R extends Reply> boolean reply(ReplyAddress<R> to, R reply) {
      return true;
    }
  }
}
