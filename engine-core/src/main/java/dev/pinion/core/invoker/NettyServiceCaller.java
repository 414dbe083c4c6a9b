package dev.pinion.core.invoker;

import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.HttpCall;
import io.netty.channel.EventLoop;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes calls over HTTP/1.1 (RFC 9112), plain or by TLS, on pooled connections that carry one
 * request at a time.
 *
 * <p>Names are looked up without blocking the event loop; see {@link ConnectRace} for the choice of
 * an address. Content codings are not requested and not supported. Redirections are not followed. A
 * request on a kept connection that the service has closed meanwhile is sent once more on a fresh
 * one, by the rule of {@link Exchange#claimRetry}.
 */
public final class NettyServiceCaller implements ServiceCaller {
  private static final Logger LOG = LoggerFactory.getLogger(NettyServiceCaller.class);

  private final Targets targets = new Targets();
  private final Network network;
  private final AddressSource addresses;
  private @Nullable Runnable settled;
  private long heldUntilNanos = Long.MIN_VALUE;

  /**
   * A caller.
   *
   * @param loop the event loop on whose thread every method is called
   * @param settings common settings of the callers of an engine
   * @param counters counters of the Invoker
   */
  public NettyServiceCaller(EventLoop loop, InvokerSettings settings, InvokerCounters counters) {
    this(
        loop,
        settings,
        counters,
        new DnsAddressSource(loop, settings.channels(), settings.limits()));
  }

  NettyServiceCaller(
      EventLoop loop, InvokerSettings settings, InvokerCounters counters, AddressSource addresses) {
    this.addresses = addresses;
    this.network = new Network(loop, settings, addresses, counters);
  }

  @Override
  public void beginCycle(long nowNanos) {
    network.now(nowNanos);
  }

  @Override
  public OngoingCall call(HttpCall call, Listener listener) {
    Target target;
    try {
      RequestEncoder.check(call, listener instanceof Handled handled ? handled.content() : null);
      target = targets.of(call.uri());
    } catch (UncallableException e) {
      listener.onOutcome(Failures.of(ErrorType.CONFIGURATION, e.problem()));
      return Refused.INSTANCE;
    }
    ServicePool pool = network.pool(target.origin());
    Exchange exchange = new Exchange(call, target.path(), pool, listener);
    pool.submit(exchange);
    return exchange;
  }

  @Override
  public void connectAhead(List<String> uris, Runnable onSettled) {
    settled = onSettled;
    for (String uri : uris) {
      try {
        network.pool(Target.parse(uri).origin()).openAhead();
      } catch (UncallableException e) {
        LOG.debug("no connection ahead of calls: {}", e.problem());
      }
    }
  }

  private void tellSettled() {
    Runnable told = settled;
    if (told != null && network.connecting.oldest() == null) {
      settled = null;
      told.run();
    }
  }

  @Override
  public int doWork(long nowNanos) {
    network.now(nowNanos);
    int work = network.room.doWork();
    work += nowNanos < heldUntilNanos ? 0 : expire(nowNanos);
    work += raceOn(network.resolving, nowNanos);
    work += raceOn(network.attempting, nowNanos);
    network.connecting.start(nowNanos);
    network.idle.start(nowNanos);
    network.resolving.start(nowNanos);
    network.attempting.start(nowNanos);
    tellSettled();
    return work;
  }

  private int expire(long nowNanos) {
    int work = 0;
    for (Connection late = network.connecting.pollExpired(nowNanos);
        late != null;
        late = network.connecting.pollExpired(nowNanos)) {
      late.onConnectTimeout();
      work++;
    }
    for (Connection unused = network.idle.pollExpired(nowNanos);
        unused != null;
        unused = network.idle.pollExpired(nowNanos)) {
      unused.close();
      work++;
    }
    return work;
  }

  private static int raceOn(TimeoutQueue<ConnectRace> queue, long nowNanos) {
    int work = 0;
    for (ConnectRace next = queue.pollExpired(nowNanos);
        next != null;
        next = queue.pollExpired(nowNanos)) {
      next.onDelayEnded();
      work++;
    }
    return work;
  }

  @Override
  public boolean hasWork() {
    return network.connecting.hasUnstarted()
        || network.idle.hasUnstarted()
        || network.resolving.hasUnstarted()
        || network.attempting.hasUnstarted()
        || network.room.hasWork()
        || (settled != null && network.connecting.oldest() == null);
  }

  @Override
  public long nextDeadlineNanos() {
    long races =
        Math.min(network.resolving.nextDeadlineNanos(), network.attempting.nextDeadlineNanos());
    long connections =
        Math.min(network.connecting.nextDeadlineNanos(), network.idle.nextDeadlineNanos());
    long answers = network.room.nextDeadlineNanos(network.nowNanos());
    return Math.min(answers, Math.min(races, connections));
  }

  @Override
  public void onPause(long untilNanos) {
    heldUntilNanos = untilNanos;
  }

  @Override
  public void onClose() {
    for (Connection c = network.connecting.poll(); c != null; c = network.connecting.poll()) {
      c.onStop();
    }
    for (Connection c = network.idle.poll(); c != null; c = network.idle.poll()) {
      c.close();
    }
    addresses.close();
  }

  /** Number of services with connections or calls. */
  int services() {
    return network.services();
  }

  /** A call that ended before it was begun. */
  private enum Refused implements OngoingCall {
    INSTANCE;

    @Override
    public void cancel() {
      // it has ended
    }

    @Override
    public String awaits() {
      return "nothing";
    }
  }
}
