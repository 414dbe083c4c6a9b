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
  private final Workers workers;

  Sequence(Workers workers) {
    this.workers = workers;
  }

  /** The next call, or null when there is nothing to do now. */
  abstract @Nullable Call next();

  /** Takes note of how a call ended. */
  abstract void ended(Call call);

  /**
   * A call came back after its time; what it did is taken back here, on the thread that was lost.
   */
  abstract void late(Call call);

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
      late(call);
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

  /** Goes on after a call that another thread ended. */
  void resume(Call call) {
    workers.execute(
        () -> {
          ended(call);
          run();
        });
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
        late(call);
      }
    }
  }
}
