package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.attempt.TryState;
import dev.pinion.core.kernel.step.memory.InstanceQuota;
import dev.pinion.core.kernel.step.phase.ActivityPhase;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The {@code try} task.
 *
 * <pre>
 *            ┌────────────── DELAYED ◀─── retry ───┐
 *            ▼                                     │
 *   BODY: TRYING ── error ──▶ CATCH: which of ─────┼─── catch.do ──▶ BODY: HANDLING ──▶ EXIT
 *            │                                     ├─── nothing to do ──────────────▶ EXIT
 *            └── done ──▶ EXIT                     └─── not mine, or retries used up ▶ propagates
 * </pre>
 *
 * <p>Before all ways but the last one, what completed in the body is compensated: {@code CATCH} ──▶
 * {@code COMPENSATE} ──▶ {@code CATCH}.
 */
final class TryTask {
  private static final int MAX_SHIFT = 62;
  private static final long NO_RETRY = -1;

  private final ActivityTree activityTree;
  private final EffectSink effects;
  private final ExpressionEvaluator expressionEvaluator;
  private final MemoryAccount memoryAccount;
  private final InstanceQuota instanceQuota;
  private final Compensator compensator;

  TryTask(
      ActivityTree activityTree,
      EffectSink effects,
      ExpressionEvaluator expressionEvaluator,
      MemoryAccount memoryAccount,
      InstanceQuota instanceQuota,
      Compensator compensator) {
    this.activityTree = activityTree;
    this.effects = effects;
    this.expressionEvaluator = expressionEvaluator;
    this.memoryAccount = memoryAccount;
    this.instanceQuota = instanceQuota;
    this.compensator = compensator;
  }

  /** Runs the body once more; returns false because the output is not available yet. */
  boolean run(Activity activity, Node.Try task) {
    Node.Retry retry = task.handler().retry();
    if (retry != null && retry.limit().attemptTimeoutNanos() != null) {
      long timeoutNanos =
          expressionEvaluator.evaluate(
              activity, retry.limit().attemptTimeoutNanos(), activity.input);
      activityTree.startTimer(
          activity, Activity.ATTEMPT_TIMEOUT, instanceQuota.checkedDelay(timeoutNanos));
    }
    TryState tryState = attempts(activity);
    tryState.begin();
    memoryAccount.settleError(activity);
    activityTree.enter(activity, activity.branch, task.body(), 0, activity.input);
    if (tryState.retries() > 0 && !activity.instance.hasEnded()) {
      effects.retried(activity); // behind the begin of the body, whose number stays what it was
    }
    return false;
  }

  private static TryState attempts(Activity activity) {
    TryState tryState = activity.tryState;
    if (tryState == null) {
      tryState = new TryState(activity.instance.nowEpochMillis);
      activity.tryState = tryState;
    }
    return tryState;
  }

  /** Handles the end of the body of the try or of its catch. */
  void blockEnded(Activity activity, Node.Try task, Payload output) {
    activity.rawOutput = output;
    if (attempts(activity).mode() == TryState.TryMode.HANDLING && task.handler().then() != null) {
      activity.next = task.handler().then();
    }
    activityTree.cancelTimer(activity, Activity.ATTEMPT_TIMEOUT);
    activityTree.makeReady(activity, ActivityPhase.EXIT);
  }

  /**
   * Whether this try decides about the error of something inside: only while it runs its body. Ends
   * the attempt then.
   */
  boolean absorbs(Activity activity, WorkflowError error) {
    if (!wouldAbsorb(activity)) {
      return false;
    }
    failAttempt(activity, error);
    return true;
  }

  /** Whether {@link #absorbs} would return true. */
  boolean wouldAbsorb(Activity activity) {
    return attempts(activity).mode() == TryState.TryMode.TRYING
        && activity.activityPhase == ActivityPhase.BODY;
  }

  void failAttempt(Activity activity, WorkflowError error) {
    activityTree.cancelChildren(activity);
    activityTree.cancelTimer(activity, Activity.ATTEMPT_TIMEOUT);
    attempts(activity).failedWith(error);
    memoryAccount.settleError(activity);
    WorkflowError excess = instanceQuota.excessOfErrors(activity.instance.errorBytes);
    if (excess == null) {
      activityTree.makeReady(activity, ActivityPhase.CATCH);
    } else {
      activityTree.fail(activity.instance, excess.at(activity.node.attributes().pointer()));
    }
  }

  /** Handles the error; returns whether the activity can continue at once. */
  boolean handleError(Activity activity, Node.Try task) {
    TryState tryState = attempts(activity);
    WorkflowError error = tryState.error();
    if (error == null) {
      throw new IllegalStateException("expected an error to handle, but there is none");
    }
    Node.Catch handler = task.handler();
    if (!catches(activity, handler)) {
      throw new ExpressionException(error);
    }
    Node.Retry retry = handler.retry();
    long delayNanos = retry == null ? NO_RETRY : delayBeforeRetry(activity, retry, tryState);
    if (delayNanos == NO_RETRY && retry != null && handler.body() == null) {
      throw new ExpressionException(error);
    }
    if (compensator.begin(activity, tryState.scope())) {
      tryState.mode(TryState.TryMode.COMPENSATING);
      activity.enter(ActivityPhase.COMPENSATE);
      return true; // decides once more behind it
    }
    if (delayNanos != NO_RETRY) {
      return retry(activity, tryState, delayNanos);
    }
    if (handler.body() != null) {
      tryState.mode(TryState.TryMode.HANDLING);
      activity.enter(ActivityPhase.BODY);
      activityTree.enter(activity, activity.branch, handler.body(), 0, activity.input);
      return false;
    }
    return completeCaught(activity, handler);
  }

  private static boolean completeCaught(Activity activity, Node.Catch handler) {
    activity.rawOutput = activity.input;
    if (handler.then() != null) {
      activity.next = handler.then();
    }
    activity.enter(ActivityPhase.EXIT);
    return true;
  }

  private boolean catches(Activity activity, Node.Catch handler) {
    Payload payload = attempts(activity).errorPayload();
    return (handler.matches() == null
            || payload == null
            || expressionEvaluator.evaluate(activity, handler.matches(), payload))
        && expressionEvaluator.isTrue(activity, handler.when(), activity.input)
        && !excepted(activity, handler.exceptWhen());
  }

  private boolean excepted(Activity activity, @Nullable Expression<Boolean> exceptWhen) {
    return exceptWhen != null && expressionEvaluator.evaluate(activity, exceptWhen, activity.input);
  }

  /** The delay before another attempt if the policy allows one, else {@link #NO_RETRY}. */
  private long delayBeforeRetry(Activity activity, Node.Retry retry, TryState tryState) {
    if (tryState.retries() >= retry.limit().maxRetries()
        || !expressionEvaluator.isTrue(activity, retry.when(), activity.input)
        || excepted(activity, retry.exceptWhen())) {
      return NO_RETRY;
    }
    long delayNanos = delayNanos(activity, retry, tryState.retries() + 1);
    if (retry.limit().durationNanos() != null) {
      long elapsedNanos =
          TimeUnit.MILLISECONDS.toNanos(
              activity.instance.nowEpochMillis - tryState.firstStartedAtEpochMillis());
      long allowedNanos =
          expressionEvaluator.evaluate(activity, retry.limit().durationNanos(), activity.input);
      if (elapsedNanos > allowedNanos - delayNanos) {
        return NO_RETRY;
      }
    }
    return delayNanos;
  }

  /** Schedules another attempt; returns whether it begins at once. */
  private boolean retry(Activity activity, TryState tryState, long delayNanos) {
    tryState.retry();
    activity.renew();
    activity.enter(ActivityPhase.BODY);
    if (delayNanos == 0) {
      tryState.mode(TryState.TryMode.TRYING);
      return true;
    }
    tryState.mode(TryState.TryMode.DELAYED);
    activityTree.startTimer(activity, Activity.DELAY, delayNanos);
    return false;
  }

  /** The delay before the n-th retry, from 1; however far it grows, no longer than a timer's. */
  private long delayNanos(Activity activity, Node.Retry retry, int n) {
    long base = orZero(activity, retry.delay().baseNanos());
    double factor =
        switch (retry.delay().backoff()) {
          case CONSTANT -> 1;
          case LINEAR -> n;
          case EXPONENTIAL -> 1L << Math.min(n - 1, MAX_SHIFT);
        };
    long least = orZero(activity, retry.delay().jitterFromNanos());
    long most = Math.max(least, orZero(activity, retry.delay().jitterToNanos()));
    double jitter = least + (double) (most - least) * random(activity, n);
    return (long) Math.min((double) instanceQuota.maxDelayNanos(), base * factor + jitter);
  }

  private long orZero(Activity activity, @Nullable Expression<Long> duration) {
    return duration == null ? 0 : expressionEvaluator.evaluate(activity, duration, activity.input);
  }

  /**
   * A number from 0 to 1 that looks random over instances, tasks and retries, and is the same in a
   * replay (finalizer of SplitMix64: Steele, Lea, Flood, 2014).
   */
  private static double random(Activity activity, int n) {
    long mixed =
        activity.instance.id.value()
            + 0x9e3779b97f4a7c15L * (31L * activity.node.attributes().id() + n);
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return ((mixed ^ (mixed >>> 31)) >>> 11) * 0x1.0p-53;
  }
}
