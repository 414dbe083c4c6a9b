package dev.pinion.handlers.run;

import dev.pinion.handlers.api.AsyncHandler;
import dev.pinion.handlers.api.Verdict;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Calls one after another, by any worker: after a call that did not return in time, and after one
 * that replies later, another worker continues. One thread at a time runs a sequence.
 */
abstract class Sequence implements Runnable {
  private final Chain chain;
  private final Workers workers;

  Sequence(Chain chain) {
    this.chain = chain;
    this.workers = chain.workers();
  }

  /** The next call, or null when there is nothing to do now. */
  abstract @Nullable Call next();

  /** Handles the end of a call. */
  abstract void ended(Call call);

  @Override
  public final void run() {
    Call call = next();
    while (call != null) {
      if (!perform(call)) {
        return; // the thread that ends the call continues
      }
      ended(call);
      call = next();
    }
  }

  private boolean perform(Call call) {
    call.begin(this, workers.nanoTime());
    if (call.isAsync()) {
      begin(call);
      return false;
    }
    workers.watch(call);
    Verdict verdict = null;
    Throwable failure = null;
    try {
      verdict = call.run();
    } catch (Throwable e) { // no exception of a handler gets further
      failure = e;
    }
    boolean inTime = call.end(verdict, failure, workers.nanoTime());
    if (inTime) {
      workers.unwatch(call);
    } else {
      workers.settle();
      chain.late(call); // its effect is undone here, on the thread that was lost
      chain.release();
    }
    return inTime;
  }

  private void begin(Call call) {
    workers.watch(call);
    Reply reply = new Reply(call);
    try {
      ((AsyncHandler) call.step().handler()).begin(call.view(), reply);
    } catch (Throwable e) { // as above
      reply.failed(e);
    }
  }

  /** Continues after a call that hangs: its handler is needed until the call returns. */
  void goOnWithout(Call call) {
    chain.hold();
    resume(call);
  }

  /** Continues after a call that another thread ended. */
  void resume(Call call) {
    workers.execute(
        () -> {
          ended(call);
          run();
        });
  }

  /** A reply came after its time-out; once the handlers are closed, nothing can be undone. */
  private void lateReply(Call call) {
    if (chain.hold()) {
      // Undoing may wait for answers that only the present thread would deliver.
      workers.execute(
          () -> {
            chain.late(call);
            chain.release();
          });
    } else {
      chain.lateForNothing(call);
    }
  }

  Workers workers() {
    return workers;
  }

  private final class Reply implements AsyncHandler.Reply {
    private final Call call;

    Reply(Call call) {
      this.call = call;
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
      if (call.end(verdict, failure, workers.nanoTime())) {
        workers.unwatch(call);
        resume(call);
      } else if (failure == null) {
        lateReply(call);
      }
    }
  }
}
