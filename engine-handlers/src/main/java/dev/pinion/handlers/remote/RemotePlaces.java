package dev.pinion.handlers.remote;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.config.RemoteHandlers;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places handlers in hosts: the engine's side of them. Chains that use it need workers of their
 * own, because an effect that has to be taken back is waited for.
 */
public final class RemotePlaces implements RemoteHandlers, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RemotePlaces.class);
  private static final long TURN_MILLIS = 10;

  private final EngineLimits engine;
  private final Requester requester;
  private final ScheduledExecutorService turns;
  private final ScheduledFuture<?> turning;
  private final ThreadPoolExecutor lateReplies;

  /**
   * Hosts to be reached over a transport.
   *
   * @param prefix what all subjects begin with; hosts have the same
   * @param transport closed by whoever made it, after this
   */
  public RemotePlaces(
      Transport transport,
      String prefix,
      EngineLimits engine,
      RemoteLimits limits,
      RemoteTimes times,
      Clock clock) {
    this.engine = engine;
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
            transport,
            transport instanceof NatsTransport nats
                ? nats.store(subjects, StoreLimits.DEFAULTS)
                : null,
            new FrameCodec(engine, limits),
            subjects,
            limits,
            times,
            clock,
            lateReplies);
    turns =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("handlers-remote").factory());
    turning =
        turns.scheduleWithFixedDelay(this::turn, TURN_MILLIS, TURN_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void turn() {
    try {
      requester.turn();
    } catch (RuntimeException e) { // the next turn comes all the same
      LOG.error("looking after messages at handler hosts failed", e);
    }
  }

  @Override
  public Handler place(Placement placement) {
    RemoteHandler remote = RemoteHandler.of(requester, placement);
    if (!placement.auto()) {
      return remote;
    }
    if (remote.declaration().effect() != EffectClass.STATELESS) {
      // What is taken back has to be taken back where it was made.
      LOG.info(
          "the handler \"{}\" of \"{}\" runs here: place: auto is for handlers without an effect",
          placement.step(),
          placement.chain());
      return placement.local();
    }
    return new AutoHandler(remote, requester.clock());
  }

  /**
   * Measures where a handler without an effect is better run, by handling one message here and in
   * hosts, in turn. Waits for that.
   *
   * @param times how often each is measured, after some times to warm up
   * @throws Exception when the handler fails, or no host answers
   */
  public PlaceDecision tried(Placement placement, Message message, int times) throws Exception {
    return new PlaceTrial(requester, placement, message, engine).run(times);
  }

  /** What has happened until now. */
  public RemoteStatistics statistics() {
    return requester.statistics();
  }

  /** How the way to hosts is now. For any thread, cheap enough to be asked each second. */
  public RemoteHealth health() {
    return requester.health();
  }

  /** Stops listening: what is under way is given up by the chains when its time is over. */
  @Override
  public void close() {
    turning.cancel(false);
    turns.shutdownNow();
    lateReplies.shutdown();
    requester.close();
  }
}
