package dev.pinion.handlers.remote;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.handlers.api.CommitPoint;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Undoable;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.remote.protocol.FailureReason;
import dev.pinion.handlers.remote.protocol.Frame;
import dev.pinion.handlers.remote.protocol.HandlerOperation;
import dev.pinion.handlers.remote.protocol.MalformedFrameException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the attempts of a host, and ensures that each effect happens once. */
final class AttemptExecutor {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptExecutor.class);
  private static final int MAX_DETAIL = 2_000;

  private final HandlerHost host;
  private final HandlerCache handlers;
  private final EffectTable effects;
  private final PayloadCodec payloads;
  private final Clock clock;

  AttemptExecutor(
      HandlerHost host,
      HandlerCache handlers,
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
  void run(HostAttempt hostAttempt) {
    Frame.Run run = hostAttempt.run();
    if (!hostAttempt.begin(Thread.currentThread())) {
      hostAttempt.finish();
      reply(
          hostAttempt,
          EffectClass.STATELESS,
          failed(run, FailureReason.TIMEOUT, "the message waited in the host for too long"));
      host.window().complete(hostAttempt, true);
      return;
    }
    HandlerCache.CachedHandler cachedHandler;
    try {
      cachedHandler = handlers.use(run.task().kind(), run.task().settings());
    } catch (RemoteHandlerException e) {
      hostAttempt.finish();
      reply(
          hostAttempt,
          EffectClass.STATELESS,
          failed(run, FailureReason.NO_HANDLER, String.valueOf(e.getMessage())));
      host.window().complete(hostAttempt, true);
      return;
    }
    try {
      with(cachedHandler.handler(), hostAttempt);
    } finally {
      handlers.release(cachedHandler);
    }
  }

  private void with(Handler handler, HostAttempt hostAttempt) {
    Frame.Run run = hostAttempt.run();
    boolean repeatable =
        run.task().operation() == HandlerOperation.HANDLE
            && handler.declaration().effect() == EffectClass.STATELESS;
    if (repeatable) {
      byte[] bytes = call(handler, hostAttempt, false);
      reply(hostAttempt, EffectClass.STATELESS, bytes);
      host.window().complete(hostAttempt, true);
      return;
    }
    EffectClaim claim;
    try {
      claim =
          hostAttempt.kept() == null
              ? effects.begin(EffectKey.of(run), host.id(), run.lost())
              : host.stored().claim(hostAttempt, effects);
    } catch (SQLException e) {
      LOG.warn("the table of effects cannot be reached: {}", e.getMessage());
      claim = EffectClaim.ELSEWHERE; // no effect yet: later, or in another host
    }
    switch (claim.state()) {
      case FRESH, TAKEN_OVER -> effect(handler, hostAttempt, claim.state());
      case ELSEWHERE -> {
        hostAttempt.finish();
        if (hostAttempt.kept() == null) {
          host.window().forget(hostAttempt);
          host.busy(run);
        } else {
          host.stored().later(hostAttempt);
        }
      }
      case ANSWERED -> {
        hostAttempt.finish();
        host.counters().duplicates.increment();
        reply(hostAttempt, effectOf(handler), Objects.requireNonNull(claim.answer()));
        host.window().complete(hostAttempt, false);
      }
    }
  }

  private void effect(Handler handler, HostAttempt hostAttempt, EffectClaim.ClaimState claimState) {
    Frame.Run run = hostAttempt.run();
    boolean takenOver = claimState == EffectClaim.ClaimState.TAKEN_OVER;
    byte[] bytes;
    if (takenOver) {
      host.counters().takenOver.increment();
    }
    if (takenOver && inDoubt(handler, run)) {
      hostAttempt.finish();
      bytes =
          failed(
              run,
              FailureReason.IN_DOUBT,
              "its host was lost while the handler had its effect, or not");
    } else {
      bytes = call(handler, hostAttempt, takenOver);
    }
    try {
      if (!effects.end(EffectKey.of(run), host.id(), bytes)) {
        host.counters().fenced.increment();
        host.window().complete(hostAttempt, false);
        return;
      }
    } catch (SQLException e) {
      LOG.warn("how an effect ended could not be noted: {}", e.getMessage());
    }
    reply(hostAttempt, effectOf(handler), bytes);
    host.window().complete(hostAttempt, false);
  }

  private static boolean inDoubt(Handler handler, Frame.Run run) {
    EffectClass effect = handler.declaration().effect();
    return run.task().operation() == HandlerOperation.HANDLE
        && (effect == EffectClass.ATOMIC || effect == EffectClass.NON_ATOMIC);
  }

  /** Calls the handler; there is an answer in any case. */
  private byte[] call(Handler handler, HostAttempt hostAttempt, boolean again) {
    Frame.Run run = hostAttempt.run();
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
      frame = failure(run, FailureReason.FAILED, String.valueOf(e));
    } finally {
      hostAttempt.finish();
      Thread.interrupted(); // an interrupt belongs to that attempt only
    }
    return written(run, frame);
  }

  private static void undo(Handler handler, Frame.Run run, View view) throws Exception {
    if (run.task().operation() == HandlerOperation.HANDLE && handler instanceof Undoable undoable) {
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
          throw new RemoteHandlerException("expected an Undoable, found " + run.task().kind());
        }
        undoable.undo(view);
      }
      case ROLL_BACK -> {
        if (!(handler instanceof CommitPoint commit)) {
          throw new RemoteHandlerException("expected a CommitPoint, found " + run.task().kind());
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
    return failed(
        run, FailureReason.UNWRITABLE, "expected an answer that can be sent, found " + found);
  }

  private Frame failure(Frame.Run run, FailureReason failureReason, String detail) {
    String text = detail.length() <= MAX_DETAIL ? detail : detail.substring(0, MAX_DETAIL);
    byte[] sound = text.getBytes(StandardCharsets.UTF_8);
    return new Frame.Failed(
        run.requester(),
        run.attempt(),
        host.id(),
        failureReason,
        new String(sound, StandardCharsets.UTF_8));
  }

  private byte[] failed(Frame.Run run, FailureReason failureReason, String detail) {
    try {
      return host.codec().write(failure(run, failureReason, detail));
    } catch (MalformedFrameException e) {
      throw new IllegalStateException("expected a failure to be writable", e);
    }
  }

  private static EffectClass effectOf(Handler handler) {
    return handler.declaration().effect();
  }

  private void reply(HostAttempt hostAttempt, EffectClass effect, byte[] bytes) {
    hostAttempt.answered(bytes);
    if (hostAttempt.kept() == null) {
      host.reply(hostAttempt.run(), bytes);
    } else {
      host.stored().ended(hostAttempt, effect, bytes);
    }
  }
}
