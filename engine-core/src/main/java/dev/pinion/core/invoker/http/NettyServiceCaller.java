package dev.pinion.core.invoker.http;

import dev.pinion.core.invoker.CallFailures;
import dev.pinion.core.invoker.InvokerCounters;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.TimeoutQueue;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.call.HttpCall;
import io.netty.channel.EventLoop;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes calls over HTTP/1.1 (RFC 9112), plain or by TLS, on pooled connections that carry one
 * request at a time.
 *
 * <p>Names are looked up without blocking the event loop; see {@link HappyEyeballs} for the choice
 * of an address. Redirections are not followed. A request on a kept connection that the service has
 * closed meanwhile is sent once more on a fresh one, by the rule of {@link
 * CallExchange#claimRetry}.
 */
public final class NettyServiceCaller implements ServiceCaller {
  private static final Logger LOG = LoggerFactory.getLogger(NettyServiceCaller.class);

  private final TargetUriCache targetUriCache = new TargetUriCache();
  private final ServicePools pools;
  private final ConnectionContext connectionContext;
  private final ConnectionQueues queues;
  private final HostResolver addresses;
  private @Nullable Runnable settled;
  private long heldUntilNanos = Long.MIN_VALUE;

  /**
   * A caller.
   *
   * @param loop the event loop on whose thread every method is called
   * @param settings common settings of the callers of an engine
   * @param counters counters of the Invoker
   */
  public NettyServiceCaller(
      EventLoop loop, ServiceCallerSettings settings, InvokerCounters counters) {
    this(
        loop,
        settings,
        counters,
        new DnsHostResolver(loop, settings.channels(), settings.limits()));
  }

  public NettyServiceCaller(
      EventLoop loop,
      ServiceCallerSettings settings,
      InvokerCounters counters,
      HostResolver addresses) {
    this.addresses = addresses;
    this.pools = new ServicePools(loop, settings, addresses, counters);
    this.connectionContext = pools.context;
    this.queues = pools.queues;
  }

  @Override
  public void beginCycle(long nowNanos) {
    connectionContext.now(nowNanos);
  }

  @Override
  public OngoingCall call(HttpCall call, CallListener callListener) {
    TargetUri targetUri;
    try {
      connectionContext.encoder.check(
          call,
          callListener instanceof InterceptedListener interceptedListener
              ? interceptedListener.content()
              : null);
      targetUri = targetUriCache.of(call.uri());
    } catch (InvalidCallException e) {
      callListener.onOutcome(CallFailures.of(ErrorType.CONFIGURATION, e.problem()));
      return RejectedCall.INSTANCE;
    }
    ServicePool pool = pools.pool(targetUri.origin());
    CallExchange callExchange = new CallExchange(call, targetUri.path(), pool, callListener);
    pool.submit(callExchange);
    return callExchange;
  }

  @Override
  public void connectAhead(List<String> uris, Runnable onSettled) {
    settled = onSettled;
    for (String uri : uris) {
      try {
        pools.pool(TargetUri.parse(uri).origin()).openAhead();
      } catch (InvalidCallException e) {
        LOG.debug("no connection ahead of calls: {}", e.problem());
      }
    }
  }

  private void tellSettled() {
    Runnable told = settled;
    if (told != null && queues.connecting.oldest() == null) {
      settled = null;
      told.run();
    }
  }

  @Override
  public int doWork(long nowNanos) {
    connectionContext.now(nowNanos);
    int work = connectionContext.responses.doWork();
    work += nowNanos < heldUntilNanos ? 0 : expire(nowNanos);
    work += raceOn(queues.races.resolving, nowNanos);
    work += raceOn(queues.races.attempting, nowNanos);
    queues.connecting.start(nowNanos);
    queues.idle.start(nowNanos);
    queues.races.resolving.start(nowNanos);
    queues.races.attempting.start(nowNanos);
    tellSettled();
    return work;
  }

  private int expire(long nowNanos) {
    int work = 0;
    for (PooledConnection late = queues.connecting.pollExpired(nowNanos);
        late != null;
        late = queues.connecting.pollExpired(nowNanos)) {
      late.onConnectTimeout();
      work++;
    }
    for (PooledConnection unused = queues.idle.pollExpired(nowNanos);
        unused != null;
        unused = queues.idle.pollExpired(nowNanos)) {
      unused.close();
      work++;
    }
    return work;
  }

  private static int raceOn(TimeoutQueue<HappyEyeballs> queue, long nowNanos) {
    int work = 0;
    for (HappyEyeballs next = queue.pollExpired(nowNanos);
        next != null;
        next = queue.pollExpired(nowNanos)) {
      next.onDelayEnded();
      work++;
    }
    return work;
  }

  @Override
  public boolean hasWork() {
    return queues.connecting.hasUnstarted()
        || queues.idle.hasUnstarted()
        || queues.races.resolving.hasUnstarted()
        || queues.races.attempting.hasUnstarted()
        || connectionContext.responses.hasWork()
        || (settled != null && queues.connecting.oldest() == null);
  }

  @Override
  public long nextDeadlineNanos() {
    long races =
        Math.min(
            queues.races.resolving.nextDeadlineNanos(),
            queues.races.attempting.nextDeadlineNanos());
    long connections =
        Math.min(queues.connecting.nextDeadlineNanos(), queues.idle.nextDeadlineNanos());
    long answers = connectionContext.responses.nextDeadlineNanos(connectionContext.nowNanos());
    return Math.min(answers, Math.min(races, connections));
  }

  @Override
  public void onPause(long untilNanos) {
    heldUntilNanos = untilNanos;
  }

  @Override
  public void onClose() {
    for (PooledConnection c = queues.connecting.poll(); c != null; c = queues.connecting.poll()) {
      c.onStop();
    }
    for (PooledConnection c = queues.idle.poll(); c != null; c = queues.idle.poll()) {
      c.close();
    }
    addresses.close();
  }

  /** Number of services with connections or calls. */
  public int services() {
    return pools.services();
  }

  /** A call that ended before it was begun. */
  private enum RejectedCall implements OngoingCall {
    INSTANCE;

    @Override
    public void cancel() {
      // it has ended
    }

    @Override
    public String waitsFor() {
      return "nothing";
    }
  }
}
