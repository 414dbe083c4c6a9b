package dev.pinion.core.invoker.authentication;

import dev.pinion.core.authentication.Authorization;
import dev.pinion.core.authentication.DigestSession.DigestRequest;
import dev.pinion.core.interception.MessageBody;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.ServiceResponse;
import dev.pinion.core.invoker.content.RequestBodyFormat;
import dev.pinion.core.invoker.http.InvalidCallException;
import dev.pinion.core.invoker.http.TargetUri;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.AuthenticationPolicy;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.SecretParts;
import dev.pinion.core.model.call.SecretTexts;
import dev.pinion.core.secret.SecretStore;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call that needs secrets or authenticates itself.
 *
 * <pre>
 *   begun ──▶ secrets ──▶ authorization ──▶ sent ──▶ answered
 *                               ▲             │ 401 that another authorization may change
 *                               └─────────────┘
 * </pre>
 *
 * <p>On the thread of the Invoker's event loop.
 */
final class AuthenticatedCall
    implements ServiceCaller.OngoingCall, ServiceCaller.InterceptedListener {
  private static final Logger LOG = LoggerFactory.getLogger(AuthenticatedCall.class);
  private static final int UNAUTHORIZED = 401;

  private final AuthenticatedCaller caller;
  private final CallCredentials credentials;
  private final HttpCall call;
  private final SecretParts.Pending pending;
  private final ServiceCaller.RequestSender sender;
  private final ServiceCaller.CallListener callListener;
  private CallCompletion completion;
  private Authorizer authorizer = new Authorizer.FixedAuthorizer(null);
  private @Nullable Payload parameters;
  private @Nullable HttpCall sent;
  private ServiceCaller.@Nullable OngoingCall ongoing;
  private @Nullable String waitsFor;
  private boolean ended;

  /**
   * A call that has not begun.
   *
   * @param sender sends its complete request
   */
  AuthenticatedCall(
      AuthenticatedCaller caller,
      HttpCall call,
      SecretParts.Pending pending,
      ServiceCaller.RequestSender sender,
      ServiceCaller.CallListener callListener) {
    this.caller = caller;
    this.credentials = caller.credentials();
    this.call = call;
    this.pending = pending;
    this.sender = sender;
    this.callListener = callListener;
    this.completion = completion(Map.of());
  }

  private CallCompletion completion(Map<String, Payload> secrets) {
    return new CallCompletion(
        call, pending, secrets, credentials.limits().invoker().maxMappingSteps());
  }

  void begin() {
    Set<String> names = CallCompletion.names(pending);
    Map<String, Payload> fresh = credentials.secrets().fresh(names);
    if (fresh != null) {
      onSecrets(fresh);
      return;
    }
    if (!beginWait("its secrets")) {
      return;
    }
    try {
      credentials.secrets().read(names, reading -> caller.later(() -> onReading(reading)));
    } catch (RejectedExecutionException e) {
      fail(credentials.overloaded());
    }
  }

  private boolean beginWait(String what) {
    if (!credentials.beginWait()) {
      fail(credentials.overloaded());
      return false;
    }
    waitsFor = what;
    return true;
  }

  private void endWait() {
    if (waitsFor != null) {
      waitsFor = null;
      credentials.endWait();
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
      completion = completion(secrets);
      AuthenticationPolicy policy = pending.policy();
      if (policy != null) {
        Payload given = completion.parameters();
        parameters = given == null ? Payload.EMPTY_OBJECT : given;
        authorizer = Authorizer.of(policy.scheme(), parameters, caller);
      }
      attempt();
    } catch (ExpressionException e) {
      fail(e.error());
    } catch (RuntimeException e) {
      onDefect(e);
    }
  }

  /** Fails the call by a defect of the engine, whose message may show a secret. */
  private void onDefect(RuntimeException e) {
    LOG.error("{} could not be authenticated: {}", call.description(), e.getClass().getName());
    fail(
        WorkflowError.of(
            ErrorType.RUNTIME,
            "the call could not be authenticated: " + e.getClass().getSimpleName()));
  }

  /** Sends the request, now or when there is an authorization. */
  private void attempt() {
    if (ended || !beginWait("a token")) {
      return;
    }
    authorizer.prepare(
        refused -> {
          endWait();
          if (ended) {
            return;
          }
          if (refused != null) {
            fail(withoutSecrets(refused.error(), completion.texts(null, parameters)));
          } else {
            send();
          }
        });
  }

  private void send() {
    try {
      HttpCall request = completion.completed(authorizer.authorization(), parameters);
      Authorization ofRequest = ofRequest(request);
      HttpCall complete = ofRequest == null ? request : completion.authorized(request, ofRequest);
      sent = complete;
      ServiceCaller.OngoingCall begun = sender.send(complete, this);
      ongoing = ended || sent == null ? null : begun;
    } catch (ExpressionException e) {
      fail(e.error());
    } catch (RuntimeException e) {
      onDefect(e);
    }
  }

  private @Nullable Authorization ofRequest(HttpCall request) {
    try {
      TargetUri target = TargetUri.parse(request.uri());
      return authorizer.authorization(
          target.origin().toString(),
          new DigestRequest(request.method(), target.path(), () -> bytes(request)));
    } catch (InvalidCallException e) {
      return null; // the caller reports it
    }
  }

  private byte[] bytes(HttpCall request) {
    MessageBody replaced = content();
    Payload body = request.body();
    if (replaced != null) {
      return replaced.bytes();
    }
    RequestBodyFormat formats = credentials.formats();
    return body == null || formats.problem(request) != null // the caller reports it
        ? new byte[0]
        : formats.bytes(request, body);
  }

  @Override
  public @Nullable MessageBody content() {
    return !completion.makesBody()
            && callListener instanceof ServiceCaller.InterceptedListener intercepted
        ? intercepted.content()
        : null;
  }

  @Override
  public boolean onResponse(ServiceResponse answer) {
    if (answer.status() == UNAUTHORIZED && !ended && authorizer.retries(answer)) {
      sent = null;
      ongoing = null;
      caller.later(this::attempt); // the connection is free for it then
      return true;
    }
    authorizer.answered(answer);
    boolean taken =
        callListener instanceof ServiceCaller.InterceptedListener intercepted
            && intercepted.onResponse(answer);
    if (taken) {
      ended = true;
      ongoing = null;
    }
    return taken;
  }

  @Override
  public void onOutcome(CallOutcome outcome) {
    if (!ended) {
      ended = true;
      ongoing = null;
      callListener.onOutcome(
          outcome instanceof CallOutcome.Failed(WorkflowError error)
                  && sent != null
                  && sent.secretParts() instanceof SecretParts.Applied applied
              ? new CallOutcome.Failed(withoutSecrets(error, applied.texts()))
              : outcome);
    }
  }

  /** The error, without its detail when that repeats a secret. */
  private WorkflowError withoutSecrets(WorkflowError error, SecretTexts secrets) {
    boolean leaks = appear(secrets, error.detail()) || appear(secrets, error.title());
    return leaks
        ? new WorkflowError(
            error.type(),
            error.status(),
            null,
            call.description()
                + " failed; why is left out, as it would show a secret of the request",
            error.instance())
        : error;
  }

  private static boolean appear(SecretTexts secrets, @Nullable String text) {
    return text != null && secrets.appearIn(text);
  }

  private void fail(WorkflowError error) {
    endWait();
    onOutcome(new CallOutcome.Failed(error));
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
      return waitsFor == null ? "its start" : waitsFor;
    }
    return completion.makesEndpoint() ? "the answer of its service" : ongoing.waitsFor();
  }
}
