package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.fail;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.coldstore.ColdStore;
import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.DefinitionResources;
import dev.pinion.core.definition.InMemoryDefinitionStore;
import dev.pinion.core.events.InMemoryEvents;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.invoker.CallDecorators;
import dev.pinion.core.invoker.CallTargets;
import dev.pinion.core.invoker.Invoker;
import dev.pinion.core.invoker.InvokerCounters;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.authentication.AuthenticatedCaller;
import dev.pinion.core.invoker.authentication.CallCredentials;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.kernel.DefinitionSources;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.output.EffectLanes;
import dev.pinion.core.kernel.output.KernelOutputs;
import dev.pinion.core.kernel.step.memory.KernelMemory;
import dev.pinion.core.language.reference.DocumentSource;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.secret.SecretSource;
import dev.pinion.core.spi.DefinitionCatalog;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Stage;
import dev.pinion.core.stage.ThreadSetup;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Kernel and Invoker driven by the calling thread, with a clock that advances only when there is
 * nothing else to do.
 */
final class ManualDriver implements PipelineDriver, EffectLanes {
  private static final int MAX_CYCLES = 2_000_000;

  private final PayloadCodec codec;
  private final EngineLimits limits;
  private final DefinitionRegistry registry;
  private final Kernel kernel;
  private final Invoker invoker;
  private final Lane<Effect.Invocation> invocations;
  private final List<String> entered = new ArrayList<>();
  private final List<Reply> replies = new ArrayList<>();
  private TestService testService = request -> new TestService.Answer(404, "{}");
  private long nowNanos;

  ManualDriver(EngineLimits limits) {
    this(limits, DocumentSource.none());
  }

  /**
   * A driver.
   *
   * @param documents documents to which definitions may refer
   */
  ManualDriver(EngineLimits limits, DocumentSource documents) {
    this.limits = limits;
    this.codec = new PayloadCodec(limits.json());
    this.registry =
        new DefinitionRegistry(
            limits,
            new InMemoryDefinitionStore(),
            ChainCatalog.UNKNOWN,
            BindingSource.NONE,
            DefinitionResources.DEFAULT.withDocuments(() -> documents),
            Clock.system());
    this.invocations = new Lane<>("invocations", limits.kernel().maxInvocations());
    this.kernel =
        new Kernel(
            0,
            limits,
            new DefinitionSources(registry, BindingSource.NONE, Durability.NONE),
            new KernelOutputs(Journal.NONE, (id, pointer, name) -> entered.add(name), this),
            KernelMemory.alone(limits, ColdStore.NONE),
            nowNanos);
    InvokerCounters counters = new InvokerCounters();
    BitSet partitions = new BitSet();
    partitions.set(0, InstanceId.MAX_PARTITIONS);
    InMemoryEvents events = new InMemoryEvents(limits, clock());
    events.feed(List.of(new ExternalEvents.KernelFeed(kernel.events(), partitions)));
    this.invoker =
        new Invoker(
            "invoker-0",
            limits.invoker(),
            invocations,
            CallTargets.of(
                new AuthenticatedCaller(
                    new ScriptedCaller(),
                    counters,
                    new CallCredentials(
                        SecretSource.NONE, limits, Clock.system(), codec, ThreadSetup.NONE),
                    Runnable::run)),
            (index, done) -> kernel.completions().offer(done),
            counters,
            CallDecorators.of(
                Interceptor.NONE,
                Runnable::run,
                codec,
                limits.invoker(),
                BindingSource.NONE,
                clock(),
                new HeapAccount(1),
                events));
  }

  private Clock clock() {
    return new Clock() {
      @Override
      public long nanoTime() {
        return nowNanos;
      }

      @Override
      public long epochMillis() {
        return nowNanos / 1_000_000;
      }

      @Override
      public String scale() {
        return "manual";
      }
    };
  }

  @Override
  public InstanceView run(String yaml, Payload input, TestService answering) {
    testService = answering;
    entered.clear();
    replies.clear();
    DefinitionKey key = deploy(yaml);
    kernel.requests().offer(new Command.Start(key, 0, input, new ReplyAddress<>(0, 1), true));
    for (int cycle = 0; cycle < MAX_CYCLES; cycle++) {
      work();
      for (Reply reply : replies) {
        if (reply instanceof Reply.Ended ended) {
          return ended.instance();
        }
      }
    }
    return fail(
        "expected the instance to end within "
            + MAX_CYCLES
            + " duty cycles, replies were "
            + replies);
  }

  private DefinitionKey deploy(String yaml) {
    DefinitionCatalog.Deployment deployment =
        registry.deploy(yaml.getBytes(StandardCharsets.UTF_8), "application/yaml", null, false);
    return switch (deployment) {
      case DefinitionCatalog.Deployment.Created created -> created.definition().key();
      case DefinitionCatalog.Deployment.Unchanged unchanged -> unchanged.definition().key();
      default -> fail("expected the definition to be deployed, found " + deployment);
    };
  }

  private void work() {
    int work = kernel.doWork(nowNanos, nowNanos / 1_000_000);
    work += invoker.doWork(nowNanos, nowNanos / 1_000_000);
    if (work == 0 && !kernel.hasWork() && !invoker.hasWork()) {
      long next = Math.min(kernel.nextDeadlineNanos(), invoker.nextDeadlineNanos());
      if (next != Stage.NO_DEADLINE) {
        nowNanos = Math.max(nowNanos, next);
      }
    }
  }

  @Override
  public List<String> entered() {
    return List.copyOf(entered);
  }

  @Override
  public boolean invoke(Effect.Invocation invocation) {
    return invocations.offer(invocation);
  }

  @Override
  public boolean evaluate(Effect.Evaluate evaluate) {
    Object result = null;
    WorkflowError error = null;
    try {
      Budget budget = new Budget(limits.expression().maxSteps());
      result = evaluate.expression().evaluate(evaluate.input(), evaluate.scope(), budget);
    } catch (ExpressionException e) {
      error = e.error();
    } catch (BudgetExceededException e) {
      error = WorkflowError.of(ErrorType.EXPRESSION, "beyond its budget");
    }
    return kernel
        .completions()
        .offer(
            new Event.ExpressionEvaluated(
                evaluate.id(), evaluate.activity(), evaluate.attempt(), result, error));
  }

  @Override
  public <R extends Reply> boolean reply(ReplyAddress<R> to, R reply) {
    replies.add(reply);
    return true;
  }

  @Override
  public void close() {
    invoker.onClose();
  }

  /** Performs calls by calling the service directly. */
  private final class ScriptedCaller implements ServiceCaller {
    @Override
    public OngoingCall call(HttpCall call, CallListener callListener) {
      callListener.onOutcome(outcome(call));
      return new Ended();
    }

    private static String authorization(HttpCall call) {
      return call.headers().stream()
          .filter(field -> field.name().equals("Authorization"))
          .map(HttpCall.HeaderField::value)
          .findFirst()
          .orElse("");
    }

    private CallOutcome outcome(HttpCall call) {
      URI uri = URI.create(call.uri());
      String body =
          call.body() == null ? "" : new String(codec.toBytes(call.body()), StandardCharsets.UTF_8);
      try {
        TestService.Answer answer =
            testService.answer(
                new TestService.Request(call.method(), uri, body, authorization(call)));
        return answer.status() / 100 == 2 ? answered(call, answer) : failed(answer);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return failed(new TestService.Answer(503, ""));
      }
    }

    private CallOutcome answered(HttpCall call, TestService.Answer answer) {
      Payload content = parse(answer.body());
      if (call.output() != HttpCall.Output.RESPONSE) {
        return new CallOutcome.Succeeded(content);
      }
      Payload request =
          Payload.object(
              Map.of(
                  "method", Payload.of(call.method()),
                  "uri", Payload.of(call.uri()),
                  "headers", Payload.EMPTY_OBJECT));
      return new CallOutcome.Succeeded(
          Payload.object(
              Map.of(
                  "request",
                  request,
                  "statusCode",
                  Payload.of(answer.status()),
                  "headers",
                  Payload.EMPTY_OBJECT,
                  "content",
                  content)));
    }

    private Payload parse(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      try {
        return bytes.length == 0 ? Payload.NULL : codec.read(bytes, 0, bytes.length);
      } catch (PayloadSyntaxException e) {
        throw new IllegalArgumentException(e);
      }
    }

    private static CallOutcome failed(TestService.Answer answer) {
      return new CallOutcome.Failed(
          new WorkflowError(
              ErrorType.COMMUNICATION.uri(), answer.status(), "Error", "scripted", null));
    }
  }

  /** A call that has ended already. */
  private record Ended(@Nullable Void nothing) implements ServiceCaller.OngoingCall {
    Ended() {
      this(null);
    }

    @Override
    public void cancel() {}

    @Override
    public String waitsFor() {
      return "nothing";
    }
  }
}
