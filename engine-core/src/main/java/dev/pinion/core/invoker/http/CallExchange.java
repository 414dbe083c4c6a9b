package dev.pinion.core.invoker.http;

import dev.pinion.core.interception.MessageBody;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.ServiceResponse;
import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.HttpCall;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One call: waiting in a pool, or on a connection. */
final class CallExchange implements ServiceCaller.OngoingCall {
  /** RFC 9110, section 9.2.2. */
  private static final Set<String> IDEMPOTENT =
      Set.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE");

  private final HttpCall call;
  private final String path;
  private final ServicePool pool;
  private final ServiceCaller.CallListener callListener;
  private @Nullable PooledConnection pooledConnection;
  private boolean retried;
  private boolean ended;

  CallExchange(
      HttpCall call, String path, ServicePool pool, ServiceCaller.CallListener callListener) {
    this.call = call;
    this.path = path;
    this.pool = pool;
    this.callListener = callListener;
  }

  HttpCall call() {
    return call;
  }

  /** Path and query in the form in which they are sent. */
  String path() {
    return path;
  }

  /** Assigns a connection, or none while the exchange waits for one again. */
  void on(@Nullable PooledConnection pooledConnection) {
    this.pooledConnection = pooledConnection;
  }

  /**
   * Claims the single retry of a request whose kept connection broke before a byte of a response
   * came (RFC 9112, section 9.3.1).
   *
   * @param unread whether the service is known to have received nothing of it
   * @param reset whether the connection broke, rather than being closed by the service, which had
   *     the request: then its fate is unknown, and only an identified request may be repeated
   */
  boolean claimRetry(boolean unread, boolean reset) {
    boolean claimed =
        !retried
            && (unread
                || IDEMPOTENT.contains(call.method())
                || (reset && call.hasIdempotencyKey()));
    retried |= claimed;
    return claimed;
  }

  /** Content to send instead of the call's body, or null. */
  @Nullable MessageBody content() {
    return callListener instanceof ServiceCaller.InterceptedListener interceptedListener
        ? interceptedListener.content()
        : null;
  }

  /** Offers the original response; returns whether it was taken, which ends the exchange. */
  boolean offer(ServiceResponse answer) {
    boolean taken =
        !ended
            && callListener instanceof ServiceCaller.InterceptedListener interceptedListener
            && interceptedListener.onResponse(answer);
    if (taken) {
      ended = true;
      pooledConnection = null;
    }
    return taken;
  }

  void end(CallOutcome outcome) {
    if (!ended) {
      ended = true;
      pooledConnection = null;
      callListener.onOutcome(outcome);
    }
  }

  /** Reports work for the call since a sample. */
  void onWork(int since) {
    callListener.onWork(since);
  }

  @Override
  public void cancel() {
    if (ended) {
      return;
    }
    ended = true;
    if (pooledConnection == null) {
      pool.forget(this);
    } else {
      pooledConnection.abandon();
    }
  }

  @Override
  public boolean wasDelayedLocally() {
    return pooledConnection != null && pooledConnection.wasHeldUp();
  }

  @Override
  public String waitsFor() {
    return pooledConnection == null
        ? "a connection to " + pool.origin()
        : pooledConnection.awaits() + " " + pool.origin();
  }
}
