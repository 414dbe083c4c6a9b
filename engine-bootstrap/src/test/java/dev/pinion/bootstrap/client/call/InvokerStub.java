package dev.pinion.bootstrap.client.call;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.invoker.ProtocolClient;
import dev.pinion.core.invoker.ProtocolClient.CallingInvoker;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.ServiceCaller.OngoingCall;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.ProtocolCall;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** The thread of an Invoker, from which calls over protocols are made. */
public final class InvokerStub implements AutoCloseable {
  private static final long SECONDS = 20;

  private final ExecutorService loop = Executors.newSingleThreadExecutor();
  private final CallingInvoker invoker;

  /** An Invoker that makes no calls over HTTP. */
  public InvokerStub() {
    this(
        (call, listener) -> {
          throw new AssertionError("expected no call over HTTP, found " + call);
        });
  }

  /** An Invoker with a maker of calls over HTTP. */
  public InvokerStub(ServiceCaller services) {
    this.invoker = new CallingInvoker(loop, services, UnaryOperator.identity());
  }

  /** Begins a call. */
  public OngoingCall begin(
      ProtocolClient client, ProtocolCall call, ServiceCaller.CallListener listener)
      throws Exception {
    return loop.submit(() -> client.call(call, invoker, listener)).get(SECONDS, TimeUnit.SECONDS);
  }

  /** Runs an action on the thread of the Invoker, and waits for its end. */
  public void run(Runnable action) throws Exception {
    loop.submit(action).get(SECONDS, TimeUnit.SECONDS);
  }

  /** The outcome of a call. */
  public CallOutcome outcome(ProtocolClient client, ProtocolCall call) throws Exception {
    CompletableFuture<CallOutcome> outcome = new CompletableFuture<>();
    begin(client, call, outcome::complete);
    return outcome.get(SECONDS, TimeUnit.SECONDS);
  }

  /** The output of a call that succeeds. */
  public Payload output(ProtocolClient client, ProtocolCall call) throws Exception {
    CallOutcome outcome = outcome(client, call);
    return assertInstanceOf(CallOutcome.Succeeded.class, outcome, outcome::toString).output();
  }

  /** The error of a call that fails. */
  public WorkflowError error(ProtocolClient client, ProtocolCall call) throws Exception {
    CallOutcome outcome = outcome(client, call);
    return assertInstanceOf(CallOutcome.Failed.class, outcome, outcome::toString).error();
  }

  /** A value from JSON. */
  public static Payload json(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      return new PayloadCodec(EngineLimits.defaults().json()).read(bytes, 0, bytes.length);
    } catch (PayloadSyntaxException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  @Override
  public void close() {
    loop.shutdownNow();
  }
}
