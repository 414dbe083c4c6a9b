package dev.pinion.core.kernel.step;

import dev.pinion.core.codec.ByteReader;
import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.graph.Compensation;
import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.attempt.TryState;
import dev.pinion.core.kernel.step.codec.TaskIndex;
import dev.pinion.core.kernel.step.codec.ValueReader;
import dev.pinion.core.kernel.step.codec.ValueWriter;
import dev.pinion.core.kernel.step.compensation.CompensationScope;
import dev.pinion.core.kernel.step.compensation.Compensations;
import dev.pinion.core.kernel.step.compensation.CompletedTask;
import dev.pinion.core.kernel.step.compensation.PendingEnd;
import dev.pinion.core.kernel.step.compensation.Unwinding;
import dev.pinion.core.kernel.step.phase.ActivityPhase;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.CompensationStatus;
import dev.pinion.core.model.instance.InstanceState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Codec of the completed tasks of an instance and of their compensation: an optional part behind
 * the others of its state. Instances without compensation lack it.
 *
 * <pre>
 *   counts | failures | hosts | completed tasks | compensations under way | generations | end
 * </pre>
 */
final class CompensationCodec {
  /** Number of this part among the optional ones. */
  static final int PART = 2;

  private static final ScopeOwner WHOLE = new ScopeOwner(0, 0);

  /**
   * Owner of a scope.
   *
   * @param slot slot of the task plus 1; 0 for the whole instance
   * @param branch number of the branch plus 1; 0 for the task itself
   */
  private record ScopeOwner(int slot, int branch) {}

  private CompensationCodec() {}

  /** Writes the part. */
  static void write(Instance instance, Compensations compensations, ValueWriter values) {
    ByteWriter out = values.out;
    out.putCount(PART);
    putCounts(compensations, values);
    List<Activity> hosts = select(instance, each -> each.unwinding != null);
    out.putCount(hosts.size());
    for (Activity host : hosts) {
      out.putCount(host.slot);
      out.putFlag(Objects.requireNonNull(host.unwinding).hasFailed());
    }
    putTasks(compensations, owners(instance), values);
    List<Activity> underWay = select(instance, Activity::isCompensation);
    out.putCount(underWay.size());
    for (Activity activity : underWay) {
      out.putCount(activity.slot);
      out.putCount(Objects.requireNonNull(activity.compensated).number());
    }
    List<Activity> repeated = select(instance, each -> each.generation > 0 || each.undone);
    out.putCount(repeated.size());
    for (Activity activity : repeated) {
      out.putCount(activity.slot);
      out.putCount(activity.generation);
      out.putFlag(activity.undone);
    }
    putEnd(compensations, values);
  }

  private static void putCounts(Compensations compensations, ValueWriter values) {
    ByteWriter out = values.out;
    Compensations.Counts counts = compensations.counts();
    out.putCount(counts.last());
    out.putCount(counts.rounds());
    out.putCount(counts.compensated());
    out.putCount(counts.failed());
    out.putCount(compensations.failures().size());
    for (CompensationStatus.Failure failure : compensations.failures()) {
      out.putText(failure.task());
      values.putOptional(failure.error());
    }
  }

  private static void putTasks(
      Compensations compensations,
      IdentityHashMap<CompensationScope, ScopeOwner> owners,
      ValueWriter values) {
    ByteWriter out = values.out;
    out.putCount(compensations.tasks().size());
    for (CompletedTask task : compensations.tasks()) {
      ScopeOwner owner = owners.getOrDefault(task.scope().current(), WHOLE);
      out.putCount(task.number());
      out.putNumber(task.task().attributes().id());
      out.putCount(TaskIndex.hash(task.task()));
      out.putCount(owner.slot);
      out.putCount(owner.branch);
      out.putFlag(task.isBegun());
      values.put(task.values());
    }
  }

  /** The scopes that are open, by themselves; the whole instance is none of them. */
  private static IdentityHashMap<CompensationScope, ScopeOwner> owners(Instance instance) {
    IdentityHashMap<CompensationScope, ScopeOwner> owners = new IdentityHashMap<>();
    instance.forEachActivity(
        activity -> {
          int slot = activity.slot + 1;
          for (int i = 0; i < activity.branches.length; i++) {
            CompensationScope scope = activity.branches[i].scope();
            if (scope != null) {
              owners.put(scope.current(), new ScopeOwner(slot, i + 1));
            }
          }
          TryState tryState = activity.tryState;
          if (tryState != null && tryState.scope() != null) {
            owners.put(tryState.openScope().current(), new ScopeOwner(slot, 0));
          }
          Unwinding unwinding = activity.unwinding;
          if (unwinding != null && activity.parent != null) {
            owners.put(unwinding.scope().current(), new ScopeOwner(slot, 0));
          }
        });
    return owners;
  }

  private static void putEnd(Compensations compensations, ValueWriter values) {
    ByteWriter out = values.out;
    PendingEnd end = compensations.pendingEnd();
    out.putFlag(end != null);
    if (end != null) {
      values.put(end.outcome());
      values.put(end.error());
      out.putCount(end.stepsBefore());
      out.putCount(end.eventsBefore());
    }
  }

  /** Reads what {@link #write} wrote behind its number. */
  static void read(Instance instance, ValueReader values, TaskIndex tasks) {
    ByteReader in = values.in;
    Compensations compensations = instance.openCompensations();
    readCounts(compensations, values);
    Map<ScopeOwner, CompensationScope> scopes = new HashMap<>();
    scopes.put(WHOLE, compensations.whole());
    for (int left = in.getSize(); left > 0; left--) {
      Activity host = activity(instance, in.getCount());
      ScopeOwner owner = host.parent == null ? WHOLE : new ScopeOwner(host.slot + 1, 0);
      Unwinding unwinding = new Unwinding(scope(instance, owner, scopes));
      if (in.getFlag()) {
        unwinding.fail();
      }
      host.unwinding = unwinding;
    }
    for (int left = in.getSize(); left > 0; left--) {
      int number = in.getCount();
      Node task = tasks.position(in.getInt(), in.getCount()).task();
      ScopeOwner owner = new ScopeOwner(in.getCount(), in.getCount());
      boolean begun = in.getFlag();
      List<Payload> seen = List.of(values.payloads());
      CompletedTask completed = completed(number, task, scope(instance, owner, scopes), seen);
      if (begun) {
        completed.begin();
      }
      completed.chargeWeight();
      compensations.restore(completed);
    }
    readActivities(instance, compensations, in);
    readEnd(compensations, values);
  }

  private static void readCounts(Compensations compensations, ValueReader values) {
    ByteReader in = values.in;
    Compensations.Counts counts =
        new Compensations.Counts(in.getCount(), in.getCount(), in.getCount(), in.getCount());
    List<CompensationStatus.Failure> failures = new ArrayList<>();
    for (int left = in.getSize(); left > 0; left--) {
      String task = in.getPresentText();
      WorkflowError error = Objects.requireNonNull(values.optionalError(), "an error");
      failures.add(new CompensationStatus.Failure(task, error));
    }
    compensations.restore(counts, failures);
  }

  /** The open scope of an owner; a race that compensates has one of its own. */
  private static CompensationScope scope(
      Instance instance, ScopeOwner owner, Map<ScopeOwner, CompensationScope> scopes) {
    CompensationScope known = scopes.get(owner);
    if (known != null) {
      return known;
    }
    Activity activity = activity(instance, owner.slot - 1);
    TryState tryState = activity.tryState;
    CompensationScope scope;
    if (owner.branch > 0 && owner.branch <= activity.branches.length) {
      scope = activity.branches[owner.branch - 1].openScope();
    } else if (tryState != null) {
      scope = tryState.openScope();
    } else {
      scope = new CompensationScope();
    }
    scopes.put(owner, scope);
    return scope;
  }

  private static CompletedTask completed(
      int number, Node task, CompensationScope scope, List<Payload> values) {
    Compensation compensation = task.attributes().compensation();
    if (compensation == null || values.size() != compensation.variables().size() + 2) {
      throw new IllegalArgumentException(
          "expected values for the compensation of "
              + task.attributes().pointer()
              + ", found "
              + values.size());
    }
    return new CompletedTask(number, task, scope, values);
  }

  private static void readActivities(
      Instance instance, Compensations compensations, ByteReader in) {
    for (int left = in.getSize(); left > 0; left--) {
      Activity activity = activity(instance, in.getCount());
      int number = in.getCount();
      activity.compensated = compensations.task(number);
      if (activity.compensated == null || activity.parent == null) {
        throw new IllegalArgumentException(
            "expected the completed task " + number + " that is compensated, found none");
      }
    }
    for (int left = in.getSize(); left > 0; left--) {
      Activity activity = activity(instance, in.getCount());
      activity.generation = in.getCount();
      activity.undone = in.getFlag();
    }
    for (Activity activity : select(instance, CompensationCodec::isRegisteredLater)) {
      activity.reserves = compensations.reserve(Integer.MAX_VALUE);
    }
  }

  /** Whether a running task will be registered when it completes. */
  private static boolean isRegisteredLater(Activity activity) {
    return Compensator.isRegistered(activity) && activity.activityPhase != ActivityPhase.ENTRY;
  }

  private static void readEnd(Compensations compensations, ValueReader values) {
    if (values.in.getFlag()) {
      compensations.pendingEnd(
          new PendingEnd(
              values.constant(InstanceState.class),
              values.payload(),
              values.in.getCount(),
              values.in.getCount()));
    }
  }

  private static Activity activity(Instance instance, int slot) {
    Activity activity = instance.activity(slot);
    if (activity == null) {
      throw new IllegalArgumentException("expected an activity in slot " + slot + ", found none");
    }
    return activity;
  }

  private static List<Activity> select(Instance instance, Predicate<Activity> wanted) {
    List<Activity> found = new ArrayList<>();
    instance.forEachActivity(
        each -> {
          if (wanted.test(each)) {
            found.add(each);
          }
        });
    return found;
  }
}
