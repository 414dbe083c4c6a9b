package dev.pinion.core.kernel;

import dev.pinion.core.ir.Node;
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
 */
final class Tries {
  private static final int MAX_SHIFT = 62;

  private final Activities activities;
  private final Evaluation evaluation;
  private final Holdings holdings;
  private final Bounds bounds;

  Tries(Activities activities, Evaluation evaluation, Holdings holdings, Bounds bounds) {
    this.activities = activities;
    this.evaluation = evaluation;
    this.holdings = holdings;
    this.bounds = bounds;
  }

  /** Runs the body once more; returns false because the output is not available yet. */
  boolean run(Activity activity, Node.Try task) {
    Node.Retry retry = task.handler().retry();
    if (retry != null && retry.attemptTimeoutNanos() != null) {
      long timeoutNanos = evaluation.of(activity, retry.attemptTimeoutNanos(), activity.input);
      activities.startTimer(activity, Activity.ATTEMPT_TIMEOUT, bounds.checkedDelay(timeoutNanos));
    }
    attempts(activity).begin();
    holdings.settleError(activity);
    activities.enter(activity, activity.branch, task.body(), 0, activity.input);
    return false;
  }

  private static Attempts attempts(Activity activity) {
    Attempts attempts = activity.attempts;
    if (attempts == null) {
      attempts = new Attempts(activity.instance.nowEpochMillis);
      activity.attempts = attempts;
    }
    return attempts;
  }

  /** Handles the end of the body of the try or of its catch. */
  void blockEnded(Activity activity, Node.Try task, Payload output) {
    activity.rawOutput = output;
    if (attempts(activity).mode == Attempts.Mode.HANDLING && task.handler().then() != null) {
      activity.next = task.handler().then();
    }
    activities.cancelTimer(activity, Activity.ATTEMPT_TIMEOUT);
    activities.makeReady(activity, Phase.EXIT);
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
    return attempts(activity).mode == Attempts.Mode.TRYING && activity.phase == Phase.BODY;
  }

  void failAttempt(Activity activity, WorkflowError error) {
    activities.cancelChildren(activity);
    activities.cancelTimer(activity, Activity.ATTEMPT_TIMEOUT);
    attempts(activity).failedWith(error);
    holdings.settleError(activity);
    WorkflowError excess = bounds.excessOfErrors(activity.instance.errorBytes);
    if (excess == null) {
      activities.makeReady(activity, Phase.CATCH);
    } else {
      activities.fail(activity.instance, excess.at(activity.node.common().pointer()));
    }
  }

  /** Handles the error; returns whether the activity can continue at once. */
  boolean handleError(Activity activity, Node.Try task) {
    Attempts attempts = attempts(activity);
    WorkflowError error = attempts.error();
    if (error == null) {
      throw new IllegalStateException("expected an error to handle, but there is none");
    }
    Node.Catch handler = task.handler();
    if (!catches(activity, handler)) {
      throw new ExpressionException(error);
    }
    if (handler.retry() != null && retries(activity, handler.retry(), attempts)) {
      return attempts.mode == Attempts.Mode.TRYING;
    }
    if (handler.body() != null) {
      attempts.mode = Attempts.Mode.HANDLING;
      activity.enter(Phase.BODY);
      activities.enter(activity, activity.branch, handler.body(), 0, activity.input);
      return false;
    }
    if (handler.retry() != null) {
      throw new ExpressionException(error);
    }
    return swallow(activity, handler);
  }

  private static boolean swallow(Activity activity, Node.Catch handler) {
    activity.rawOutput = activity.input;
    if (handler.then() != null) {
      activity.next = handler.then();
    }
    activity.enter(Phase.EXIT);
    return true;
  }

  private boolean catches(Activity activity, Node.Catch handler) {
    Payload payload = attempts(activity).errorPayload();
    return (handler.matches() == null
            || payload == null
            || evaluation.of(activity, handler.matches(), payload))
        && evaluation.holds(activity, handler.when(), activity.input)
        && !excepted(activity, handler.exceptWhen());
  }

  private boolean excepted(Activity activity, @Nullable Expression<Boolean> exceptWhen) {
    return exceptWhen != null && evaluation.of(activity, exceptWhen, activity.input);
  }

  /** Schedules another attempt if the policy allows one; returns whether it does. */
  private boolean retries(Activity activity, Node.Retry retry, Attempts attempts) {
    if (attempts.retries >= retry.maxRetries()
        || !evaluation.holds(activity, retry.when(), activity.input)
        || excepted(activity, retry.exceptWhen())) {
      return false;
    }
    long delayNanos = delayNanos(activity, retry, attempts.retries + 1);
    if (retry.durationNanos() != null) {
      long elapsedNanos =
          TimeUnit.MILLISECONDS.toNanos(
              activity.instance.nowEpochMillis - attempts.firstStartedAtEpochMillis);
      long allowedNanos = evaluation.of(activity, retry.durationNanos(), activity.input);
      if (elapsedNanos > allowedNanos - delayNanos) {
        return false;
      }
    }
    attempts.retries++;
    activity.enter(Phase.BODY);
    if (delayNanos == 0) {
      attempts.mode = Attempts.Mode.TRYING;
    } else {
      attempts.mode = Attempts.Mode.DELAYED;
      activities.startTimer(activity, Activity.DELAY, delayNanos);
    }
    return true;
  }

  /** The delay before the n-th retry, from 1; however far it grows, no longer than a timer's. */
  private long delayNanos(Activity activity, Node.Retry retry, int n) {
    long base = orZero(activity, retry.delayNanos());
    double factor =
        switch (retry.backoff()) {
          case CONSTANT -> 1;
          case LINEAR -> n;
          case EXPONENTIAL -> 1L << Math.min(n - 1, MAX_SHIFT);
        };
    long least = orZero(activity, retry.jitterFromNanos());
    long most = Math.max(least, orZero(activity, retry.jitterToNanos()));
    double jitter = least + (double) (most - least) * random(activity, n);
    return (long) Math.min((double) bounds.maxDelayNanos(), base * factor + jitter);
  }

  private long orZero(Activity activity, @Nullable Expression<Long> duration) {
    return duration == null ? 0 : evaluation.of(activity, duration, activity.input);
  }

  /**
   * A number from 0 to 1 that looks random over instances, tasks and retries, and is the same in a
   * replay (finalizer of SplitMix64: Steele, Lea, Flood, 2014).
   */
  private static double random(Activity activity, int n) {
    long mixed =
        activity.instance.id.value()
            + 0x9e3779b97f4a7c15L * (31L * activity.node.common().id() + n);
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return ((mixed ^ (mixed >>> 31)) >>> 11) * 0x1.0p-53;
  }
}
