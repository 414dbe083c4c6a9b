package dev.pinion.bootstrap.history.publish;

import dev.pinion.bootstrap.settings.SinkPolicy;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads that transform and send events, each for its share of the subscribers. Driven by one
 * thread, the dispatcher's.
 */
public final class PublisherPool implements AutoCloseable {
  private final EngineLimits limits;
  private final PayloadCodec codec;
  private final Runnable wake;
  private final List<ScheduledExecutorService> publishers = new ArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();
  private final AtomicLong heldChars = new AtomicLong();
  private final HttpSender sender;
  private final Map<String, SubscriberDelivery> deliveries = new HashMap<>();
  private int rounds;

  /** Stored positions of subscribers. */
  public interface Positions<E extends Exception> {
    /** Last event that it has received or will never receive. */
    long of(String subscription) throws E;
  }

  /**
   * Publishers without subscriptions.
   *
   * @param policy permitted destinations of events
   * @param threads factory of their threads
   * @param wake run by them when a subscriber has capacity for more events
   */
  public PublisherPool(
      EngineLimits limits,
      PayloadCodec codec,
      SinkPolicy policy,
      ThreadFactory threads,
      Runnable wake) {
    this.limits = limits;
    this.codec = codec;
    this.wake = wake;
    for (int i = 0; i < limits.publish().publishers(); i++) {
      ScheduledThreadPoolExecutor publisher = new ScheduledThreadPoolExecutor(1, threads);
      publisher.setRemoveOnCancelPolicy(true);
      publisher.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
      publishers.add(publisher);
    }
    this.sender =
        new HttpSender(
            work -> publishers.get(next()).execute(work),
            Duration.ofMillis(limits.publish().timeoutMillis()),
            policy);
  }

  private int next() {
    return Math.floorMod(turn.getAndIncrement(), publishers.size());
  }

  /** Serves these subscriptions from now on, and no others. */
  public <E extends Exception> void setSubscriptions(
      List<Subscription> inForce, Positions<E> positions) throws E {
    Set<String> ids = new HashSet<>();
    for (Subscription each : inForce) {
      ids.add(each.id());
      SubscriberDelivery known = deliveries.get(each.id());
      if (known == null) {
        deliveries.put(each.id(), delivery(each, positions.of(each.id())));
      } else {
        known.renewed(each);
      }
    }
    deliveries
        .entrySet()
        .removeIf(
            entry -> {
              boolean ended = !ids.contains(entry.getKey());
              if (ended) {
                entry.getValue().close();
              }
              return ended;
            });
  }

  private SubscriberDelivery delivery(Subscription subscription, long position) {
    int publisher = Math.floorMod(subscription.id().hashCode(), publishers.size());
    return new SubscriberDelivery(
        subscription, position, limits, codec, sender, publishers.get(publisher), this);
  }

  /**
   * Deliveries that accept more events, starting with a different one each time: long events leave
   * capacity for some of them only.
   */
  public List<SubscriberDelivery> withRoom() {
    List<SubscriberDelivery> found =
        new ArrayList<>(
            deliveries.values().stream()
                .filter(each -> each.room() > 0 && !each.isHalfFull())
                .toList());
    if (!found.isEmpty()) {
      Collections.rotate(found, -Math.floorMod(rounds++, found.size()));
    }
    return found;
  }

  /**
   * Most characters of events that may be added now; 0 for no event. All held events are removed in
   * time, since failed deliveries return them.
   */
  public long roomForChars() {
    return Math.max(0, limits.publish().maxQueuedChars() - heldChars.get());
  }

  /** Progress of all subscribers. */
  public List<DeliveryProgress> progress() {
    return deliveries.values().stream().map(SubscriberDelivery::progress).toList();
  }

  /** Called when the last reported progress is stored. */
  public void advanced() {
    deliveries.values().forEach(SubscriberDelivery::advanced);
  }

  /** Subscriptions whose sinks have answered 410 and accept no more events. */
  public List<Subscription> endedSubscriptions() {
    List<Subscription> gone = new ArrayList<>();
    for (SubscriberDelivery each : deliveries.values()) {
      Subscription ended = each.endedSubscription();
      if (ended != null) {
        gone.add(ended);
      }
    }
    return gone;
  }

  void hold(long chars) {
    heldChars.addAndGet(chars);
  }

  void wake() {
    wake.run();
  }

  /** Stops sending; requests under way are abandoned, and their events will be sent again. */
  @Override
  public void close() {
    deliveries.values().forEach(SubscriberDelivery::close);
    publishers.forEach(ScheduledExecutorService::shutdownNow);
    sender.close();
  }
}
