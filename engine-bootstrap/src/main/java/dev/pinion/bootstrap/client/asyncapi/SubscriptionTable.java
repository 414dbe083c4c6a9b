package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.bootstrap.client.call.OutcomeReport;
import dev.pinion.core.limits.MessageLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.MessageSubscription;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open subscriptions of a replica, by name. One whose task asks for nothing for long is closed,
 * and sooner where others need its place, so that a task that has ended meanwhile leaves nothing
 * open.
 */
final class SubscriptionTable {
  private static final Logger LOG = LoggerFactory.getLogger(SubscriptionTable.class);
  private static final int INITIAL_CAPACITY = 16;
  private static final float LOAD = 0.75f;

  /** Requests that find their session closed in the same moment are made again. */
  private static final int MOST_ATTEMPTS = 3;

  private final MessageLimits limits;
  private final MessageContent content;
  private final Function<SubscriptionRequest, MessageBinding> bindings;
  private final ScheduledExecutorService timers;

  /** Those asked for least recently come first. */
  private final Map<String, OpenSubscription> open =
      new LinkedHashMap<>(INITIAL_CAPACITY, LOAD, true);

  private boolean closed;

  /** A session, and the timer that closes it when it is idle. */
  private static final class OpenSubscription {
    final SubscriptionSession session;
    @Nullable ScheduledFuture<?> idle;

    /** Whether its server knows of it. */
    boolean begun;

    OpenSubscription(SubscriptionSession session) {
      this.session = session;
    }
  }

  SubscriptionTable(
      MessageLimits limits,
      MessageContent content,
      Function<SubscriptionRequest, MessageBinding> bindings,
      ScheduledExecutorService timers) {
    this.limits = limits;
    this.content = content;
    this.bindings = bindings;
    this.timers = timers;
  }

  /** Performs a request of a task. May wait, for a bounded time. */
  void receive(
      SubscriptionRequest request, MessageSubscription.Progress progress, OutcomeReport report)
      throws MessageFailure, InterruptedException {
    SubscriptionSession session = known(request.key(), progress.received());
    if (progress.isLast()) {
      if (session != null) {
        session.acknowledge(progress.received());
        close(request.key(), session, true);
      }
      report.tell(new CallOutcome.Succeeded(Payload.NULL));
      return;
    }
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      SubscriptionSession asked =
          session == null ? opened(request, progress.received(), report) : session;
      asked.acknowledge(progress.received());
      if (asked.next(report)) {
        watch(request.key(), asked);
        return;
      }
      session = known(request.key(), progress.received());
    }
    throw tooMany();
  }

  private MessageFailure tooMany() {
    return new MessageFailure(
        ErrorType.RUNTIME,
        "expected at most "
            + limits.maxSubscriptions()
            + " open subscriptions (messages.maxSubscriptions), found more");
  }

  /** The session that can go on; one that cannot is closed. */
  private @Nullable SubscriptionSession known(String key, int received) {
    SubscriptionSession session;
    synchronized (this) {
      OpenSubscription known = open.get(key);
      session = known == null ? null : known.session;
      cancelTimer(known);
    }
    if (session == null || session.isAt(received)) {
      return session;
    }
    close(key, session, false);
    return null;
  }

  private SubscriptionSession opened(
      SubscriptionRequest request, int received, OutcomeReport report)
      throws MessageFailure, InterruptedException {
    SubscriptionSession session =
        new SubscriptionSession(request.endpoint(), content, limits, received);
    session.openFor(report);
    session.whenOver(() -> closeSoon(request.key(), session));
    OpenSubscription made = new OpenSubscription(session);
    SubscriptionSession replaced = put(request.key(), made);
    if (replaced != null) {
      replaced.close(false);
    }
    try {
      session.open(bindings.apply(request), request);
      synchronized (this) {
        made.begun = true;
      }
      return session;
    } catch (MessageFailure | InterruptedException | RuntimeException e) {
      close(request.key(), session, false);
      throw e;
    }
  }

  /** Takes a subscription in; returns the one that it replaces, or null. */
  private synchronized @Nullable SubscriptionSession put(String key, OpenSubscription made)
      throws MessageFailure {
    if (closed) {
      throw new MessageFailure(ErrorType.RUNTIME, "the engine stopped before the call ended");
    }
    SubscriptionSession replaced = null;
    if (open.size() >= limits.maxSubscriptions()) {
      replaced = takeIdle();
      if (replaced == null) {
        throw tooMany();
      }
    }
    open.put(key, made);
    return replaced;
  }

  /** Takes out the session whose task has asked for nothing for longest; null when all wait. */
  private @Nullable SubscriptionSession takeIdle() {
    for (Iterator<OpenSubscription> all = open.values().iterator(); all.hasNext(); ) {
      OpenSubscription each = all.next();
      if (each.begun && !each.session.isWaiting()) {
        cancelTimer(each);
        all.remove();
        return each.session;
      }
    }
    return null;
  }

  /** Closes a session that is over, on another thread than that of its source. */
  private void closeSoon(String key, SubscriptionSession session) {
    try {
      timers.execute(() -> close(key, session, false));
    } catch (RejectedExecutionException e) {
      LOG.debug("a subscription ended while everything is being closed");
    }
  }

  /** Has a session closed if its task asks for nothing for long. */
  private synchronized void watch(String key, SubscriptionSession session) {
    OpenSubscription known = open.get(key);
    if (known == null || known.session != session) {
      return;
    }
    cancelTimer(known);
    try {
      known.idle =
          timers.schedule(() -> idle(key, session), limits.idleSeconds(), TimeUnit.SECONDS);
    } catch (RejectedExecutionException e) {
      known.idle = null; // everything is being closed
    }
  }

  private void idle(String key, SubscriptionSession session) {
    if (session.isWaiting()) {
      watch(key, session);
    } else {
      close(key, session, false);
    }
  }

  private static void cancelTimer(@Nullable OpenSubscription known) {
    if (known != null && known.idle != null) {
      known.idle.cancel(false);
      known.idle = null;
    }
  }

  /** Ends the session of a request that its task does not want any more. */
  void withdraw(String key, OutcomeReport report) {
    SubscriptionSession session;
    synchronized (this) {
      OpenSubscription known = open.get(key);
      session = known == null ? null : known.session;
    }
    if (session != null && session.isOf(report)) {
      close(key, session, false);
    }
  }

  private void close(String key, SubscriptionSession session, boolean finished) {
    synchronized (this) {
      OpenSubscription known = open.get(key);
      if (known != null && known.session == session) {
        cancelTimer(known);
        open.remove(key);
      }
    }
    session.close(finished);
  }

  /** Number of open subscriptions. */
  synchronized int size() {
    return open.size();
  }

  /** Closes every subscription; servers keep what was not acknowledged. */
  void close() {
    List<SubscriptionSession> all = new ArrayList<>();
    synchronized (this) {
      closed = true;
      open.values().forEach(each -> all.add(each.session));
      open.clear();
    }
    all.forEach(each -> each.close(false));
  }
}
