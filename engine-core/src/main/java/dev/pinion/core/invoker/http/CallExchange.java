package dev.pinion.core.invoker.http;

import dev.pinion.core.interception.MessageBody;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.ServiceResponse;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One call: waiting in a pool, or on a connection. */
final class CallExchange implements ServiceCaller.OngoingCall {
  /** RFC 9110, section 9.2.2. */
  private static final Set<String> IDEMPOTENT =
      Set.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE");

  private final HttpCall call;
  private final String path;
  private final ServiceCaller.CallListener callListener;
  private CallPlace place;
  private boolean retried;
  private boolean ended;

  /** Where a call is: it waits in the pool of its service, or is on a connection. */
  interface CallPlace {
    /** Drops the call, which was cancelled. */
    void abandon(CallExchange cancelled);

    /** Whether the call {@linkplain ServiceCaller.OngoingCall#wasDelayedLocally was held up}. */
    boolean wasHeldUp();

    /** Description of what the call waits for. */
    String awaits();
  }

  /**
   * A call that has not begun.
   *
   * @param path path and query in the form in which they are sent
   * @param place the pool of its service
   */
  CallExchange(
      HttpCall call, String path, CallPlace place, ServiceCaller.CallListener callListener) {
    this.call = call;
    this.path = path;
    this.place = place;
    this.callListener = callListener;
  }

  HttpCall call() {
    return call;
  }

  /** Path and query in the form in which they are sent. */
  String path() {
    return path;
  }

  /** Assigns a connection. */
  void on(CallPlace connection) {
    place = connection;
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
    }
    return taken;
  }

  /** Whether its listener looks at a response before its end. */
  boolean isWatched() {
    return callListener instanceof ServiceCaller.StreamListener;
  }

  /** Offers the part of the response that has come; returns whether it is enough, which ends it. */
  boolean offerPart(ServiceResponse soFar) {
    boolean enough =
        !ended
            && callListener instanceof ServiceCaller.StreamListener streamListener
            && streamListener.onPart(soFar);
    if (enough) {
      ended = true;
    }
    return enough;
  }

  void end(CallOutcome outcome) {
    if (!ended) {
      ended = true;
      callListener.onOutcome(outcome);
    }
  }

  /** Reports work for the call since a sample. */
  void onWork(int since) {
    callListener.onWork(since);
  }

  @Override
  public void cancel() {
    if (!ended) {
      ended = true;
      place.abandon(this);
    }
  }

  @Override
  public boolean wasDelayedLocally() {
    return !ended && place.wasHeldUp();
  }

  @Override
  public String waitsFor() {
    return place.awaits();
  }
}
