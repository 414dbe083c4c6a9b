package dev.pinion.bootstrap.publish;

import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.PayloadCodec;
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
 * Threads that transform and send events, each for the subscribers that fall to it. Driven by one
 * thread, the dispatcher's.
 */
public final class Publishers implements AutoCloseable {
  private final EngineLimits limits;
  private final PayloadCodec codec;
  private final Runnable wake;
  private final List<ScheduledExecutorService> publishers = new ArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();
  private final AtomicLong heldChars = new AtomicLong();
  private final HttpSender sender;
  private final Map<String, Delivery> deliveries = new HashMap<>();
  private int rounds;

  /** Where a subscriber was left. */
  public interface Positions<E extends Exception> {
    /** The last event that it has got or will never get. */
    long of(String subscription) throws E;
  }

  /**
   * Publishers with nobody to tell anything.
   *
   * @param policy where events may be sent to
   * @param threads makes their threads
   * @param wake run by them when a subscriber has room for more events
   */
  public Publishers(
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

  /** Tells these from now on, and nobody else. */
  public <E extends Exception> void keep(List<Subscription> inForce, Positions<E> positions)
      throws E {
    Set<String> ids = new HashSet<>();
    for (Subscription each : inForce) {
      ids.add(each.id());
      Delivery known = deliveries.get(each.id());
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

  private Delivery delivery(Subscription subscription, long position) {
    int publisher = Math.floorMod(subscription.id().hashCode(), publishers.size());
    return new Delivery(
        subscription, position, limits, codec, sender, publishers.get(publisher), this);
  }

  /**
   * Those that take more events, another one first each time: there is room for some of them only
   * when events are long.
   */
  public List<Delivery> withRoom() {
    List<Delivery> found =
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
   * Characters of events that may be brought now; 0 for no event. All that are held come to an end
   * in time, since whoever fails gives them back.
   */
  public long roomForChars() {
    return Math.max(0, limits.publish().maxQueuedChars() - heldChars.get());
  }

  /** How far all are. */
  public List<Progress> progress() {
    return deliveries.values().stream().map(Delivery::progress).toList();
  }

  /** What was told last is written down. */
  public void advanced() {
    deliveries.values().forEach(Delivery::advanced);
  }

  /** Subscriptions whose sinks have answered 410: they want nothing more. */
  public List<Subscription> gone() {
    List<Subscription> gone = new ArrayList<>();
    for (Delivery each : deliveries.values()) {
      Subscription ended = each.gone();
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

  /** Sends nothing more; what is under way is given up, and will be sent again. */
  @Override
  public void close() {
    deliveries.values().forEach(Delivery::close);
    publishers.forEach(ScheduledExecutorService::shutdownNow);
    sender.close();
  }
}
