package dev.pinion.core.invoker.authentication;

import dev.pinion.core.authentication.AccessToken;
import dev.pinion.core.authentication.ClientAssertion;
import dev.pinion.core.authentication.TokenPolicy;
import dev.pinion.core.authentication.TokenRequest;
import dev.pinion.core.authentication.TokenResponse;
import dev.pinion.core.authentication.TokenResponse.ServerDescription;
import dev.pinion.core.authentication.TokenResult;
import dev.pinion.core.interception.MessageBody;
import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.ServiceResponse;
import dev.pinion.core.invoker.TimeoutQueue;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import io.netty.buffer.ByteBufUtil;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The request for one token, on behalf of all calls that wait for it.
 *
 * <pre>
 *   description of the server, if it has one ──▶ assertion, if needed ──▶ token
 *                        with the refresh token of an earlier one, else by the grant
 * </pre>
 *
 * <p>Independent of the call that began it, which may be cancelled. On the thread of one event
 * loop.
 */
final class TokenFetch extends TimeoutQueue.TimeoutNode<TokenFetch> {
  private final AuthenticatedCaller caller;
  private final CallCredentials credentials;
  private final TokenPolicy policy;
  private final String key;
  private final TokenResponse responses;
  private @Nullable String refresh;

  /** The last request without what may be secret, for messages. */
  private String asked = "the authorization server";

  private ServiceCaller.@Nullable OngoingCall ongoing;
  private @Nullable ServerDescription description;
  private boolean ended;

  /**
   * A request that has not begun.
   *
   * @param key name of the token in the cache
   * @param refresh token for a new one, or null
   */
  TokenFetch(AuthenticatedCaller caller, TokenPolicy policy, String key, @Nullable String refresh) {
    this.caller = caller;
    this.credentials = caller.credentials();
    this.policy = policy;
    this.key = key;
    this.refresh = refresh;
    this.responses = new TokenResponse(credentials.codec(), credentials.limits().authentication());
  }

  void begin() {
    caller.fetches().add(this);
    if (!policy.isDescribed()) {
      sign();
      return;
    }
    HttpCall request = TokenRequest.description(policy);
    send(
        request,
        (status, body) -> {
          description = responses.description(policy, request.description(), status, body);
          sign();
        });
  }

  private String uri() {
    return description == null ? policy.tokenUri() : description.tokenUri();
  }

  private void sign() {
    if (!TokenRequest.needsAssertion(policy)) {
      request(null);
      return;
    }
    try {
      credentials.background().execute(this::signInBackground);
    } catch (RejectedExecutionException e) {
      end(failed(ErrorType.RUNTIME, "the thread that signs takes no more work"));
    }
  }

  private void signInBackground() {
    try {
      String assertion =
          ClientAssertion.of(policy.client(), uri(), credentials.clock().epochMillis());
      caller.later(() -> request(assertion));
    } catch (ExpressionException e) {
      caller.later(() -> end(new TokenResult.Refused(e.error())));
    } catch (RuntimeException e) {
      caller.later(
          () ->
              end(
                  failed(
                      ErrorType.AUTHENTICATION,
                      "the client's assertion could not be signed: "
                          + e.getClass().getSimpleName())));
    }
  }

  private void request(@Nullable String assertion) {
    if (ended) {
      return;
    }
    HttpCall request = TokenRequest.token(policy, uri(), refresh, assertion);
    long requestedNanos = credentials.clock().nanoTime();
    String from = request.description();
    String issuer = description == null ? null : description.issuer();
    send(
        request,
        (status, body) -> {
          AccessToken token = responses.token(policy, from, issuer, status, body, requestedNanos);
          end(new TokenResult.Issued(token));
        });
  }

  private void send(HttpCall request, AnswerReader reader) {
    asked = request.description();
    try {
      Answer answer = new Answer(request, reader);
      ServiceCaller.OngoingCall begun = caller.pass(request, answer);
      ongoing = answer.isOver ? ongoing : begun;
    } catch (RuntimeException e) {
      end(failed(ErrorType.RUNTIME, "the request for a token could not be begun"));
    }
  }

  /** Begins again by the grant when a refresh token is no longer good. */
  private void refused(WorkflowError error) {
    if (refresh != null && error.type().equals(ErrorType.AUTHENTICATION.uri())) {
      refresh = null;
      sign();
    } else {
      end(new TokenResult.Refused(error));
    }
  }

  private void end(TokenResult result) {
    if (!ended) {
      ended = true;
      caller.fetches().remove(this);
      caller.count(counter(result));
      credentials.tokens().complete(key, result);
    }
  }

  private Counter counter(TokenResult result) {
    return switch (result) {
      case TokenResult.Issued _ ->
          refresh == null ? Counter.TOKENS_FETCHED : Counter.TOKENS_REFRESHED;
      case TokenResult.Refused _ -> Counter.TOKENS_FAILED;
    };
  }

  /** Ends the request when its time is up. */
  void timedOut() {
    cancel();
    int millis = credentials.limits().authentication().tokenTimeoutMillis();
    end(
        failed(
            ErrorType.COMMUNICATION,
            "expected a token from "
                + asked
                + " within "
                + millis
                + " ms (authentication.tokenTimeoutMillis), found none"));
  }

  /** Ends the request with the engine. */
  void stop() {
    cancel();
    end(failed(ErrorType.RUNTIME, "the engine stopped before there was a token"));
  }

  private void cancel() {
    if (ongoing != null) {
      ongoing.cancel();
      ongoing = null;
    }
  }

  private static TokenResult failed(ErrorType type, String detail) {
    return new TokenResult.Refused(WorkflowError.of(type, detail));
  }

  /** Reads an answer; throws {@link ExpressionException} when it is not the one that is needed. */
  private interface AnswerReader {
    void read(int status, byte[] body);
  }

  /** Receiver of one answer. */
  private final class Answer implements ServiceCaller.InterceptedListener {
    private final HttpCall request;
    private final AnswerReader reader;
    private boolean isOver;

    Answer(HttpCall request, AnswerReader reader) {
      this.request = request;
      this.reader = reader;
    }

    @Override
    public @Nullable MessageBody content() {
      return null;
    }

    @Override
    public boolean onResponse(ServiceResponse answer) {
      isOver = true;
      ongoing = null;
      int status = answer.status();
      byte[] body = ByteBufUtil.getBytes(answer.body());
      caller.later(() -> read(status, body)); // the connection is free for the next request then
      return true;
    }

    private void read(int status, byte[] body) {
      if (ended) {
        return;
      }
      try {
        reader.read(status, body);
      } catch (ExpressionException e) {
        refused(e.error());
      }
    }

    @Override
    public void onOutcome(CallOutcome outcome) {
      isOver = true;
      ongoing = null;
      if (outcome instanceof CallOutcome.Failed(WorkflowError error)) {
        end(
            new TokenResult.Refused(
                new WorkflowError(
                    error.type(),
                    error.status(),
                    error.title(),
                    "no answer to " + request.description() + ": " + error.detail(),
                    null)));
      }
    }
  }
}
