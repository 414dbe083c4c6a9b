package dev.pinion.core.invoker.authentication;

import dev.pinion.core.invoker.InvokerCounters;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.TimeoutQueue;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.SecretParts;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Makes calls that need secrets, by adding what they need and passing them on; other calls pass
 * untouched. Closest to the network: handlers around calls see neither secrets nor tokens.
 */
public final class AuthenticatedCaller implements ServiceCaller {
  private final ServiceCaller caller;
  private final InvokerCounters counters;
  private final CallCredentials credentials;
  private final Executor loop;
  private final TimeoutQueue<TokenFetch> fetches;
  private long heldUntilNanos = Long.MIN_VALUE;

  /**
   * A caller.
   *
   * @param caller makes the calls and requests tokens, on the same event loop
   * @param counters written on that event loop
   * @param credentials shared by all Invokers
   * @param loop runs tasks on the event loop
   */
  public AuthenticatedCaller(
      ServiceCaller caller, InvokerCounters counters, CallCredentials credentials, Executor loop) {
    this.caller = caller;
    this.counters = counters;
    this.credentials = credentials;
    this.loop = loop;
    long millis = credentials.limits().authentication().tokenTimeoutMillis();
    this.fetches = new TimeoutQueue<>(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  @Override
  public OngoingCall call(HttpCall call, CallListener callListener) {
    SecretParts.Pending pending = call.pending();
    if (pending == null) {
      return caller.call(call, callListener);
    }
    return begun(new AuthenticatedCall(this, call, pending, caller::call, callListener));
  }

  @Override
  public OngoingCall callBy(RequestSender sender, HttpCall call, CallListener callListener) {
    SecretParts.Pending pending = call.pending();
    return pending == null
        ? sender.send(call, callListener)
        : begun(new AuthenticatedCall(this, call, pending, sender, callListener));
  }

  private static OngoingCall begun(AuthenticatedCall authenticated) {
    authenticated.begin();
    return authenticated;
  }

  /** Makes a call as it is. */
  OngoingCall pass(HttpCall call, CallListener callListener) {
    return caller.call(call, callListener);
  }

  CallCredentials credentials() {
    return credentials;
  }

  void count(InvokerCounters.Counter counter) {
    counters.increment(counter);
  }

  TimeoutQueue<TokenFetch> fetches() {
    return fetches;
  }

  /** Runs a task on the event loop; drops it when the loop has ended, with all its calls. */
  void later(Runnable task) {
    CallCredentials.later(loop, task);
  }

  @Override
  public void connectAhead(List<String> uris, Runnable settled) {
    caller.connectAhead(uris, settled);
  }

  @Override
  public void beginCycle(long nowNanos) {
    caller.beginCycle(nowNanos);
  }

  @Override
  public int doWork(long nowNanos) {
    int work = nowNanos >= heldUntilNanos ? expireFetches(nowNanos) : 0;
    fetches.start(nowNanos);
    return work + caller.doWork(nowNanos);
  }

  private int expireFetches(long nowNanos) {
    int work = 0;
    for (TokenFetch late = fetches.pollExpired(nowNanos);
        late != null;
        late = fetches.pollExpired(nowNanos)) {
      late.timedOut();
      work++;
    }
    return work;
  }

  @Override
  public boolean hasWork() {
    return fetches.hasUnstarted() || caller.hasWork();
  }

  @Override
  public long nextDeadlineNanos() {
    return Math.min(fetches.nextDeadlineNanos(), caller.nextDeadlineNanos());
  }

  @Override
  public void onPause(long untilNanos) {
    heldUntilNanos = untilNanos;
    caller.onPause(untilNanos);
  }

  @Override
  public void onClose() {
    for (TokenFetch fetch = fetches.poll(); fetch != null; fetch = fetches.poll()) {
      fetch.stop();
    }
    caller.onClose();
  }
}
