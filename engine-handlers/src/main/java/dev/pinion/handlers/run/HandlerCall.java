package dev.pinion.handlers.run;

import dev.pinion.core.spi.ProfilingHook;
import dev.pinion.handlers.api.AsyncHandler;
import dev.pinion.handlers.api.CommitPoint;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Undoable;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.plan.Step;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One call into the code of a handler. Ends exactly once: with the handler's result or exception,
 * or by its time-out, whichever comes first.
 */
final class HandlerCall implements WatchedCall {
  /** The sequence that a call belongs to. */
  interface Owner {
    /** Continues after a call that hangs: its handler is needed until the call returns. */
    void abandon(HandlerCall handlerCall);

    /** Continues after a call that another thread ended. */
    void resume(HandlerCall handlerCall);
  }

  /** The called operation. */
  enum CallKind {
    HANDLE,
    UNDO,
    ROLL_BACK
  }

  private final Step step;
  private final CallKind callKind;
  private final View view;
  private final Message message;
  private final boolean async;
  private final AtomicBoolean ended = new AtomicBoolean();

  // Set before the call runs, by the thread that runs it.
  private @Nullable Owner owner;
  private long startedNanos;

  // Set by the thread that ended the call, before others are notified.
  private @Nullable Verdict verdict;
  private @Nullable Throwable failure;
  private boolean timedOut;
  private long nanos;

  HandlerCall(Step step, CallKind callKind, View view, Message message) {
    this.step = step;
    this.callKind = callKind;
    this.view = view;
    this.message = message;
    this.async =
        callKind == CallKind.HANDLE
            && step.handler() instanceof AsyncHandler handler
            && handler.repliesLater(view);
  }

  void begin(Owner sequence, long nowNanos) {
    owner = sequence;
    startedNanos = nowNanos;
  }

  @Override
  public String name() {
    return step.toString();
  }

  @Override
  public Duration timeout() {
    return step.declaration().timeout();
  }

  @Override
  public boolean isAsync() {
    return async;
  }

  /** Runs the handler on this thread. */
  @Nullable Verdict run() throws Exception {
    int look = ProfilingHook.samples();
    try {
      return perform();
    } finally {
      Map<String, String> properties = message.properties();
      ProfilingHook.recordHandler(
          look,
          properties.getOrDefault(Message.DEFINITION, ""),
          step.name(),
          properties.getOrDefault(Message.SERVICE_CLASS, ""));
    }
  }

  private @Nullable Verdict perform() throws Exception {
    switch (callKind) {
      case HANDLE -> {
        return step.handler().handle(view);
      }
      case UNDO -> ((Undoable) step.handler()).undo(view);
      case ROLL_BACK -> ((CommitPoint) step.handler()).rollBack(view);
    }
    return Verdict.UNCHANGED;
  }

  /** Ends the call, unless it has ended. */
  boolean end(@Nullable Verdict given, @Nullable Throwable thrown, long nowNanos) {
    if (!ended.compareAndSet(false, true)) {
      return false;
    }
    verdict = given;
    failure = thrown;
    nanos = nowNanos - startedNanos;
    return true;
  }

  @Override
  public boolean isOverdue(long nowNanos) {
    return nowNanos - startedNanos > timeout().toNanos();
  }

  @Override
  public boolean timeOut(long nowNanos) {
    if (!ended.compareAndSet(false, true)) {
      return false;
    }
    timedOut = true;
    failure = new HandlerTimeoutException(timeout());
    nanos = nowNanos - startedNanos;
    return true;
  }

  @Override
  public boolean hasEnded() {
    return ended.get();
  }

  @Override
  public void abandon() {
    Objects.requireNonNull(owner).abandon(this);
  }

  @Override
  public void resume() {
    Objects.requireNonNull(owner).resume(this);
  }

  Step step() {
    return step;
  }

  CallKind kind() {
    return callKind;
  }

  View view() {
    return view;
  }

  /** The message that the view is of. */
  Message message() {
    return message;
  }

  @Nullable Verdict verdict() {
    return verdict;
  }

  @Nullable Throwable failure() {
    return failure;
  }

  boolean timedOut() {
    return timedOut;
  }

  long nanos() {
    return nanos;
  }
}
