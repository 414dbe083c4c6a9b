package dev.pinion.core.invoker.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.invoker.InvokerCounters;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.AuthenticationPolicy;
import dev.pinion.core.model.call.AuthenticationScheme;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.DeferredExpressions;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.SecretParts;
import dev.pinion.core.secret.SecretSource;
import dev.pinion.core.stage.ThreadSetup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Times of requests for tokens. */
class AuthenticatedCallerTest {
  private static final long LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Queue<Runnable> loop = new ArrayDeque<>();
  private final List<HttpCall> sent = new ArrayList<>();
  private final List<CallOutcome> outcomes = new ArrayList<>();
  private final CallCredentials credentials =
      new CallCredentials(
          SecretSource.NONE,
          EngineLimits.defaults().with(Map.of("authentication.tokenTimeoutMillis", 100)),
          Clock.system(),
          new PayloadCodec(EngineLimits.defaults().json()),
          ThreadSetup.NONE);
  private final AuthenticatedCaller caller =
      new AuthenticatedCaller(this::send, new InvokerCounters(), credentials, loop::add);

  private ServiceCaller.OngoingCall send(HttpCall call, ServiceCaller.CallListener callListener) {
    sent.add(call);
    return new ServiceCaller.OngoingCall() {
      @Override
      public void cancel() {}

      @Override
      public String waitsFor() {
        return "the answer";
      }
    };
  }

  @AfterEach
  void close() {
    credentials.close();
  }

  private ServiceCaller.OngoingCall begin() {
    Payload parameters =
        Payload.object(
            Map.of(
                "authority", Payload.of("http://127.0.0.1:1"),
                "grant", Payload.of("client_credentials"),
                "client", Payload.object(Map.of("authentication", Payload.of("none")))));
    SecretParts.Pending pending =
        new SecretParts.Pending(
            new AuthenticationPolicy(AuthenticationScheme.OAUTH2, null, parameters),
            DeferredExpressions.NONE,
            Payload.NULL,
            Map.of());
    return caller.call(
        new HttpCall(
            "GET",
            "http://127.0.0.1:1/a",
            List.of(),
            null,
            HttpCall.Output.CONTENT,
            false,
            pending),
        outcomes::add);
  }

  private void work(long nowNanos) {
    int _ = caller.doWork(nowNanos);
    for (Runnable task = loop.poll(); task != null; task = loop.poll()) {
      task.run();
    }
  }

  private String failure() {
    assertEquals(1, outcomes.size());
    return assertInstanceOf(CallOutcome.Failed.class, outcomes.getFirst()).error().type();
  }

  @Test
  void shouldEndARequestForATokenWhenItsTimeIsUp() {
    ServiceCaller.OngoingCall ongoing = begin();
    assertEquals("a token", ongoing.waitsFor());
    assertEquals("POST http://127.0.0.1:1/oauth2/token", sent.getFirst().description());

    work(0);
    work(LIMIT_NANOS - 1);
    assertEquals(List.of(), outcomes);
    work(LIMIT_NANOS);

    assertEquals(ErrorType.COMMUNICATION.uri(), failure());
  }

  @Test
  void shouldGiveARequestForATokenTimeAfterAPause() {
    ServiceCaller.OngoingCall _ = begin();
    work(0);

    caller.onPause(2 * LIMIT_NANOS);
    work(2 * LIMIT_NANOS - 1);
    assertEquals(List.of(), outcomes);
    assertTrue(caller.nextDeadlineNanos() <= 2 * LIMIT_NANOS);
    work(2 * LIMIT_NANOS);

    assertEquals(ErrorType.COMMUNICATION.uri(), failure());
  }
}
