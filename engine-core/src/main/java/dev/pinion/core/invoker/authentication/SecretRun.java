package dev.pinion.core.invoker.authentication;

import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.ProgramRun;
import dev.pinion.core.model.call.ProgramSecrets;
import dev.pinion.core.model.call.SecretTexts;
import dev.pinion.core.secret.SecretStore;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run of a program that needs secrets.
 *
 * <pre>
 *   begun ──▶ secrets ──▶ run ──▶ ended
 * </pre>
 *
 * <p>On the thread of the Invoker's event loop.
 */
final class SecretRun implements ServiceCaller.OngoingCall, ServiceCaller.CallListener {
  private static final Logger LOG = LoggerFactory.getLogger(SecretRun.class);

  private final SecretProgramCaller caller;
  private final CallCredentials credentials;
  private final ProgramRun run;
  private final ProgramSecrets pending;
  private final ServiceCaller.CallListener callListener;
  private SecretTexts texts = SecretTexts.NONE;
  private ServiceCaller.@Nullable OngoingCall ongoing;
  private boolean waits;
  private boolean ended;

  /** A run that has not begun. */
  SecretRun(
      SecretProgramCaller caller,
      ProgramRun run,
      ProgramSecrets pending,
      ServiceCaller.CallListener callListener) {
    this.caller = caller;
    this.credentials = caller.credentials();
    this.run = run;
    this.pending = pending;
    this.callListener = callListener;
  }

  void begin() {
    Set<String> names = pending.expressions().secrets();
    Map<String, Payload> fresh = credentials.secrets().fresh(names);
    if (fresh != null) {
      onSecrets(fresh);
    } else if (credentials.beginWait()) {
      waits = true;
      read(names);
    } else {
      fail(credentials.overloaded());
    }
  }

  private void read(Set<String> names) {
    try {
      credentials
          .secrets()
          .read(names, reading -> CallCredentials.later(caller.loop(), () -> onReading(reading)));
    } catch (RejectedExecutionException e) {
      fail(credentials.overloaded());
    }
  }

  private void onReading(SecretStore.SecretReading reading) {
    endWait();
    if (ended) {
      return;
    }
    switch (reading) {
      case SecretStore.SecretReading.Found(Map<String, Payload> values) -> onSecrets(values);
      case SecretStore.SecretReading.Unavailable(WorkflowError error) -> fail(error);
    }
  }

  private void onSecrets(Map<String, Payload> secrets) {
    try {
      texts =
          SecretTexts.of(
              secrets.values().stream().flatMap(value -> value.texts().stream()).toList());
      ServiceCaller.OngoingCall begun = caller.programs().run(whole(secrets), this);
      ongoing = ended ? null : begun;
    } catch (ExpressionException e) {
      fail(e.error());
    } catch (RuntimeException e) {
      onDefect(e);
    }
  }

  private ProgramRun whole(Map<String, Payload> secrets) {
    ProgramSecrets.DeferredProgram parts = pending.expressions();
    SecretEvaluation evaluation =
        new SecretEvaluation(
            parts.pointer(),
            pending.variables(),
            secrets,
            credentials.limits().invoker().maxMappingSteps());
    Expression<SortedMap<String, String>> environment = parts.environment();
    Expression<Payload> body = parts.body();
    return run.completed(
        environment == null ? new TreeMap<>() : evaluation.of(environment, pending.input()),
        body == null ? run.body() : evaluation.of(body, pending.input()),
        texts);
  }

  /** Fails the run by a defect of the engine, whose message may show a secret. */
  private void onDefect(RuntimeException e) {
    LOG.error("{} could not be begun: {}", run.description(), e.getClass().getName());
    fail(
        WorkflowError.of(
            ErrorType.RUNTIME, "the program could not be begun: " + e.getClass().getSimpleName()));
  }

  private void endWait() {
    if (waits) {
      waits = false;
      credentials.endWait();
    }
  }

  private void fail(WorkflowError error) {
    endWait();
    onOutcome(new CallOutcome.Failed(error));
  }

  @Override
  public void onOutcome(CallOutcome outcome) {
    if (!ended) {
      ended = true;
      ongoing = null;
      callListener.onOutcome(
          outcome instanceof CallOutcome.Failed(WorkflowError error) && isShown(error)
              ? hidden(error)
              : outcome);
    }
  }

  /** Whether an error repeats a secret or a part, as the last words of a failed program may do. */
  private boolean isShown(WorkflowError error) {
    String detail = error.detail();
    return detail != null && texts.appearPartlyIn(detail);
  }

  private CallOutcome hidden(WorkflowError error) {
    return new CallOutcome.Failed(
        new WorkflowError(
            error.type(),
            error.status(),
            error.title(),
            run.description() + " failed; why is left out, as it would show a secret of the run",
            error.instance()));
  }

  @Override
  public void onWork(int since) {
    callListener.onWork(since);
  }

  @Override
  public void cancel() {
    ended = true;
    endWait();
    if (ongoing != null) {
      ongoing.cancel();
      ongoing = null;
    }
  }

  @Override
  public boolean wasDelayedLocally() {
    return ongoing != null && ongoing.wasDelayedLocally();
  }

  @Override
  public String waitsFor() {
    if (ongoing == null) {
      return waits ? "its secrets" : "its start";
    }
    return ongoing.waitsFor();
  }
}
