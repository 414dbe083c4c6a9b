package dev.pinion.handlers.remote;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.PayloadCodec;
import dev.pinion.handlers.api.CommitPoint;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Undoable;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the attempts of a host, and ensures that each effect happens once. */
final class HostWork {
  private static final Logger LOG = LoggerFactory.getLogger(HostWork.class);
  private static final int MAX_DETAIL = 2_000;

  private final HandlerHost host;
  private final HostedHandlers handlers;
  private final EffectTable effects;
  private final PayloadCodec payloads;
  private final Clock clock;

  HostWork(
      HandlerHost host,
      HostedHandlers handlers,
      EffectTable effects,
      EngineLimits engine,
      Clock clock) {
    this.host = host;
    this.handlers = handlers;
    this.effects = effects;
    this.payloads = new PayloadCodec(engine.json());
    this.clock = clock;
  }

  /** Runs an attempt on this thread and answers it. */
  void run(Attempt attempt) {
    Frame.Run run = attempt.run();
    if (!attempt.begin(Thread.currentThread())) {
      attempt.leave();
      answer(
          attempt,
          EffectClass.STATELESS,
          failed(run, Reason.TIMEOUT, "the message waited in the host for too long"));
      host.window().leave(attempt, true);
      return;
    }
    HostedHandlers.Hosted hosted;
    try {
      hosted = handlers.use(run.task().kind(), run.task().settings());
    } catch (RemoteException e) {
      attempt.leave();
      answer(
          attempt,
          EffectClass.STATELESS,
          failed(run, Reason.NO_HANDLER, String.valueOf(e.getMessage())));
      host.window().leave(attempt, true);
      return;
    }
    try {
      with(hosted.handler(), attempt);
    } finally {
      handlers.release(hosted);
    }
  }

  private void with(Handler handler, Attempt attempt) {
    Frame.Run run = attempt.run();
    boolean repeatable =
        run.task().operation() == Operation.HANDLE
            && handler.declaration().effect() == EffectClass.STATELESS;
    if (repeatable) {
      byte[] bytes = call(handler, attempt, false);
      answer(attempt, EffectClass.STATELESS, bytes);
      host.window().leave(attempt, true);
      return;
    }
    EffectClaim claim;
    try {
      claim =
          attempt.kept() == null
              ? effects.begin(EffectKey.of(run), host.id(), run.lost())
              : host.stored().claim(attempt, effects);
    } catch (SQLException e) {
      LOG.warn("the table of effects cannot be reached: {}", e.getMessage());
      claim = EffectClaim.ELSEWHERE; // no effect yet: later, or in another host
    }
    switch (claim.state()) {
      case FRESH, TAKEN_OVER -> effect(handler, attempt, claim.state());
      case ELSEWHERE -> {
        attempt.leave();
        if (attempt.kept() == null) {
          host.window().forget(attempt);
          host.busy(run);
        } else {
          host.stored().later(attempt);
        }
      }
      case ANSWERED -> {
        attempt.leave();
        host.counters().duplicates.increment();
        answer(attempt, effectOf(handler), Objects.requireNonNull(claim.answer()));
        host.window().leave(attempt, false);
      }
    }
  }

  private void effect(Handler handler, Attempt attempt, EffectClaim.State state) {
    Frame.Run run = attempt.run();
    boolean takenOver = state == EffectClaim.State.TAKEN_OVER;
    byte[] bytes;
    if (takenOver) {
      host.counters().takenOver.increment();
    }
    if (takenOver && inDoubt(handler, run)) {
      attempt.leave();
      bytes =
          failed(
              run, Reason.IN_DOUBT, "its host was lost while the handler had its effect, or not");
    } else {
      bytes = call(handler, attempt, takenOver);
    }
    try {
      if (!effects.end(EffectKey.of(run), host.id(), bytes)) {
        host.counters().fenced.increment();
        host.window().leave(attempt, false);
        return;
      }
    } catch (SQLException e) {
      LOG.warn("how an effect ended could not be noted: {}", e.getMessage());
    }
    answer(attempt, effectOf(handler), bytes);
    host.window().leave(attempt, false);
  }

  private static boolean inDoubt(Handler handler, Frame.Run run) {
    EffectClass effect = handler.declaration().effect();
    return run.task().operation() == Operation.HANDLE
        && (effect == EffectClass.ATOMIC || effect == EffectClass.NON_ATOMIC);
  }

  /** Calls the handler; there is an answer in any case. */
  private byte[] call(Handler handler, Attempt attempt, boolean again) {
    Frame.Run run = attempt.run();
    host.counters().runs.increment();
    long began = clock.nanoTime();
    Frame frame;
    try {
      View view = new View(run.task().message(), handler.declaration(), payloads);
      if (again && handler.declaration().effect() == EffectClass.QUASI_ATOMIC) {
        undo(handler, run, view);
      }
      Verdict verdict = Objects.requireNonNull(called(handler, run, view), "expected a verdict");
      host.counters().done.increment();
      frame =
          new Frame.Done(
              run.requester(), run.attempt(), host.id(), clock.nanoTime() - began, verdict);
    } catch (Throwable e) { // no exception of a handler gets further
      host.counters().failed.increment();
      frame = failure(run, Reason.FAILED, String.valueOf(e));
    } finally {
      attempt.leave();
      Thread.interrupted(); // an interrupt belongs to that attempt only
    }
    return written(run, frame);
  }

  private static void undo(Handler handler, Frame.Run run, View view) throws Exception {
    if (run.task().operation() == Operation.HANDLE && handler instanceof Undoable undoable) {
      undoable.undo(view);
    }
  }

  private static Verdict called(Handler handler, Frame.Run run, View view) throws Exception {
    switch (run.task().operation()) {
      case HANDLE -> {
        return handler.handle(view);
      }
      case UNDO -> {
        if (!(handler instanceof Undoable undoable)) {
          throw new RemoteException("expected an Undoable, found " + run.task().kind());
        }
        undoable.undo(view);
      }
      case ROLL_BACK -> {
        if (!(handler instanceof CommitPoint commit)) {
          throw new RemoteException("expected a CommitPoint, found " + run.task().kind());
        }
        commit.rollBack(view);
      }
    }
    return Verdict.UNCHANGED;
  }

  private byte[] written(Frame.Run run, Frame frame) {
    String found;
    try {
      byte[] bytes = host.codec().write(frame);
      if (bytes.length <= host.maxBytes()) {
        return bytes;
      }
      found = "more than the " + host.maxBytes() + " bytes of the server (max_payload)";
    } catch (Exception e) { // accessing a handler's text or body may throw anything
      found = String.valueOf(e.getMessage());
    }
    return failed(run, Reason.UNWRITABLE, "expected an answer that can be sent, found " + found);
  }

  private Frame failure(Frame.Run run, Reason reason, String detail) {
    String text = detail.length() <= MAX_DETAIL ? detail : detail.substring(0, MAX_DETAIL);
    byte[] sound = text.getBytes(StandardCharsets.UTF_8);
    return new Frame.Failed(
        run.requester(),
        run.attempt(),
        host.id(),
        reason,
        new String(sound, StandardCharsets.UTF_8));
  }

  private byte[] failed(Frame.Run run, Reason reason, String detail) {
    try {
      return host.codec().write(failure(run, reason, detail));
    } catch (BadFrameException e) {
      throw new IllegalStateException("expected a failure to be writable", e);
    }
  }

  private static EffectClass effectOf(Handler handler) {
    return handler.declaration().effect();
  }

  private void answer(Attempt attempt, EffectClass effect, byte[] bytes) {
    attempt.answered(bytes);
    if (attempt.kept() == null) {
      host.answer(attempt.run(), bytes);
    } else {
      host.stored().ended(attempt, effect, bytes);
    }
  }
}
