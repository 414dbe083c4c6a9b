package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Compensation;
import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.attempt.TryState;
import dev.pinion.core.kernel.step.compensation.CompensationScope;
import dev.pinion.core.kernel.step.compensation.Compensations;
import dev.pinion.core.kernel.step.compensation.CompletedTask;
import dev.pinion.core.kernel.step.compensation.PendingEnd;
import dev.pinion.core.kernel.step.compensation.Unwinding;
import dev.pinion.core.kernel.step.phase.ActivityPhase;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compensation of completed tasks, the last one first and one after the other, where an error or a
 * cancellation stops.
 *
 * <pre>
 *   task completes ──▶ registered in its scope ──▶ scope completes: left to the scope around it
 *                              │
 *   workflow fails or is cancelled, try takes an error, race has a winner
 *                              ▼
 *              host in COMPENSATE: newest task ─▶ its compensation ─▶ next … ──▶ host goes on
 * </pre>
 *
 * <p>A task stays registered until its compensation has ended: one that is interrupted, since the
 * host fails or is cancelled, begins once more in the scope around it. A compensation that fails is
 * reported and the others run; then the error goes outwards for which they ran.
 */
final class Compensator {
  /** Type of the error for which tasks are compensated when no task has failed. */
  static final String CANCELLED = "https://pinion.dev/errors/cancelled";

  private static final int STATUS_CANCELLED = 499;

  private final ActivityTree activityTree;
  private final MemoryAccount memoryAccount;

  Compensator(ActivityTree activityTree, MemoryAccount memoryAccount) {
    this.activityTree = activityTree;
    this.memoryAccount = memoryAccount;
  }

  /** The error for which tasks are compensated when no task has failed. */
  static WorkflowError cancelled(String detail, String pointer) {
    return new WorkflowError(CANCELLED, STATUS_CANCELLED, "Cancelled", detail, pointer);
  }

  private static WorkflowError lost(Activity fork) {
    return cancelled("another branch was the first to complete", fork.node.attributes().pointer());
  }

  /** The error for which a compensation runs. */
  static @Nullable Payload reason(Activity compensation) {
    Activity host = Objects.requireNonNull(compensation.parent, "a host");
    if (host.tryState != null) {
      return host.tryState.errorPayload();
    }
    PendingEnd pendingEnd = host.parent == null ? host.instance.pendingEnd() : null;
    return pendingEnd == null ? lost(host).toPayload() : pendingEnd.error();
  }

  /**
   * Whether a task is registered when it completes: not within a compensation, as functions and
   * extensions may run there that have compensations elsewhere.
   */
  static boolean isRegistered(Activity task) {
    return task.node.attributes().compensation() != null && around(task) == null;
  }

  /**
   * Registers a task that has completed, if it can be compensated; returns whether there was room
   * for the values that its compensation will see.
   */
  boolean register(Activity completed) {
    Compensation compensation = completed.node.attributes().compensation();
    if (compensation == null || !isRegistered(completed)) {
      return true;
    }
    List<Payload> values = new ArrayList<>(compensation.variables().size() + 2);
    values.add(completed.input);
    values.add(completed.output);
    for (String name : compensation.variables()) {
      Payload value = TaskVariables.around(completed, name);
      values.add(value == null ? Payload.NULL : value);
    }
    CompensationScope scope = ActivityTree.scopeAround(completed);
    Compensations compensations = completed.instance.openCompensations();
    CompletedTask task = compensations.add(completed.node, scope, values);
    return memoryAccount.chargeCompleted(completed.instance, task);
  }

  /**
   * Makes a task the host of the compensation of a scope, if something is to be compensated there;
   * returns whether it is. The host must pass {@link ActivityPhase#COMPENSATE} then.
   */
  boolean begin(Activity host, @Nullable CompensationScope scope) {
    Compensations compensations = host.instance.compensations;
    if (scope == null || compensations == null || compensations.newest(scope) == null) {
      return false;
    }
    compensations.beginRound();
    host.unwinding = new Unwinding(scope);
    for (Activity at = host; at != null; at = at.parent) {
      at.undone = true;
    }
    return true;
  }

  /** Runs the next compensation of a host; returns whether the host can continue at once. */
  boolean run(Activity host) {
    Unwinding unwinding = Objects.requireNonNull(host.unwinding, "a scope to compensate");
    Compensations compensations = host.instance.openCompensations();
    CompletedTask next = compensations.newest(unwinding.scope());
    if (next != null) {
      activityTree.enterCompensation(host, next);
      return false;
    }
    host.unwinding = null;
    return switch (host.node) {
      case Node.Try _ -> continueTry(host, unwinding.hasFailed());
      case Node.Fork _ -> continueFork(host, unwinding.hasFailed());
      default -> {
        activityTree.finishCompensated(host.instance, compensations, unwinding.hasFailed());
        yield false;
      }
    };
  }

  /** Lets a try decide about its error once more, which goes outwards if something is left. */
  private static boolean continueTry(Activity host, boolean failed) {
    TryState tryState = Objects.requireNonNull(host.tryState, "attempts");
    tryState.mode(TryState.TryMode.TRYING);
    if (failed) {
      throw new ExpressionException(Objects.requireNonNull(tryState.error(), "an error"));
    }
    host.enter(ActivityPhase.CATCH);
    return true;
  }

  /** Lets a race end with the output of its winner; it fails if something is left. */
  private static boolean continueFork(Activity host, boolean failed) {
    if (failed) {
      throw new ExpressionException(lost(host));
    }
    host.enter(ActivityPhase.EXIT);
    return true;
  }

  /** Handles the end of a compensation, which is removed already. Nobody needs its output. */
  void completed(Activity compensation) {
    CompletedTask task = Objects.requireNonNull(compensation.compensated, "a completed task");
    compensation.instance.openCompensations().onCompensated(task);
    memoryAccount.releaseValue(compensation.branch, compensation.instance);
    proceed(compensation, task);
  }

  /** Handles the failure of a compensation, which is removed already. */
  void failed(Activity compensation, WorkflowError error) {
    CompletedTask task = Objects.requireNonNull(compensation.compensated, "a completed task");
    Activity host = Objects.requireNonNull(compensation.parent, "a host");
    Objects.requireNonNull(host.unwinding, "a scope that is compensated").fail();
    compensation.instance.openCompensations().onFailed(task, error);
    proceed(compensation, task);
  }

  private void proceed(Activity compensation, CompletedTask task) {
    memoryAccount.releaseCompleted(compensation.instance, task);
    Activity host = Objects.requireNonNull(compensation.parent, "a host");
    activityTree.makeReady(host, ActivityPhase.COMPENSATE);
  }

  /** The compensation that a task is part of, or null. */
  static @Nullable Activity around(@Nullable Activity task) {
    Activity at = task;
    while (at != null && at.compensated == null) {
      at = at.parent;
    }
    return at;
  }
}
