package dev.pinion.core.authentication;

import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.WorkflowError;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a replica, by their parameters. One request at a time is made for each; whoever
 * needs the token meanwhile waits for its result. For any thread.
 */
public final class TokenCache {
  private static final int INITIAL_CAPACITY = 16;
  private static final float LOAD = 0.75f;

  private final int most;
  private final Map<String, TokenEntry> entries = new LinkedHashMap<>(INITIAL_CAPACITY, LOAD, true);

  /** A token, and those who wait for the next one. */
  private static final class TokenEntry {
    private @Nullable AccessToken token;
    private @Nullable String refresh;
    private boolean isRequested;
    private List<Consumer<TokenResult>> waiters = new ArrayList<>();
  }

  /** What whoever needs a token has to do. */
  public sealed interface TokenClaim {
    /** Use a token. */
    record Known(AccessToken token) implements TokenClaim {}

    /**
     * Request a token, and {@link TokenCache#complete report} the result.
     *
     * @param refresh token to do it with, or null
     */
    record Due(@Nullable String refresh) implements TokenClaim {}

    /** Wait for the result of another request. */
    record Underway() implements TokenClaim {
      static final Underway INSTANCE = new Underway();
    }
  }

  /**
   * No tokens.
   *
   * @param most most tokens, besides those that are being requested
   */
  public TokenCache(int most) {
    this.most = most;
  }

  /**
   * Claims the token of some parameters.
   *
   * @param waiter receives the result unless there is a token; on any thread
   */
  public synchronized TokenClaim claim(String key, long nowNanos, Consumer<TokenResult> waiter) {
    TokenEntry entry = entries.computeIfAbsent(key, unknown -> new TokenEntry());
    AccessToken token = entry.token;
    if (token != null && nowNanos - token.usableUntilNanos() < 0) {
      return new TokenClaim.Known(token);
    }
    entry.waiters.add(waiter);
    if (entry.isRequested) {
      return TokenClaim.Underway.INSTANCE;
    }
    entry.isRequested = true;
    evict();
    return new TokenClaim.Due(entry.refresh);
  }

  private void evict() {
    Iterator<TokenEntry> oldest = entries.values().iterator();
    while (entries.size() > most && oldest.hasNext()) {
      if (!oldest.next().isRequested) {
        oldest.remove();
      }
    }
  }

  /** Reports the result of a request to those who wait for it. */
  public void complete(String key, TokenResult result) {
    List<Consumer<TokenResult>> waiters;
    synchronized (this) {
      TokenEntry entry = entries.get(key);
      if (entry == null) {
        return;
      }
      waiters = entry.waiters;
      entry.waiters = new ArrayList<>();
      entry.isRequested = false;
      switch (result) {
        case TokenResult.Issued(AccessToken token) -> {
          entry.token = token;
          entry.refresh = token.refresh() == null ? entry.refresh : token.refresh();
        }
        case TokenResult.Refused(WorkflowError error) -> {
          if (entry.refresh == null || isOfTheServer(error)) {
            entries.remove(key);
          }
        }
      }
    }
    waiters.forEach(waiter -> waiter.accept(result));
  }

  /**
   * Whether the server itself refuses a token. A refresh token stays good in other cases, such as a
   * server that is down; the one before it may count as stolen when it is used again (RFC 9700,
   * section 4.14.2).
   */
  private static boolean isOfTheServer(WorkflowError error) {
    return error.type().equals(ErrorType.AUTHENTICATION.uri());
  }

  /** Drops a token that a service has refused, unless there is another one by now. */
  public synchronized void reject(String key, AccessToken refused) {
    TokenEntry entry = entries.get(key);
    if (entry != null && refused.equals(entry.token)) {
      entry.token = null;
    }
  }

  /** Number of tokens, and of requests for some. */
  public synchronized int size() {
    return entries.size();
  }
}
