package dev.pinion.core.invoker.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.invoker.CallFailures;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.model.call.ProgramRun;
import dev.pinion.core.model.call.ProgramSecrets;
import dev.pinion.core.secret.SecretSource;
import dev.pinion.core.stage.ThreadSetup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SecretProgramCallerTest {
  private static final long WAIT_SECONDS = 60;
  private static final String LONG = "canary-0815-that-is-much-longer-than-any-password";

  private final BlockingQueue<Runnable> loop = new LinkedBlockingQueue<>();
  private final List<ProgramRun> begun = new ArrayList<>();
  private final List<ServiceCaller.CallListener> listeners = new ArrayList<>();
  private final List<CallOutcome> outcomes = new ArrayList<>();
  private final CallCredentials credentials =
      new CallCredentials(
          new TwoSecrets(),
          EngineLimits.defaults().with(Map.of("authentication.maxWaiting", 1)),
          Clock.system(),
          new PayloadCodec(EngineLimits.defaults().json()),
          ThreadSetup.NONE);
  private final SecretProgramCaller caller =
      new SecretProgramCaller(this::start, credentials, loop::add);
  private boolean cancelled;

  /** Two secrets, {@code key} and {@code long}. */
  private static final class TwoSecrets implements SecretSource {
    @Override
    public @Nullable Payload read(String name) {
      return switch (name) {
        case "key" -> Payload.of("canary-4711");
        case "long" -> Payload.of(LONG);
        default -> null;
      };
    }

    @Override
    public String description() {
      return "the test";
    }
  }

  private ServiceCaller.OngoingCall start(ProgramRun run, ServiceCaller.CallListener callListener) {
    begun.add(run);
    listeners.add(callListener);
    return new ServiceCaller.OngoingCall() {
      @Override
      public void cancel() {
        cancelled = true;
      }

      @Override
      public String waitsFor() {
        return "the end";
      }
    };
  }

  @AfterEach
  void close() {
    credentials.close();
  }

  private static ProgramRun run(@Nullable ProgramSecrets secrets) {
    return new ProgramRun(
        new Program.Shell("cat"),
        List.of(),
        new TreeMap<>(Map.of("A", "a")),
        null,
        ProgramRun.Returns.STDOUT,
        null,
        secrets);
  }

  private static ProgramRun with(String secret) {
    ProgramSecrets.DeferredProgram parts =
        new ProgramSecrets.DeferredProgram(
            "/do/0/a",
            Set.of(secret),
            (input, scope, budget) -> new TreeMap<>(Map.of("B", String.valueOf(input.scalar()))),
            (input, scope, budget) -> Objects.requireNonNull(scope.variable("secrets")));
    return run(new ProgramSecrets(parts, Payload.of("in"), Map.of()));
  }

  private ServiceCaller.OngoingCall begin(ProgramRun run) {
    return caller.run(run, outcomes::add);
  }

  private void turn() throws InterruptedException {
    Objects.requireNonNull(loop.poll(WAIT_SECONDS, TimeUnit.SECONDS)).run();
  }

  private WorkflowError error() {
    assertEquals(1, outcomes.size());
    return assertInstanceOf(CallOutcome.Failed.class, outcomes.getFirst()).error();
  }

  @Test
  void shouldAddSecretsToARun() throws InterruptedException {
    ServiceCaller.OngoingCall ongoing = begin(with("key"));
    assertEquals("its secrets", ongoing.waitsFor());
    assertEquals(List.of(), begun);

    turn();
    assertEquals("the end", ongoing.waitsFor());
    ProgramRun whole = begun.getFirst();
    assertEquals(Map.of("A", "a", "B", "in"), whole.environment());
    assertEquals("{\"key\":\"canary-4711\"}", String.valueOf(whole.body()));
    assertNull(whole.secrets());
    assertFalse(whole.toString().contains("canary"));

    begin(with("key"));
    assertEquals(2, begun.size(), "known by now");
    listeners.getFirst().onOutcome(new CallOutcome.Succeeded(Payload.of("out")));
    assertEquals(List.of(new CallOutcome.Succeeded(Payload.of("out"))), outcomes);
  }

  @Test
  void shouldPassOnARunWithoutSecrets() {
    ProgramRun plain = run(null);
    begin(plain);

    assertEquals(List.of(plain), begun);
  }

  @Test
  void shouldFailByTheNameOfAMissingSecret() throws InterruptedException {
    begin(with("gone"));
    turn();

    assertEquals(ErrorType.AUTHORIZATION.uri(), error().type());
    assertEquals("expected a secret \"gone\" in the test, found none", error().detail());
    assertEquals(List.of(), begun);
  }

  @Test
  void shouldRefuseMoreThanMayWait() throws InterruptedException {
    begin(with("key"));
    begin(with("gone"));

    assertEquals(503, error().status());
    turn();
    assertEquals(1, begun.size());
    outcomes.clear();
    begin(with("gone"));
    assertEquals(List.of(), outcomes, "there is room again");
  }

  @Test
  void shouldHideAFailureThatShowsASecret() throws InterruptedException {
    begin(with("key"));
    turn();
    listeners.getFirst().onOutcome(CallFailures.of(ErrorType.RUNTIME, "found 1: Y2FuYXJ5LTQ3MTE"));

    assertEquals(ErrorType.RUNTIME.uri(), error().type());
    assertEquals(
        "run shell failed; why is left out, as it would show a secret of the run",
        error().detail());
  }

  @Test
  void shouldHideAFailureThatShowsTheEndOfASecret() throws InterruptedException {
    begin(with("long"));
    turn();
    String cut = LONG.substring(LONG.length() - 30);
    listeners.getFirst().onOutcome(CallFailures.of(ErrorType.RUNTIME, "found 1: …" + cut));

    assertEquals(
        "run shell failed; why is left out, as it would show a secret of the run",
        error().detail());
  }

  @Test
  void shouldShowAFailureWithoutASecret() throws InterruptedException {
    begin(with("key"));
    turn();
    listeners.getFirst().onOutcome(CallFailures.of(ErrorType.RUNTIME, "found 1"));

    assertEquals("found 1", error().detail());
  }

  @Test
  void shouldNotBeginWhatWasCancelled() throws InterruptedException {
    begin(with("key")).cancel();
    turn();
    assertEquals(List.of(), begun);

    ServiceCaller.OngoingCall ongoing = begin(with("key"));
    assertEquals(1, begun.size(), "the wait of the first has ended");
    ongoing.cancel();
    assertTrue(cancelled);
    assertEquals(List.of(), outcomes);
  }
}
