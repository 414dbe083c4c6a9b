package dev.pinion.handlers.run;

import dev.pinion.core.model.EngineLimits;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.plan.Step;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Queue of messages for the oneway handlers of a chain, in order, for one worker at a time. Nothing
 * waits for it. Messages without room are counted and dropped. Each is repeated and undone like in
 * a separate stage ({@link Bin}).
 */
final class OnewayLine extends Sequence {
  private static final int[] ONLY = {0};

  private final Chain chain;
  private final EngineLimits.Handlers limits;
  private final Queue<Told> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private boolean running;
  private @Nullable StageRun current;
  private @Nullable Bin bin;

  OnewayLine(Chain chain, EngineLimits.Handlers limits) {
    super(chain);
    this.chain = chain;
    this.limits = limits;
  }

  /** Queues a message for a step, if there is room. */
  void tell(Step step, Message message) {
    long bytes = message.heapBytes();
    int place = chain.place(step);
    synchronized (this) {
      if (waiting.size() >= limits.maxOneway()
          || (waitingBytes + bytes > limits.maxOnewayBytes() && !waiting.isEmpty())) {
        chain.counters(place).dropped.increment();
        return;
      }
      waiting.add(new Told(new StageRun(chain, place, List.of(step), message, 1), bytes));
      waitingBytes += bytes;
      chain.hold();
      if (running) {
        return;
      }
      running = true;
    }
    workers().execute(this);
  }

  @Override
  @Nullable Call next() {
    while (true) {
      StageRun told = current == null ? take() : current;
      if (told == null) {
        return null;
      }
      if (bin == null) {
        current = told;
        bin = new Bin(told, ONLY);
      }
      Call call = bin.next();
      if (call != null) {
        return call;
      }
      end(told);
    }
  }

  private synchronized @Nullable StageRun take() {
    Told told = waiting.poll();
    if (told == null) {
      running = false;
      return null;
    }
    waitingBytes -= told.bytes;
    return told.run;
  }

  private void end(StageRun told) {
    Throwable failure = told.failure(0);
    if (failure != null) {
      told.counters(0).skipped.increment();
      Failures.logSkip(told.step(0), told.message().id(), failure);
    }
    current = null;
    bin = null;
    chain.release();
  }

  @Override
  void ended(Call call) {
    if (bin != null) {
      bin.ended(call);
    }
  }

  synchronized int queued() {
    return waiting.size();
  }

  /** A step to run, with the bytes of its message at arrival. */
  private record Told(StageRun run, long bytes) {}
}
