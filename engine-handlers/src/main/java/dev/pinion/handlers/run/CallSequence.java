package dev.pinion.handlers.run;

import dev.pinion.handlers.api.AsyncHandler;
import dev.pinion.handlers.api.Verdict;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Calls one after another, by any worker: after a call that did not return in time, and after one
 * that replies later, another worker continues. One thread at a time runs a sequence.
 */
abstract class CallSequence implements Runnable, HandlerCall.Owner {
  private final ChainSteps steps;
  private final Workers workers;

  CallSequence(ChainSteps steps) {
    this.steps = steps;
    this.workers = steps.workers();
  }

  /** The next call, or null when there is nothing to do now. */
  abstract @Nullable HandlerCall next();

  /** Handles the end of a call. */
  abstract void ended(HandlerCall handlerCall);

  @Override
  public final void run() {
    HandlerCall handlerCall = next();
    while (handlerCall != null) {
      if (!perform(handlerCall)) {
        return; // the thread that ends the call continues
      }
      ended(handlerCall);
      handlerCall = next();
    }
  }

  private boolean perform(HandlerCall handlerCall) {
    handlerCall.begin(this, workers.nanoTime());
    if (handlerCall.isAsync()) {
      begin(handlerCall);
      return false;
    }
    workers.watch(handlerCall);
    Verdict verdict = null;
    Throwable failure = null;
    try {
      verdict = handlerCall.run();
    } catch (Throwable e) { // no exception of a handler gets further
      failure = e;
    }
    boolean inTime = handlerCall.end(verdict, failure, workers.nanoTime());
    if (inTime) {
      workers.unwatch(handlerCall);
    } else {
      workers.clearInterrupt();
      steps.late(handlerCall); // its effect is undone here, on the thread that was lost
      steps.release();
    }
    return inTime;
  }

  private void begin(HandlerCall handlerCall) {
    workers.watch(handlerCall);
    AsyncReply asyncReply = new AsyncReply(handlerCall);
    try {
      ((AsyncHandler) handlerCall.step().handler()).begin(handlerCall.view(), asyncReply);
    } catch (Throwable e) { // as above
      asyncReply.failed(e);
    }
  }

  @Override
  public final void abandon(HandlerCall handlerCall) {
    steps.retain();
    resume(handlerCall);
  }

  @Override
  public final void resume(HandlerCall handlerCall) {
    workers.execute(
        () -> {
          ended(handlerCall);
          run();
        });
  }

  /** A reply came after its time-out; once the handlers are closed, nothing can be undone. */
  private void lateReply(HandlerCall handlerCall) {
    if (steps.retain()) {
      // Undoing may wait for answers that only the present thread would deliver.
      workers.execute(
          () -> {
            steps.late(handlerCall);
            steps.release();
          });
    } else {
      steps.lateForNothing(handlerCall);
    }
  }

  ChainSteps steps() {
    return steps;
  }

  private final class AsyncReply implements AsyncHandler.Reply {
    private final HandlerCall handlerCall;

    AsyncReply(HandlerCall handlerCall) {
      this.handlerCall = handlerCall;
    }

    @Override
    public void done(Verdict verdict) {
      end(verdict, null);
    }

    @Override
    public void failed(Throwable failure) {
      end(null, Objects.requireNonNullElseGet(failure, NullPointerException::new));
    }

    private void end(@Nullable Verdict verdict, @Nullable Throwable failure) {
      if (handlerCall.end(verdict, failure, workers.nanoTime())) {
        workers.unwatch(handlerCall);
        resume(handlerCall);
      } else if (failure == null) {
        lateReply(handlerCall);
      }
    }
  }
}
