package dev.pinion.handlers.run;

import dev.pinion.core.model.EngineLimits;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.plan.Step;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * What the oneway handlers of a chain are told, in order, by one worker at a time. Nobody waits for
 * it. What finds no room is counted and left out.
 */
final class OnewayLine extends Sequence {
  private final Chain chain;
  private final EngineLimits.Handlers limits;
  private final Queue<Notice> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private boolean running;
  private @Nullable Notice current;
  private int repeats;

  OnewayLine(Chain chain, EngineLimits.Handlers limits) {
    super(chain.workers());
    this.chain = chain;
    this.limits = limits;
  }

  /** Tells a step of a message, if there is room. */
  void tell(Step step, View view, Message message) {
    int bytes = message.body().size();
    synchronized (this) {
      if (waiting.size() >= limits.maxOneway()
          || (waitingBytes + bytes > limits.maxOnewayBytes() && !waiting.isEmpty())) {
        chain.counters(chain.place(step)).dropped.increment();
        return;
      }
      waiting.add(new Notice(step, view, message, bytes));
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
    Notice notice = current == null ? take() : current;
    current = notice;
    return notice == null
        ? null
        : new Call(notice.step, Call.Kind.HANDLE, notice.view, notice.message);
  }

  private synchronized @Nullable Notice take() {
    Notice notice = waiting.poll();
    if (notice == null) {
      running = false;
    } else {
      waitingBytes -= notice.bytes;
    }
    return notice;
  }

  @Override
  void ended(Call call) {
    Step step = call.step();
    StepCounters counters = chain.counters(chain.place(step));
    counters.called(call.nanos());
    if (call.failure() != null) {
      counters.failures.increment();
      if (call.timedOut()) {
        counters.timeouts.increment();
      } else if (step.declaration().effect().mayRepeat()
          && repeats < step.declaration().retries()) {
        repeats++;
        counters.repeats.increment();
        return;
      }
      counters.skipped.increment();
      Failures.logSkip(step, call.view().id(), call.failure());
    }
    repeats = 0;
    current = null;
    chain.release();
  }

  synchronized int queued() {
    return waiting.size();
  }

  @Override
  void late(Call call) {
    chain.late(call);
  }

  private record Notice(Step step, View view, Message message, int bytes) {}
}
