package dev.pinion.core.invoker.authentication;

import dev.pinion.core.authentication.AccessToken;
import dev.pinion.core.authentication.Authorization;
import dev.pinion.core.authentication.DigestChallenge;
import dev.pinion.core.authentication.DigestSession;
import dev.pinion.core.authentication.DigestSession.DigestRequest;
import dev.pinion.core.authentication.PolicyParameters;
import dev.pinion.core.authentication.TokenCache.TokenClaim;
import dev.pinion.core.authentication.TokenPolicy;
import dev.pinion.core.authentication.TokenResult;
import dev.pinion.core.authentication.UserPassword;
import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.invoker.ServiceResponse;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.AuthenticationScheme;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds the authorization of one call. On the thread of its event loop. */
sealed interface Authorizer {
  /**
   * The authorizer of a scheme.
   *
   * @throws dev.pinion.core.model.ExpressionException when the parameters do not do
   */
  static Authorizer of(
      AuthenticationScheme scheme, Payload parameters, AuthenticatedCaller caller) {
    return switch (scheme) {
      case BASIC -> new FixedAuthorizer(Authorization.basic(UserPassword.forBasic(parameters)));
      case BEARER -> new FixedAuthorizer(Authorization.bearer(PolicyParameters.token(parameters)));
      case DIGEST -> new DigestAuthorizer(UserPassword.of(parameters), caller);
      case OAUTH2, OIDC ->
          new TokenAuthorizer(
              TokenPolicy.of(scheme, parameters),
              caller.credentials().names().of(scheme.label(), parameters.toString()),
              caller);
    };
  }

  /**
   * Gets what the authorization needs.
   *
   * @param then called once, at once or later on the same thread: null for success
   */
  void prepare(Consumer<TokenResult.@Nullable Refused> then);

  /** The authorization, once prepared; null for none, and where it depends on the request. */
  @Nullable Authorization authorization();

  /** The authorization of one request, where it depends on the request; else null. */
  default @Nullable Authorization authorization(String origin, DigestRequest request) {
    return null;
  }

  /** Whether another attempt may succeed after an answer with status 401. */
  boolean retries(ServiceResponse unauthorized);

  /** Learns from an answer. */
  default void answered(ServiceResponse answer) {}

  /** An authorization that no answer changes. */
  record FixedAuthorizer(@Nullable Authorization authorization) implements Authorizer {
    @Override
    public void prepare(Consumer<TokenResult.@Nullable Refused> then) {
      then.accept(null);
    }

    @Override
    public boolean retries(ServiceResponse unauthorized) {
      return false;
    }
  }

  /** A token of an authorization server; renewed once when a service refuses it. */
  final class TokenAuthorizer implements Authorizer {
    private final TokenPolicy policy;
    private final String key;
    private final AuthenticatedCaller caller;
    private @Nullable AccessToken token;
    private boolean renewed;

    TokenAuthorizer(TokenPolicy policy, String key, AuthenticatedCaller caller) {
      this.policy = policy;
      this.key = key;
      this.caller = caller;
    }

    @Override
    public void prepare(Consumer<TokenResult.@Nullable Refused> then) {
      CallCredentials credentials = caller.credentials();
      TokenClaim claim =
          credentials
              .tokens()
              .claim(
                  key,
                  credentials.clock().nanoTime(),
                  result -> caller.later(() -> take(result, then)));
      switch (claim) {
        case TokenClaim.Known(AccessToken known) -> {
          caller.count(Counter.TOKENS_CACHED);
          token = known;
          then.accept(null);
        }
        case TokenClaim.Due(String refresh) -> new TokenFetch(caller, policy, key, refresh).begin();
        case TokenClaim.Underway _ -> {} // the result of the other request comes
      }
    }

    private void take(TokenResult result, Consumer<TokenResult.@Nullable Refused> then) {
      switch (result) {
        case TokenResult.Issued(AccessToken issued) -> {
          token = issued;
          then.accept(null);
        }
        case TokenResult.Refused refused -> then.accept(refused);
      }
    }

    @Override
    public @Nullable Authorization authorization() {
      return token == null ? null : Authorization.bearer(token.value());
    }

    @Override
    public boolean retries(ServiceResponse unauthorized) {
      if (renewed || token == null) {
        return false;
      }
      renewed = true;
      caller.credentials().tokens().reject(key, token);
      return true;
    }
  }

  /** Digest authentication: answers the challenge of the service, and uses its nonce again. */
  final class DigestAuthorizer implements Authorizer {
    private final UserPassword credentials;
    private final AuthenticatedCaller caller;
    private @Nullable String key;
    private @Nullable DigestSession used;
    private boolean challenged;
    private boolean renewed;

    DigestAuthorizer(UserPassword credentials, AuthenticatedCaller caller) {
      this.credentials = credentials;
      this.caller = caller;
    }

    @Override
    public void prepare(Consumer<TokenResult.@Nullable Refused> then) {
      then.accept(null);
    }

    @Override
    public @Nullable Authorization authorization() {
      return null;
    }

    @Override
    public @Nullable Authorization authorization(String origin, DigestRequest request) {
      key = caller.credentials().names().of(origin, credentials.username(), credentials.password());
      used = caller.credentials().sessions().find(key);
      return used == null ? null : used.authorization(request, credentials);
    }

    @Override
    public boolean retries(ServiceResponse unauthorized) {
      DigestChallenge challenge =
          DigestChallenge.of(unauthorized.headers().getAll(HttpHeaderNames.WWW_AUTHENTICATE));
      boolean first = used == null;
      boolean again =
          challenge != null && key != null && (first ? !challenged : mayRenew(challenge));
      if (again && challenge != null && key != null) {
        challenged = true;
        renewed |= !first;
        caller.credentials().sessions().put(key, new DigestSession(challenge));
      }
      return again;
    }

    /** A kept nonce may be too old, or unknown to a service that was started anew. */
    private boolean mayRenew(DigestChallenge challenge) {
      return !renewed && (challenge.isStale() || !challenged);
    }

    @Override
    public void answered(ServiceResponse answer) {
      String info = answer.headers().get("authentication-info");
      if (used != null && key != null && info != null) {
        caller.credentials().sessions().put(key, used.after(info));
      }
    }
  }
}
