package dev.pinion.handlers.run;

import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.plan.Stage;
import dev.pinion.handlers.plan.Step;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way through a chain.
 *
 * <pre>
 *   stage begins ──▶ own bin ─────────────────┐
 *        └─ other workers ──▶ their bins ─────┤ the last to arrive merges, and begins the next stage
 * </pre>
 *
 * No thread waits at the end of a stage. The last one to arrive continues.
 */
final class MessageRun<C> extends Sequence {
  private final Chain chain;
  private final C context;
  private final Gateway.Exit<? super C> exit;
  private final Compensation compensation;
  private Message message;
  private int nextStage;
  private int firstStep;
  private long startedNanos;
  private boolean failed;
  private @Nullable StageRun stage;
  private @Nullable Bin bin;
  private @Nullable Outcome outcome;

  MessageRun(Chain chain, Message message, C context, Gateway.Exit<? super C> exit) {
    super(chain);
    this.chain = chain;
    this.message = message;
    this.context = context;
    this.exit = exit;
    this.compensation = new Compensation(chain);
  }

  Message message() {
    return message;
  }

  long startedNanos() {
    return startedNanos;
  }

  /**
   * Whether a failure stopped the message, or a handler did not end in time: the sign of overload
   * for an adaptive window.
   */
  boolean failed() {
    return failed;
  }

  /** Admits the message. */
  void admitted(long nowNanos) {
    startedNanos = nowNanos;
  }

  @Override
  @Nullable Call next() {
    while (true) {
      Bin own = bin;
      if (own != null) {
        Call call = own.next();
        if (call != null) {
          return call;
        }
        if (!Objects.requireNonNull(stage).arrive()) {
          return null; // the last one to arrive continues
        }
        endStage();
      } else if (outcome != null) {
        return compensateOrLeave(outcome);
      } else if (nextStage == chain.plan().stages().size()) {
        outcome = new Outcome.Proceed(message);
      } else {
        beginStage(chain.plan().stages().get(nextStage));
      }
    }
  }

  private @Nullable Call compensateOrLeave(Outcome end) {
    Call call = end instanceof Outcome.Proceed ? null : compensation.next();
    if (call == null) {
      chain.leave(this, context, exit, end);
    }
    return call;
  }

  @Override
  void ended(Call call) {
    if (bin != null) {
      bin.ended(call);
    } else {
      compensation.ended(call);
    }
  }

  /** Continues after the last worker, if that was not the one of this sequence. */
  private void arrivedLast() {
    endStage();
    run();
  }

  private void beginStage(Stage next) {
    int[][] bins = chain.bins(nextStage);
    StageRun begun =
        new StageRun(chain, firstStep, next.steps(), message, Math.max(1, bins.length));
    stage = begun;
    for (int place = 0; place < begun.size(); place++) {
      Step step = begun.step(place);
      if (step.declaration().oneway()) {
        chain.tell(step, message);
      }
    }
    bin = new Bin(begun, bins.length == 0 ? new int[0] : bins[0]);
    for (int i = 1; i < bins.length; i++) {
      workers().execute(new SideLine(begun, new Bin(begun, bins[i])));
    }
  }

  private void endStage() {
    StageRun done = Objects.requireNonNull(stage);
    boolean changed = false;
    for (int place = 0; place < done.size(); place++) {
      Step step = done.step(place);
      if (step.declaration().oneway()) {
        continue;
      }
      Throwable failure = done.failure(place);
      if (failure == null) {
        noteEffect(done, step);
        if (outcome == null) {
          changed |= follow(done, place, step, changed);
        }
      } else {
        if (chain.partnerOf(step) != null) {
          compensation.note(step, done.view(step)); // may be half prepared
        }
        giveUp(step, failure, done.counters(place));
      }
    }
    bin = null;
    stage = null;
    nextStage++;
    firstStep += done.size();
    if (outcome != null) {
      compensation.begin(message, outcome instanceof Outcome.Answered);
    }
  }

  private void noteEffect(StageRun done, Step step) {
    compensation.committed(step);
    compensation.note(step, done.view(step));
  }

  /** Follows the verdict of a step; returns whether the message has changed. */
  private boolean follow(StageRun done, int place, Step step, boolean changed) {
    Verdict verdict = Objects.requireNonNull(done.verdict(place));
    switch (verdict) {
      case Verdict.GoOn goOn -> {
        if (goOn.changes().isEmpty()) {
          return false;
        }
        try {
          message = done.merged(place, message, !changed);
          return true;
        } catch (BadVerdictException e) { // their changes together are too large
          done.counters(place).failures.increment();
          giveUp(step, e, done.counters(place));
        }
      }
      case Verdict.Answer answer -> stop(done.counters(place), new Outcome.Answered(answer));
      case Verdict.Refuse refuse ->
          stop(done.counters(place), new Outcome.Refused(step.name(), refuse.problem()));
    }
    return false;
  }

  private void giveUp(Step step, Throwable failure, StepCounters counters) {
    failed |= failure instanceof HandlerTimeoutException;
    if (!step.declaration().mustPerform()) {
      counters.skipped.increment();
      Failures.logSkip(step, message.id(), failure);
    } else if (outcome == null) {
      failed = true;
      Failures.logStop(step, message.id(), failure);
      stop(
          counters,
          new Outcome.Refused(step.name(), Failures.problem(step, message.id(), failure)));
    }
  }

  private void stop(StepCounters counters, Outcome end) {
    counters.stops.increment();
    outcome = end;
  }

  /** The part of a stage that another worker does. */
  private final class SideLine extends Sequence {
    private final StageRun part;
    private final Bin own;

    SideLine(StageRun part, Bin own) {
      super(chain);
      this.part = part;
      this.own = own;
    }

    @Override
    @Nullable Call next() {
      Call call = own.next();
      if (call == null && part.arrive()) {
        arrivedLast();
      }
      return call;
    }

    @Override
    void ended(Call call) {
      own.ended(call);
    }
  }
}
