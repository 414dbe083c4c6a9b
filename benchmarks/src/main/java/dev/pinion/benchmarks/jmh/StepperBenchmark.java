package dev.pinion.benchmarks.jmh;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.coldstore.ColdStore;
import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.DataTransform;
import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.kernel.DefinitionSources;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.output.EffectLanes;
import dev.pinion.core.kernel.output.KernelOutputs;
import dev.pinion.core.kernel.step.memory.KernelMemory;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Completion;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.spi.InstanceObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The kernel alone: whole instances from start to end, without network, clock or other threads.
 *
 * <pre>
 *   Start ──▶ Kernel ──invoke──▶ answered at once
 *               ▲──completion────┘
 * </pre>
 *
 * <p>One operation is one task entered, so the score is in task transitions for each µs; {@code
 * -prof gc} adds the bytes allocated for each.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Thread)
public class StepperBenchmark {
  private static final int TASKS = 60;
  private static final DefinitionKey SETS = new DefinitionKey("benchmark", "sets", "1.0.0");
  private static final DefinitionKey CALLS = new DefinitionKey("benchmark", "calls", "1.0.0");
  private static final Payload INPUT = Payload.object(Map.of("value", Payload.of(1)));
  private static final HttpCall CALL =
      new HttpCall(
          "POST", "http://127.0.0.1/svc/s1", List.of(), INPUT, HttpCall.Output.CONTENT, false);

  private final Map<DefinitionKey, ProcessGraph> graphs =
      Map.of(
          SETS, graph(SETS, common -> new Node.Set(common, same())),
          CALLS, graph(CALLS, common -> new Node.Call(common, (input, scope, budget) -> CALL)));
  private final Answering answering = new Answering();
  private final Kernel kernel =
      new Kernel(
          0,
          EngineLimits.defaults(),
          new DefinitionSources(graphs::get, BindingSource.NONE, Durability.NONE),
          new KernelOutputs(Journal.NONE, InstanceObserver.NONE, answering),
          KernelMemory.alone(EngineLimits.defaults(), ColdStore.NONE),
          0);
  private long nowNanos;

  /** Tasks that only compute. */
  @Benchmark
  @OperationsPerInvocation(TASKS)
  public long sets() {
    return run(SETS);
  }

  /** Tasks that call a service: out to the lane of the Invoker, back by the lane of completions. */
  @Benchmark
  @OperationsPerInvocation(TASKS)
  public long calls() {
    return run(CALLS);
  }

  private long run(DefinitionKey definition) {
    long before = kernel.counters().completed();
    kernel.requests().offer(new Command.Start(definition, 0, INPUT, null, false));
    while (kernel.hasWork()) {
      nowNanos += 1_000;
      kernel.doWork(nowNanos, nowNanos / 1_000_000);
      answering.answer(kernel);
    }
    long completed = kernel.counters().completed();
    if (completed != before + 1) {
      throw new IllegalStateException("expected the instance to complete, but it did not");
    }
    return completed;
  }

  private static Expression<Payload> same() {
    return (input, scope, budget) -> input;
  }

  private static ProcessGraph graph(DefinitionKey key, NodeMaker maker) {
    List<Node> tasks = new ArrayList<>();
    for (int id = 0; id < TASKS; id++) {
      tasks.add(maker.make(common(id)));
    }
    return ProcessGraph.of(
        new ProcessGraph.DefinitionContent(key, Payload.EMPTY_OBJECT, 0),
        TASKS,
        DataTransform.NONE,
        new Block(tasks),
        DataTransform.NONE,
        null,
        null);
  }

  private static TaskAttributes common(int id) {
    String name = "t" + id;
    return new TaskAttributes(
        new TaskAttributes.TaskIdentity(id, name, "/do/" + id + "/" + name, Payload.EMPTY_OBJECT),
        null,
        DataTransform.NONE,
        DataTransform.NONE,
        DataTransform.NONE,
        null,
        FlowDirective.CONTINUE);
  }

  private interface NodeMaker {
    Node make(TaskAttributes common);
  }

  /** Holds one call and answers it when the kernel has finished its work. */
  private static final class Answering implements EffectLanes {
    private @Nullable Completion done;

    void answer(Kernel kernel) {
      Completion completion = done;
      if (completion != null) {
        done = null;
        kernel.completions().offer(completion);
      }
    }

    @Override
    public boolean invoke(Effect.Invocation call) {
      done =
          new Event.CallCompleted(
              call.id(), call.activity(), call.attempt(), new CallOutcome.Succeeded(INPUT));
      return true;
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
