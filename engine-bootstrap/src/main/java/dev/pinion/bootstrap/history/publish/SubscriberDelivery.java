package dev.pinion.bootstrap.history.publish;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.PublishLimits;
import dev.pinion.core.model.Payload;
import java.net.http.HttpRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events of one subscriber: sent one after another, each until it is answered 2xx. Filled by the
 * dispatcher, emptied by the responsible publisher.
 */
public final class SubscriberDelivery {
  private static final Logger LOG = LoggerFactory.getLogger(SubscriberDelivery.class);
  private static final int MAX_FAILURE_CHARS = 500;
  private static final int MAX_DOUBLINGS = 20;

  /** The sink is gone for good (RFC 9110 section 15.5.11): it accepts no more events. */
  private static final int GONE = 410;

  private final EngineLimits limits;
  private final PayloadCodec codec;
  private final HttpSender sender;
  private final ScheduledExecutorService publisher;
  private final PublisherPool publisherPool;
  private final Deque<OutboxEvent> queue = new ArrayDeque<>();
  private Subscription subscription;
  private DeliveryRequests deliveryRequests;
  private long readUpTo;
  private long position;
  private long delivered;
  private long skipped;
  private DeliveryProgress told;
  private @Nullable String failure;
  private int failures;
  private boolean busy;
  private boolean closed;

  /** Whether its subscriber failed and is in a pause before the next attempt. */
  private boolean waits;

  /** Position of an event of which the subscriber may have a part; -1 for none. */
  private long begun = -1;

  /** Number of the parts of that event which it has. */
  private int parts;

  private @Nullable CompletableFuture<Integer> underWay;

  /** The subscription whose sink answered 410 (Gone); nothing is sent meanwhile. */
  private @Nullable Subscription endedSubscription;

  SubscriberDelivery(
      Subscription subscription,
      long position,
      EngineLimits limits,
      PayloadCodec codec,
      HttpSender sender,
      ScheduledExecutorService publisher,
      PublisherPool publisherPool) {
    this.limits = limits;
    this.codec = codec;
    this.sender = sender;
    this.publisher = publisher;
    this.publisherPool = publisherPool;
    this.subscription = subscription;
    this.deliveryRequests = new DeliveryRequests(subscription, limits, codec);
    this.readUpTo = position;
    this.position = position;
    this.told = new DeliveryProgress(subscription.id(), position, 0, 0, null);
  }

  /** Last event of the outbox that was queued here. */
  public synchronized long readUpTo() {
    return readUpTo;
  }

  /** Number of further events it may hold: none during a pause, one when it tries again. */
  public synchronized int room() {
    int most = failures > 0 ? 1 : limits.publish().maxQueued();
    return waits || endedSubscription != null ? 0 : Math.max(0, most - queue.size());
  }

  /** Whether it holds more than half of its capacity. */
  synchronized boolean isHalfFull() {
    return queue.size() > limits.publish().maxQueued() / 2;
  }

  /**
   * Adds the next events of the outbox; events for other subscribers are skipped. Adds none if it
   * has returned events since the request: then they are not the next ones.
   *
   * @param after event after which they were requested
   */
  public synchronized void offer(long after, List<OutboxEvent> events) {
    if (after != readUpTo || waits || closed || endedSubscription != null) {
      return;
    }
    for (OutboxEvent event : events) {
      readUpTo = event.position();
      if (subscription.matches(event.kind(), event.namespace(), event.definition())) {
        queue.add(event);
        publisherPool.hold(event.text().length());
      }
    }
    if (queue.isEmpty()) {
      position = readUpTo;
    }
    proceed();
  }

  /** Sets a renewed, perhaps changed, subscription; it applies from the next attempt on. */
  synchronized void renewed(Subscription now) {
    if (!now.equals(subscription)) {
      subscription = now;
      deliveryRequests = new DeliveryRequests(now, limits, codec);
      begun = -1; // other types may have other parts
      if (endedSubscription != null) {
        endedSubscription = null;
        failures = 0;
        busy = false;
        publisherPool.wake();
      }
    }
  }

  /** The subscription that its sink has ended, or null. */
  synchronized @Nullable Subscription endedSubscription() {
    return endedSubscription;
  }

  /** Progress of the subscriber. */
  synchronized DeliveryProgress progress() {
    told = new DeliveryProgress(subscription.id(), position, delivered, skipped, failure);
    return told;
  }

  /** Called when the last reported progress is stored. */
  synchronized void advanced() {
    delivered -= told.delivered();
    skipped -= told.skipped();
    told = new DeliveryProgress(subscription.id(), position, 0, 0, null);
  }

  private void proceed() {
    if (!busy && !closed && !queue.isEmpty()) {
      busy = true;
      later(this::send, 0);
    }
  }

  private void later(Runnable step, long millis) {
    try {
      var _ = publisher.schedule(step, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      closed = true; // publishers shut down
    }
  }

  /** Sends the first event, or its next part. On the publisher's thread. */
  private void send() {
    OutboxEvent event;
    DeliveryRequests made;
    Subscription of;
    int part;
    synchronized (this) {
      event = queue.peek();
      made = deliveryRequests;
      of = subscription;
      if (closed || event == null) {
        busy = false;
        return;
      }
      part = event.position() == begun ? parts : 0;
    }
    boolean last = true;
    try {
      List<Payload> events = made.events(event); // outside of the lock: it may take long
      last = part + 1 >= events.size();
      if (part < events.size()) {
        begin(made.request(events.get(part)), of, last);
      } else {
        passed();
      }
    } catch (DeliveryRequests.InapplicableEventException | RuntimeException e) {
      unfit(String.valueOf(e.getMessage()), of, last);
    }
  }

  private void begin(HttpRequest.Builder request, Subscription of, boolean last) {
    CompletableFuture<Integer> sent = sender.send(request, of.sink());
    synchronized (this) {
      underWay = sent;
      if (closed) {
        sent.cancel(true);
      }
    }
    var _ =
        sent.whenCompleteAsync((status, thrown) -> answered(status, thrown, of, last), publisher);
  }

  private void answered(
      @Nullable Integer status, @Nullable Throwable thrown, Subscription of, boolean last) {
    if (status != null && status >= 200 && status < 300) {
      succeeded(of, last);
    } else if (status != null && status == GONE && !of.isStanding() && ended(of)) {
      publisherPool.wake();
    } else if (status != null) {
      failed("answered " + status);
    } else {
      Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
      failed(String.valueOf(cause));
    }
  }

  /** Stops sending, unless the subscription was changed since the creation of the request. */
  private synchronized boolean ended(Subscription of) {
    if (!of.equals(subscription)) {
      return false;
    }
    failure = "answered " + GONE;
    underWay = null;
    endedSubscription = of;
    releaseEvents();
    return true;
  }

  private synchronized void succeeded(Subscription of, boolean last) {
    delivered++;
    failure = null;
    next(of, last);
  }

  private synchronized void unfit(String reason, Subscription of, boolean last) {
    skipped++;
    failure = cut(reason);
    next(of, last);
  }

  /** Nothing of the event is for the subscriber, whose types have changed. */
  private synchronized void passed() {
    next(subscription, true);
  }

  private void next(Subscription of, boolean last) {
    failures = 0;
    underWay = null;
    busy = false;
    OutboxEvent done = queue.peek();
    if (done == null) {
      return; // closed meanwhile
    }
    if (!last) {
      partDone(done, of);
      return;
    }
    queue.remove();
    publisherPool.hold(-done.text().length());
    position = queue.isEmpty() ? readUpTo : done.position();
    if (queue.size() <= limits.publish().maxQueued() / 2) {
      publisherPool.wake();
    }
    proceed();
  }

  /** Continues with the next part, or begins anew when there may be other parts now. */
  private void partDone(OutboxEvent event, Subscription of) {
    parts = event.position() == begun ? parts + 1 : 1;
    begun = of.equals(subscription) ? event.position() : -1;
    proceed();
  }

  private synchronized void failed(String reason) {
    failure = cut(reason);
    underWay = null;
    if (subscription.isStanding() && failures == 0) {
      LOG.warn("sink {} of lifecycle events is tried again: {}", subscription.id(), failure);
    }
    PublishLimits bounds = limits.publish();
    long delay = (long) bounds.retryMillis() << Math.min(failures, MAX_DOUBLINGS);
    failures++;
    waits = true;
    releaseEvents();
    later(this::tryAgain, Math.min(delay, bounds.maxRetryMillis()));
  }

  /** Returns its events during a pause: they are in the outbox, and others may need the space. */
  private void releaseEvents() {
    queue.forEach(event -> publisherPool.hold(-event.text().length()));
    queue.clear();
    readUpTo = position;
    busy = false;
  }

  private synchronized void tryAgain() {
    waits = false;
    publisherPool.wake();
  }

  private static String cut(String reason) {
    return reason.length() > MAX_FAILURE_CHARS ? reason.substring(0, MAX_FAILURE_CHARS) : reason;
  }

  /** Sends nothing more. */
  synchronized void close() {
    closed = true;
    queue.forEach(event -> publisherPool.hold(-event.text().length()));
    queue.clear();
    if (underWay != null) {
      underWay.cancel(true);
    }
  }
}
