package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.bootstrap.client.call.OutcomeReport;
import dev.pinion.core.limits.MessageLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.MessageEndpoint;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The subscription of one task: keeps the messages that the task has not asked for yet, within
 * bounds, and acknowledges each when the task asks for the next one, since its journal has it then.
 *
 * <pre>
 *   source ──▶ queue ──▶ the message at hand ──▶ acknowledged
 *                            │  ▲
 *                            ▼  │ the same request again
 *                           task
 * </pre>
 *
 * <p>Any thread.
 */
final class SubscriptionSession implements MessageInbox {
  private static final Logger LOG = LoggerFactory.getLogger(SubscriptionSession.class);

  private final MessageEndpoint endpoint;
  private final MessageContent content;
  private final int maxQueued;
  private final long maxQueuedBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Deque<InboundMessage> queue = new ArrayDeque<>();
  private long queuedBytes;

  /** Messages that the task was given, also by earlier sessions. */
  private int delivered;

  /** The message at hand: given to the task and not acknowledged. */
  private @Nullable InboundMessage current;

  /** Whom to tell the next message. */
  private @Nullable OutcomeReport waiting;

  /** The latest request; before the first, the one that it is opened for. */
  private @Nullable OutcomeReport last;

  private @Nullable MessageSource source;

  /** What the task is told behind the last message; null while more may come. */
  private @Nullable CallOutcome end;

  /** Whether the task was told that there is nothing more here. */
  private boolean over;

  private boolean closed;
  private volatile Runnable whenOver = () -> {};

  /**
   * A session without a source.
   *
   * @param received messages that the task has from earlier sessions
   */
  SubscriptionSession(
      MessageEndpoint endpoint, MessageContent content, MessageLimits limits, int received) {
    this.endpoint = endpoint;
    this.content = content;
    this.maxQueued = limits.maxQueued();
    this.maxQueuedBytes = limits.maxBytes();
    this.delivered = received;
  }

  /** Has an action run when the task was told that there is nothing more here. */
  void whenOver(Runnable action) {
    whenOver = action;
  }

  /** Sets the request that it is opened for. */
  void openFor(OutcomeReport report) {
    lock.lock();
    try {
      last = report;
    } finally {
      lock.unlock();
    }
  }

  /** Subscribes at the server. */
  void open(MessageBinding binding, SubscriptionRequest request)
      throws MessageFailure, InterruptedException {
    MessageSource opened = binding.open(request, this);
    lock.lock();
    try {
      if (!closed) {
        source = opened;
        return;
      }
    } finally {
      lock.unlock();
    }
    opened.close(false); // withdrawn meanwhile
  }

  /** Whether a task that has so many messages can go on here. */
  boolean isAt(int received) {
    lock.lock();
    try {
      return !closed
          && !over
          && (received == delivered || (current != null && received == delivered - 1));
    } finally {
      lock.unlock();
    }
  }

  /** Acknowledges the message at hand if it is among those that the task has. */
  void acknowledge(int received) {
    InboundMessage done = null;
    lock.lock();
    try {
      if (received == delivered) {
        done = current;
        current = null;
      }
    } finally {
      lock.unlock();
    }
    if (done != null) {
      try {
        done.acknowledgement().run();
      } catch (RuntimeException e) { // it comes again
        LOG.debug("a message of the {} could not be acknowledged", endpoint, e);
      }
    }
  }

  /**
   * Tells the next message, now or when it comes; nothing to a request that was withdrawn, as a
   * later one may wait already.
   *
   * @return false when the session was closed: it tells nothing
   */
  boolean next(OutcomeReport report) {
    InboundMessage message;
    CallOutcome told = null;
    MessageSource resumed;
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      if (report.isOver()) {
        return true;
      }
      last = report;
      message = current == null ? taken() : current;
      if (message == null) {
        told = end;
        waiting = told == null ? report : null;
      }
      resumed = source;
    } finally {
      lock.unlock();
    }
    if (resumed != null) {
      resumed.resume();
    }
    if (message != null) {
      tell(message, report);
    } else if (told != null) {
      tellEnd(told, report);
    }
    return true;
  }

  /** Takes the message that has waited for longest; on the lock. */
  private @Nullable InboundMessage taken() {
    InboundMessage message = queue.poll();
    if (message != null) {
      queuedBytes -= message.payload().length;
      current = message;
      delivered++;
      room.signalAll();
    }
    return message;
  }

  private void tell(InboundMessage message, OutcomeReport report) {
    try {
      Payload value = content.value(endpoint, message);
      report.tell(new CallOutcome.Succeeded(value));
    } catch (MessageFailure e) {
      tellEnd(e.outcome(), report);
    }
  }

  private void tellEnd(CallOutcome outcome, OutcomeReport report) {
    lock.lock();
    try {
      over = true;
    } finally {
      lock.unlock();
    }
    report.tell(outcome);
    whenOver.run();
  }

  @Override
  public boolean put(InboundMessage message) {
    OutcomeReport told;
    boolean hasRoom;
    lock.lock();
    try {
      if (closed || end != null) {
        return false;
      }
      told = waiting;
      queue.add(message);
      queuedBytes += message.payload().length;
      if (told != null) {
        waiting = null;
        taken();
      }
      hasRoom = isBelowBounds();
    } finally {
      lock.unlock();
    }
    if (told != null) {
      tell(message, told);
    }
    return hasRoom;
  }

  private boolean isBelowBounds() {
    return queue.size() < maxQueued && queuedBytes < maxQueuedBytes;
  }

  @Override
  public boolean hasRoom() {
    lock.lock();
    try {
      return isBelowBounds();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean awaitRoom() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!closed && end == null && !isBelowBounds()) {
        room.await();
      }
      return !closed && end == null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void failed(MessageFailure failure) {
    end(failure.outcome());
  }

  @Override
  public void ended() {
    end(new CallOutcome.Succeeded(Payload.NULL));
  }

  private void end(CallOutcome with) {
    OutcomeReport told;
    lock.lock();
    try {
      if (closed || end != null) {
        return;
      }
      end = with;
      told = waiting;
      waiting = null;
      room.signalAll();
    } finally {
      lock.unlock();
    }
    if (told != null) {
      tellEnd(with, told);
    }
  }

  /** Whether the task waits for a message. */
  boolean isWaiting() {
    lock.lock();
    try {
      return waiting != null;
    } finally {
      lock.unlock();
    }
  }

  /** Whether a request is the latest one. */
  boolean isOf(OutcomeReport report) {
    lock.lock();
    try {
      return last == report;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the session. Messages that are not acknowledged come again, where the server keeps them.
   *
   * @param finished whether the task has all that it wants
   */
  void close(boolean finished) {
    MessageSource closing;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      closing = source;
      source = null;
      waiting = null;
      queue.clear();
      queuedBytes = 0;
      room.signalAll();
    } finally {
      lock.unlock();
    }
    if (closing != null) {
      closing.close(finished);
    }
  }
}
