package dev.pinion.handlers.run;

import dev.pinion.handlers.api.AsyncHandler;
import dev.pinion.handlers.api.Verdict;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Calls one after another, by whatever worker is there: after a call that did not come back in
 * time, and after one that replies later, another worker goes on. One thread at a time runs a
 * sequence.
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

  /** Takes note of how a call ended. */
  abstract void ended(Call call);

  @Override
  public final void run() {
    Call call = next();
    while (call != null) {
      if (!perform(call)) {
        return; // whoever ends the call goes on
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
    } catch (Throwable e) { // whatever a handler throws stays with that handler
      failure = e;
    }
    boolean inTime = call.end(verdict, failure, workers.nanoTime());
    if (inTime) {
      workers.unwatch(call);
    } else {
      workers.settle();
      chain.late(call); // what it did is taken back here, on the thread that was lost
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

  /** Goes on after a call that a worker hangs in: its handler is needed until it comes back. */
  void goOnWithout(Call call) {
    chain.hold();
    resume(call);
  }

  /** Goes on after a call that another thread ended. */
  void resume(Call call) {
    workers.execute(
        () -> {
          ended(call);
          run();
        });
  }

  /**
   * A reply came after its time; when the handlers are closed by now, nothing can be taken back.
   */
  private void lateReply(Call call) {
    if (chain.hold()) {
      // Taking back may wait for answers that whoever brings this one would have to bring.
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
