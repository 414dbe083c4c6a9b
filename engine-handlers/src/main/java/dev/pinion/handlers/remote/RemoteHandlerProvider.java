package dev.pinion.handlers.remote;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.config.HandlerProvider;
import dev.pinion.handlers.remote.protocol.FrameCodec;
import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.transport.FrameTransport;
import dev.pinion.handlers.remote.transport.NatsTransport;
import dev.pinion.handlers.remote.transport.Subjects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places handlers in hosts: the engine's side. Chains that use it need separate workers, because
 * they wait for effects to be undone.
 */
public final class RemoteHandlerProvider implements HandlerProvider, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteHandlerProvider.class);
  private static final long TURN_MILLIS = 10;

  private final EngineLimits engine;
  private final Requester requester;
  private final ScheduledExecutorService turns;
  private final ScheduledFuture<?> turning;
  private final ThreadPoolExecutor lateReplies;

  /**
   * Hosts behind a transport.
   *
   * @param prefix prefix of all subjects, the same as of hosts
   * @param frameTransport closed by its maker, after this object
   * @param settings bounds and times of the engine's side
   */
  public RemoteHandlerProvider(
      FrameTransport frameTransport,
      String prefix,
      EngineLimits engine,
      RemoteSettings settings,
      Clock clock) {
    this.engine = engine;
    RemoteLimits limits = settings.limits();
    lateReplies =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(limits.maxInFlight()),
            Thread.ofPlatform().daemon().name("handlers-late").factory());
    lateReplies.allowCoreThreadTimeOut(true);
    Subjects subjects = new Subjects(prefix);
    requester =
        new Requester(
            frameTransport,
            frameTransport instanceof NatsTransport nats
                ? nats.store(subjects, settings.store())
                : null,
            new FrameCodec(engine, limits),
            subjects,
            settings,
            clock,
            lateReplies);
    turns =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("handlers-remote").factory());
    turning =
        turns.scheduleWithFixedDelay(this::tick, TURN_MILLIS, TURN_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    try {
      requester.tick();
    } catch (RuntimeException e) { // the next turn comes nevertheless
      LOG.error("looking after messages at handler hosts failed", e);
    }
  }

  @Override
  public Handler provide(RemoteHandlerRequest remoteHandlerRequest) {
    RemoteHandler remote = RemoteHandler.of(requester, remoteHandlerRequest);
    if (!remoteHandlerRequest.auto()) {
      return remote;
    }
    if (remote.declaration().effect() != EffectClass.STATELESS) {
      // An effect must be undone where it happened.
      LOG.info(
          "the handler \"{}\" of \"{}\" runs here: place: auto is for handlers without an effect",
          remoteHandlerRequest.step(),
          remoteHandlerRequest.chain());
      return remoteHandlerRequest.local();
    }
    return new AutoPlacedHandler(remote, requester.clock());
  }

  /**
   * Measures whether a handler without an effect is faster here or in hosts, by handling one
   * message in both, alternating. Waits for that.
   *
   * @param times number of measurements of each, after a warm-up
   * @throws Exception when the handler fails, or no host answers
   */
  public PlacementDecision trial(
      RemoteHandlerRequest remoteHandlerRequest, Message message, int times) throws Exception {
    return new PlacementTrial(requester, remoteHandlerRequest, message, engine).run(times);
  }

  /** Statistics so far. */
  public RemoteStatistics statistics() {
    return requester.statistics();
  }

  /** Health of the connection to hosts. For any thread, cheap enough to be read each second. */
  public RemoteHealth health() {
    return requester.health();
  }

  /** Stops listening: chains abandon attempts under way at their time-outs. */
  @Override
  public void close() {
    turning.cancel(false);
    turns.shutdownNow();
    lateReplies.shutdown();
    requester.close();
  }
}
