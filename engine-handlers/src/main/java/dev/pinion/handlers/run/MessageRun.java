package dev.pinion.handlers.run;

import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.plan.ChainStage;
import dev.pinion.handlers.plan.Step;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
final class MessageRun<C> extends CallSequence {
  private static final Logger LOG = LoggerFactory.getLogger(MessageRun.class);

  /** The chain that a message runs through. */
  interface Owner {
    /** Positions of the steps of a stage, by worker. */
    int[][] batches(int stage);

    /** Queues a message for a oneway step; nothing waits for that. */
    void enqueueOneway(Step step, Message message);

    /** Reports the outcome of a message and returns its permit. */
    void complete(MessageRun<?> run, Outcome outcome);
  }

  private final Owner owner;
  private final C context;
  private final MessageGateway.Completion<? super C> completion;
  private final Compensation compensation;
  private Message message;
  private int nextStage;
  private int firstStep;
  private long startedNanos;
  private boolean failed;
  private @Nullable StageResults stage;
  private @Nullable StepBatch stepBatch;
  private @Nullable Outcome outcome;

  MessageRun(
      ChainSteps steps,
      Owner owner,
      Message message,
      C context,
      MessageGateway.Completion<? super C> completion) {
    super(steps);
    this.owner = owner;
    this.message = message;
    this.context = context;
    this.completion = completion;
    this.compensation = new Compensation(steps);
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

  /** Reports the outcome of the message to its receiver. */
  void report(Outcome end) {
    report(context, completion, end);
  }

  /** Reports an outcome to a receiver; what the receiver throws is logged. */
  static <C> void report(
      C context, MessageGateway.Completion<? super C> completion, Outcome outcome) {
    try {
      completion.complete(context, outcome);
    } catch (Throwable e) { // the permit must be returned nevertheless
      LOG.error("the receiver of a handled message failed", e);
    }
  }

  /** Admits the message. */
  void admitted(long nowNanos) {
    startedNanos = nowNanos;
  }

  @Override
  @Nullable HandlerCall next() {
    while (true) {
      StepBatch own = stepBatch;
      if (own != null) {
        HandlerCall handlerCall = own.next();
        if (handlerCall != null) {
          return handlerCall;
        }
        if (!Objects.requireNonNull(stage).arrive()) {
          return null; // the last one to arrive continues
        }
        endStage();
      } else if (outcome != null) {
        return compensateOrLeave(outcome);
      } else if (nextStage == steps().plan().stages().size()) {
        outcome = new Outcome.Proceed(message);
      } else {
        beginStage(steps().plan().stages().get(nextStage));
      }
    }
  }

  private @Nullable HandlerCall compensateOrLeave(Outcome end) {
    HandlerCall handlerCall = end instanceof Outcome.Proceed ? null : compensation.next();
    if (handlerCall == null) {
      owner.complete(this, end);
    }
    return handlerCall;
  }

  @Override
  void ended(HandlerCall handlerCall) {
    if (stepBatch != null) {
      stepBatch.ended(handlerCall);
    } else {
      compensation.ended(handlerCall);
    }
  }

  /** Continues after the last worker, if that was not the one of this sequence. */
  private void arrivedLast() {
    endStage();
    run();
  }

  private void beginStage(ChainStage next) {
    int[][] bins = owner.batches(nextStage);
    StageResults begun =
        new StageResults(steps(), firstStep, next.steps(), message, Math.max(1, bins.length));
    stage = begun;
    for (int place = 0; place < begun.size(); place++) {
      Step step = begun.step(place);
      if (step.declaration().oneway()) {
        owner.enqueueOneway(step, message);
      }
    }
    stepBatch = new StepBatch(begun, bins.length == 0 ? new int[0] : bins[0]);
    for (int i = 1; i < bins.length; i++) {
      steps().workers().execute(new SideSequence(begun, new StepBatch(begun, bins[i])));
    }
  }

  private void endStage() {
    StageResults done = Objects.requireNonNull(stage);
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
        if (steps().partnerOf(step) != null) {
          compensation.record(step, done.view(step)); // may be half prepared
        }
        giveUp(step, failure, done.counters(place));
      }
    }
    stepBatch = null;
    stage = null;
    nextStage++;
    firstStep += done.size();
    if (outcome != null) {
      compensation.begin(message, outcome instanceof Outcome.Answered);
    }
  }

  private void noteEffect(StageResults done, Step step) {
    compensation.committed(step);
    compensation.record(step, done.view(step));
  }

  /** Follows the verdict of a step; returns whether the message has changed. */
  private boolean follow(StageResults done, int place, Step step, boolean changed) {
    Verdict verdict = Objects.requireNonNull(done.verdict(place));
    switch (verdict) {
      case Verdict.GoOn goOn -> {
        if (goOn.changes().isEmpty()) {
          return false;
        }
        try {
          message = done.merged(place, message, !changed);
          return true;
        } catch (InvalidVerdictException e) { // their changes together are too large
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
      HandlerFailures.logSkip(step, message.id(), failure);
    } else if (outcome == null) {
      failed = true;
      HandlerFailures.logStop(step, message.id(), failure);
      stop(
          counters,
          new Outcome.Refused(step.name(), HandlerFailures.problem(step, message.id(), failure)));
    }
  }

  private void stop(StepCounters counters, Outcome end) {
    counters.stops.increment();
    outcome = end;
  }

  /** The part of a stage that another worker does. */
  private final class SideSequence extends CallSequence {
    private final StageResults part;
    private final StepBatch own;

    SideSequence(StageResults part, StepBatch own) {
      super(MessageRun.this.steps());
      this.part = part;
      this.own = own;
    }

    @Override
    @Nullable HandlerCall next() {
      HandlerCall handlerCall = own.next();
      if (handlerCall == null && part.arrive()) {
        arrivedLast();
      }
      return handlerCall;
    }

    @Override
    void ended(HandlerCall handlerCall) {
      own.ended(handlerCall);
    }
  }
}
