package dev.pinion.core.invoker;

import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.spi.Content;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One call: waiting in a pool, or on a connection. */
final class Exchange implements ServiceCaller.OngoingCall {
  /** RFC 9110, section 9.2.2. */
  private static final Set<String> IDEMPOTENT =
      Set.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE");

  private final HttpCall call;
  private final String path;
  private final ServicePool pool;
  private final ServiceCaller.Listener listener;
  private @Nullable Connection connection;
  private boolean retried;
  private boolean ended;

  Exchange(HttpCall call, String path, ServicePool pool, ServiceCaller.Listener listener) {
    this.call = call;
    this.path = path;
    this.pool = pool;
    this.listener = listener;
  }

  HttpCall call() {
    return call;
  }

  /** Path and query in the form in which they are sent. */
  String path() {
    return path;
  }

  /** Assigns a connection, or none while the exchange waits for one again. */
  void on(@Nullable Connection connection) {
    this.connection = connection;
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
            && (unread || IDEMPOTENT.contains(call.method()) || (reset && call.isIdentified()));
    retried |= claimed;
    return claimed;
  }

  /** Content to send instead of the call's body, or null. */
  @Nullable Content content() {
    return listener instanceof ServiceCaller.Handled handled ? handled.content() : null;
  }

  /** Offers the original response; returns whether it was taken, which ends the exchange. */
  boolean taken(ServiceAnswer answer) {
    boolean taken =
        !ended && listener instanceof ServiceCaller.Handled handled && handled.onAnswer(answer);
    if (taken) {
      ended = true;
      connection = null;
    }
    return taken;
  }

  void end(CallOutcome outcome) {
    if (!ended) {
      ended = true;
      connection = null;
      listener.onOutcome(outcome);
    }
  }

  /** Reports work for the call since a sample. */
  void worked(int since) {
    listener.onWork(since);
  }

  @Override
  public void cancel() {
    if (ended) {
      return;
    }
    ended = true;
    if (connection == null) {
      pool.forget(this);
    } else {
      connection.abandon();
    }
  }

  @Override
  public boolean wasHeldUp() {
    return connection != null && connection.wasHeldUp();
  }

  @Override
  public String awaits() {
    return connection == null
        ? "a connection to " + pool.origin()
        : connection.awaits() + " " + pool.origin();
  }
}
