package dev.pinion.handlers.run;

import dev.pinion.core.limits.HandlerLimits;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.plan.Step;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Queue of messages for the oneway handlers of a chain, in order, for one worker at a time. Nothing
 * waits for it. Messages without room are counted and dropped. Each is repeated and undone like in
 * a separate stage ({@link StepBatch}).
 */
final class OnewayQueue extends CallSequence {
  private static final int[] ONLY = {0};

  private final HandlerLimits limits;
  private final Queue<QueuedCall> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private boolean running;
  private @Nullable StageResults current;
  private @Nullable StepBatch stepBatch;

  OnewayQueue(ChainSteps steps, HandlerLimits limits) {
    super(steps);
    this.limits = limits;
  }

  /** Queues a message for a step, if there is room. */
  void offer(Step step, Message message) {
    long bytes = message.heapBytes();
    int place = steps().indexOf(step);
    synchronized (this) {
      if (waiting.size() >= limits.maxOneway()
          || (waitingBytes + bytes > limits.maxOnewayBytes() && !waiting.isEmpty())) {
        steps().counters(place).dropped.increment();
        return;
      }
      waiting.add(
          new QueuedCall(new StageResults(steps(), place, List.of(step), message, 1), bytes));
      waitingBytes += bytes;
      steps().retain();
      if (running) {
        return;
      }
      running = true;
    }
    steps().workers().execute(this);
  }

  @Override
  @Nullable HandlerCall next() {
    while (true) {
      StageResults told = current == null ? take() : current;
      if (told == null) {
        return null;
      }
      if (stepBatch == null) {
        current = told;
        stepBatch = new StepBatch(told, ONLY);
      }
      HandlerCall handlerCall = stepBatch.next();
      if (handlerCall != null) {
        return handlerCall;
      }
      end(told);
    }
  }

  private synchronized @Nullable StageResults take() {
    QueuedCall queuedCall = waiting.poll();
    if (queuedCall == null) {
      running = false;
      return null;
    }
    waitingBytes -= queuedCall.bytes;
    return queuedCall.run;
  }

  private void end(StageResults told) {
    Throwable failure = told.failure(0);
    if (failure != null) {
      told.counters(0).skipped.increment();
      HandlerFailures.logSkip(told.step(0), told.message().id(), failure);
    }
    current = null;
    stepBatch = null;
    steps().release();
  }

  @Override
  void ended(HandlerCall handlerCall) {
    if (stepBatch != null) {
      stepBatch.ended(handlerCall);
    }
  }

  synchronized int queued() {
    return waiting.size();
  }

  /** A step to run, with the bytes of its message at arrival. */
  private record QueuedCall(StageResults run, long bytes) {}
}
