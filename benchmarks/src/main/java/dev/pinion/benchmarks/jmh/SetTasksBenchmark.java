package dev.pinion.benchmarks.jmh;

import com.fasterxml.jackson.databind.JsonNode;
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
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.InstanceObserver;
import io.serverlessworkflow.api.WorkflowFormat;
import io.serverlessworkflow.api.WorkflowReader;
import io.serverlessworkflow.impl.WorkflowApplication;
import io.serverlessworkflow.impl.WorkflowDefinition;
import io.serverlessworkflow.impl.WorkflowModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * An instance of three {@code set} tasks from its input to its output: in the engine's kernel, and
 * in the public reference implementation of the language, each in memory and in one process. Both
 * run the same text and must give the same output before anything is measured.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Thread)
public class SetTasksBenchmark {
  private static final String DEFINITION =
      """
      document: {dsl: 1.0.3, namespace: benchmark, name: sets, version: 1.0.0}
      do:
        - first: {set: {n: '${ .n + 1 }'}}
        - second: {set: {n: '${ .n + 1 }'}}
        - third: {set: {n: '${ .n + 1 }'}}
      """;

  private static final String MEMBER = "n";

  private final ProcessGraph graph = graph();
  private final Output output = new Output();
  private final Kernel kernel =
      new Kernel(
          0,
          EngineLimits.defaults(),
          new DefinitionSources(
              Map.of(graph.key(), graph)::get, BindingSource.NONE, Durability.NONE),
          new KernelOutputs(Journal.NONE, InstanceObserver.NONE, output),
          KernelMemory.alone(EngineLimits.defaults(), ColdStore.NONE),
          0);
  private final WorkflowApplication usual = WorkflowApplication.builder().build();
  private final WorkflowApplication silent =
      WorkflowApplication.builder()
          .disableLifeCycleCEPublishing()
          .disableStatusChangePublishing()
          .build();
  private final WorkflowDefinition reference = definition(usual);
  private final WorkflowDefinition silentReference = definition(silent);
  private long nowNanos;
  private long requests;

  private static ProcessGraph graph() {
    if (new WorkflowCompiler(EngineLimits.defaults()).compile(DEFINITION, "application/yaml")
        instanceof CompilationResult.Compiled compiled) {
      return compiled.graph();
    }
    throw new IllegalStateException("expected a definition, found mistakes");
  }

  private static WorkflowDefinition definition(WorkflowApplication application) {
    try {
      return application.workflowDefinition(
          WorkflowReader.readWorkflowFromString(DEFINITION, WorkflowFormat.YAML));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes sure that all give the same output. */
  @Setup
  public void compare() {
    String expected = kernel().toString();
    for (WorkflowModel found : new WorkflowModel[] {reference(), silentReference()}) {
      String json = found.as(JsonNode.class).map(JsonNode::toString).orElse("nothing");
      if (!json.equals(expected)) {
        throw new IllegalStateException("expected " + expected + ", found " + json);
      }
    }
  }

  /** Ends the threads of the reference implementation. */
  @TearDown
  public void close() {
    usual.close();
    silent.close();
  }

  /** The engine's kernel. */
  @Benchmark
  public Payload kernel() {
    Payload input = Payload.object(Map.of(MEMBER, Payload.of(1)));
    output.last = null;
    ReplyAddress<Reply.StartReply> to = new ReplyAddress<>(0, ++requests);
    kernel.requests().offer(new Command.Start(graph.key(), 0, input, to, true));
    while (kernel.hasWork()) {
      nowNanos += 1_000;
      kernel.doWork(nowNanos, nowNanos / 1_000_000);
    }
    Payload last = output.last;
    if (last == null) {
      throw new IllegalStateException("expected the instance to complete, but it did not");
    }
    return last;
  }

  /** The reference implementation as it is, which publishes an event for each change of a task. */
  @Benchmark
  public WorkflowModel reference() {
    return run(reference);
  }

  /** The reference implementation without these events. */
  @Benchmark
  public WorkflowModel silentReference() {
    return run(silentReference);
  }

  private static WorkflowModel run(WorkflowDefinition definition) {
    return definition.instance(Map.of(MEMBER, 1)).start().join();
  }

  /** Takes the output of the last instance. */
  private static final class Output implements EffectLanes {
    private @Nullable Payload last;

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
      if (reply instanceof Reply.Ended ended) {
        last = ended.instance().output();
      }
      return true;
    }
  }
}
