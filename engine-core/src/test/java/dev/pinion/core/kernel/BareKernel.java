package dev.pinion.core.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.coldstore.ColdStore;
import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.Journal;
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
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.spi.InstanceObserver;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A kernel driven by hand that keeps no journal and that nobody watches, so that all it costs is
 * its own. Calls are answered and long expressions evaluated at once.
 */
final class BareKernel {
  /** Heap that no test fills: values are never packed. */
  private static final long HEAP_BYTES = 1L << 40;

  private static final long FIRST_EPOCH_MILLIS = 1_700_000_000_000L;

  private final EngineLimits limits;
  private final Map<DefinitionKey, ProcessGraph> graphs = new HashMap<>();
  private final Deque<Completion> completions = new ArrayDeque<>();
  private final HeapAccount heap = new HeapAccount(HEAP_BYTES);
  private final Kernel kernel;
  private Map<DefinitionName, ProcessGraph> schedules = Map.of();
  private @Nullable InstanceView ended;
  private long nowNanos;
  private long requests;

  BareKernel(Map<String, Integer> limits) {
    this.limits = EngineLimits.defaults().with(limits);
    this.kernel =
        new Kernel(
            0,
            this.limits,
            new DefinitionSources(new Graphs(), BindingSource.NONE, Durability.NONE),
            new KernelOutputs(Journal.NONE, InstanceObserver.NONE, new Lanes()),
            new KernelMemory(heap, ColdStore.NONE),
            nowNanos);
  }

  EngineLimits limits() {
    return limits;
  }

  Kernel kernel() {
    return kernel;
  }

  /** The output of an instance that completes without waiting for anything. */
  Payload run(ProcessGraph graph, Payload input) {
    InstanceView view = end(graph, input);
    assertEquals(InstanceState.COMPLETED, view.state(), () -> "error: " + view.error());
    return Objects.requireNonNull(view.output());
  }

  /** The error of an instance that fails without waiting for anything. */
  WorkflowError error(ProcessGraph graph, Payload input) {
    InstanceView view = end(graph, input);
    assertEquals(InstanceState.FAULTED, view.state(), () -> "output: " + view.output());
    return Objects.requireNonNull(view.error());
  }

  private InstanceView end(ProcessGraph graph, Payload input) {
    ended = null;
    begin(graph, input, new ReplyAddress<>(0, ++requests));
    return Objects.requireNonNull(ended, "an instance that has ended");
  }

  /** Starts an instance whose end nobody awaits. */
  void start(ProcessGraph graph, Payload input) {
    begin(graph, input, null);
  }

  private void begin(
      ProcessGraph graph, Payload input, @Nullable ReplyAddress<Reply.StartReply> replyTo) {
    graphs.put(graph.key(), graph);
    heap.beginTransfer(input);
    Command.Start start = new Command.Start(graph.key(), 0, input, replyTo, replyTo != null);
    assertTrue(kernel.requests().offer(start), "room for a request");
    settle();
  }

  /** Has these definitions keep their schedules, and no others. */
  void schedule(Map<DefinitionName, ProcessGraph> wanted) {
    schedules = wanted;
    settle();
  }

  /** Runs duty cycles until there is nothing to do. */
  void settle() {
    do {
      nowNanos += 1_000;
      int _ = kernel.doWork(nowNanos, FIRST_EPOCH_MILLIS + nowNanos / 1_000_000);
      for (Completion next = completions.poll(); next != null; next = completions.poll()) {
        assertTrue(kernel.completions().offer(next), "room for every completion");
      }
    } while (kernel.hasWork());
  }

  private final class Graphs implements GraphSource {
    @Override
    public @Nullable ProcessGraph graph(DefinitionKey key) {
      return graphs.get(key);
    }

    @Override
    public Map<DefinitionName, ProcessGraph> schedules() {
      return schedules;
    }
  }

  private final class Lanes implements EffectLanes {
    @Override
    public boolean invoke(Effect.Invocation invocation) {
      if (invocation instanceof Effect.Invoke call) {
        completions.add(
            new Event.CallCompleted(
                call.id(),
                call.activity(),
                call.attempt(),
                new CallOutcome.Succeeded(Payload.TRUE)));
      }
      return true;
    }

    @Override
    public boolean evaluate(Effect.Evaluate evaluation) {
      completions.add(evaluated(evaluation));
      return true;
    }

    private Event.ExpressionEvaluated evaluated(Effect.Evaluate handed) {
      try {
        Budget budget = new Budget(limits.expression().maxSteps());
        Object result = handed.expression().evaluate(handed.input(), handed.scope(), budget);
        return new Event.ExpressionEvaluated(
            handed.id(), handed.activity(), handed.attempt(), result, null);
      } catch (ExpressionException e) {
        return failed(handed, e.error());
      } catch (BudgetExceededException e) {
        return failed(handed, WorkflowError.of(ErrorType.EXPRESSION, "expression.maxSteps"));
      }
    }

    private static Event.ExpressionEvaluated failed(Effect.Evaluate handed, WorkflowError error) {
      return new Event.ExpressionEvaluated(
          handed.id(), handed.activity(), handed.attempt(), null, error);
    }

    @Override
    public <R extends Reply> boolean reply(ReplyAddress<R> to, R reply) {
      heap.endTransfer(reply.carried());
      if (reply instanceof Reply.Ended end) {
        ended = end.instance();
      }
      return true;
    }
  }
}
