package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.attempt.CallAttemptCounts;
import dev.pinion.core.kernel.step.attempt.TryState;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.call.EventEmission;
import org.jspecify.annotations.Nullable;

/**
 * Names calls to their services, so that services can recognize a repeated call.
 *
 * <pre>
 *   INSTANCE-tTASK[.RUN …]   such as 01HZ…-t7.2: task 7, in the third iteration of its loop
 * </pre>
 *
 * <p>The name follows from where the task stands and which run of it this is: from the iteration of
 * each loop around it, and how often its block came back to it. Attempts of a {@code try} around it
 * do not change it, nor do crashes and moves. So all attempts of one run have one name, and the
 * number of the attempt rises; it may skip numbers where a loop runs inside of a {@code try}.
 *
 * <p>What a task does anew after effects inside it were compensated has a name of its own: {@code
 * .uN} follows. In the compensation of the Nth completed task {@code .cN} follows, whatever is
 * around it, so that one that was interrupted goes on under its name.
 */
public final class CallIdempotencyKeys {
  private static final char RUN = '.';
  private static final String GENERATION = ".u";
  private static final String COMPENSATION = ".c";
  private static final char ATTEMPT = 'a';

  private CallIdempotencyKeys() {}

  /**
   * The call with its name and attempt. A call of an instance that is not journalled has them only
   * where it may be made more than once.
   */
  public static CallRequest withIdempotencyKey(Activity activity, int number, CallRequest call) {
    boolean named =
        activity.instance.durability.isJournalled()
            || activity.deliveries > 0
            || call.needsIdempotencyKey()
            || isRetried(activity);
    if (!named) {
      return call;
    }
    String name =
        activity.namedByNumber ? activity.instance.id + "-" + number : nameOfRun(activity);
    return call.withIdempotencyKey(
        call instanceof EventEmission ? name + attempts(activity) : name, activity.deliveries + 1);
  }

  /**
   * The attempts of each {@code try} around it that has begun again: what a definition does again
   * is another event.
   */
  private static String attempts(Activity call) {
    StringBuilder attempts = new StringBuilder(0);
    for (Activity at = around(call); at != null; at = around(at)) {
      if (at.tryState != null && at.tryState.retries() > 0) {
        attempts.append(ATTEMPT).append(at.tryState.retries() + 1);
      }
    }
    return attempts.toString();
  }

  private static String nameOfRun(Activity activity) {
    StringBuilder name = new StringBuilder(48);
    name.append(activity.instance.id).append("-t").append(activity.node.attributes().id());
    for (Activity at = activity; at != null; at = at.parent) {
      if (at.compensated != null) {
        return name.append(COMPENSATION).append(at.compensated.number()).toString();
      }
      if (at.runs.length > 0) {
        name.append(RUN).append(at.runs[at.index]);
      }
      if (at.generation > 0) {
        name.append(GENERATION).append(at.generation);
      }
      Activity parent = at.parent;
      if (parent != null
          && (parent.node instanceof Node.For
              || parent.node instanceof Node.Listen
              || parent.node instanceof Node.Subscribe)) {
        name.append(RUN).append(parent.cursor);
      } else if (parent != null && parent.node instanceof Node.ParallelForEach) {
        name.append(RUN).append(at.branch.index);
      }
    }
    return name.toString();
  }

  /** Number of earlier calls in this run of the task. */
  static int attemptsBefore(Activity call) {
    int task = call.node.attributes().id();
    int before = 0;
    for (Activity at = call; at != null; at = around(at)) {
      before = Math.max(before, at.earlierAttempts);
      CallAttemptCounts counts = countsOfRetried(at);
      if (counts != null) {
        before = Math.max(before, counts.before(task));
      }
    }
    return before;
  }

  /** Ends the wait of an activity: records how often its call was made, if it is one. */
  static void ended(Activity call) {
    if (!(call.node instanceof Node.Call)) {
      return; // a child names its own calls
    }
    int task = call.node.attributes().id();
    int attempts = call.deliveries + 1;
    call.instance.mostAttempts = Math.max(call.instance.mostAttempts, attempts);
    for (Activity at = around(call); at != null; at = around(at)) {
      CallAttemptCounts counts = countsOfRetried(at);
      if (counts != null) {
        counts.ended(task, attempts);
      }
    }
  }

  /** The task around another one; null also around a compensation, which counts for itself. */
  private static @Nullable Activity around(Activity at) {
    return at.compensated == null ? at.parent : null;
  }

  private static boolean isRetried(Activity call) {
    for (Activity at = around(call); at != null; at = around(at)) {
      if (countsOfRetried(at) != null) {
        return true;
      }
    }
    return false;
  }

  /** Counts of a {@code try} in the body that it may run again; null for anything else. */
  private static @Nullable CallAttemptCounts countsOfRetried(Activity activity) {
    TryState tryState = activity.tryState;
    return tryState != null
            && tryState.mode() != TryState.TryMode.HANDLING
            && activity.node instanceof Node.Try task
            && task.handler().retry() != null
        ? tryState.calls()
        : null;
  }
}
