package dev.pinion.core.invoker.http;

import dev.pinion.core.model.call.CallOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The pool that a connection belongs to. Event loop only.
 *
 * @param <C> the type of a connection
 */
interface ConnectionOwner<C> {
  /** The service. */
  Origin origin();

  /** Value of the Host field of requests. */
  String hostField();

  /**
   * Offers a connection in progress to any waiting call: the call that it was intended for has
   * ended.
   */
  void onUnclaimed();

  /** Handles an established connection. */
  void onReady(C connection);

  /** Handles a connection that is free again. */
  void onFree(C connection);

  /**
   * Handles a connection that could not be established.
   *
   * @param claimant the call it was intended for, or null for any waiting call
   */
  void onConnectFailed(@Nullable CallExchange claimant, CallOutcome failure);

  /** Retries the request of a closed connection on a fresh one in its place. */
  void replace(CallExchange retry);

  /** Handles a closed connection. */
  void onClosed(C connection);
}
