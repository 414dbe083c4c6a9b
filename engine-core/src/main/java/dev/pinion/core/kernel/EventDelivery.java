package dev.pinion.core.kernel;

import dev.pinion.core.kernel.listen.ListenerHost;
import dev.pinion.core.kernel.output.EffectLanes;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.ValuePacking;
import dev.pinion.core.kernel.table.ScheduleTable;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives instances the events that they listen to. Events wait while schedules have many runs to
 * begin: else they would come faster than runs can begin. Kernel thread only.
 */
final class EventDelivery implements ListenerHost {
  /** Number of evaluations for filters; those of instances begin at 1. */
  static final int FILTER_ATTEMPT = 0;

  /** Events for schedules before the runs of earlier ones have begun. */
  private static final int EVENTS_AHEAD = 32;

  private final int kernel;
  private final EffectLanes lanes;
  private final ValuePacking valuePacking;
  private final CycleTime time;
  private @Nullable Turns turns;
  private @Nullable ChildQueue children;
  private @Nullable ScheduleTable schedules;

  /** Activities whose runs may be about to begin. */
  private final Set<Activity> starting = Collections.newSetFromMap(new IdentityHashMap<>(4));

  /** Events for schedules since no run was about to begin. */
  private int ahead;

  EventDelivery(int kernel, EffectLanes lanes, ValuePacking valuePacking, CycleTime time) {
    this.kernel = kernel;
    this.lanes = lanes;
    this.valuePacking = valuePacking;
    this.time = time;
  }

  /**
   * Sets what events lead to. Before the first one.
   *
   * @param applier applies them
   * @param runs runs that are about to begin, or under way
   * @param keepers the instances that keep schedules
   */
  void attach(Turns applier, ChildQueue runs, ScheduleTable keepers) {
    turns = applier;
    children = runs;
    schedules = keepers;
  }

  /** Whether events have to wait until runs that earlier ones want have begun. */
  boolean isBehind() {
    if (starting.isEmpty()) {
      return false;
    }
    ChildQueue runs = Objects.requireNonNull(children, "runs");
    starting.removeIf(each -> !each.awaitsChild() || runs.awaitedChild(each) != null);
    ahead = starting.isEmpty() ? 0 : ahead;
    return ahead >= EVENTS_AHEAD;
  }

  @Override
  public boolean withValues(Activity activity, BooleanSupplier look) {
    boolean[] seen = new boolean[1];
    valuePacking.withUnpacked(activity.instance(), () -> seen[0] = look.getAsBoolean());
    return seen[0];
  }

  @Override
  public void receive(Activity activity, Event.EventReceived received) {
    Turns applier = Objects.requireNonNull(turns, "turns");
    if (!activity.keepsSchedule()) {
      applier.submit(activity.instance(), received);
      return;
    }
    ScheduleTable keepers = Objects.requireNonNull(schedules, "schedules");
    if (!keepers.isSuperseded(activity.instance())) { // else its successor gets the event
      applier.submit(activity.instance(), received);
      keepers.recheck(activity.instance());
      starting.add(activity);
      ahead++;
    }
  }

  @Override
  public void evaluate(Activity about, Expression<?> part, Payload event, boolean ofInstance) {
    Instance instance = about.instance();
    Scope[] scope = {Scope.EMPTY};
    if (ofInstance) {
      valuePacking.withUnpacked(instance, () -> scope[0] = about.frozenScope());
    }
    Effect.Evaluate evaluate =
        new Effect.Evaluate(
            kernel,
            instance.id(),
            about.slot(),
            FILTER_ATTEMPT,
            about.name(),
            part,
            event,
            scope[0],
            ServiceBinder.serviceClass(instance));
    if (!lanes.evaluate(evaluate)) {
      throw new IllegalStateException(
          "expected room for the evaluation of a filter, but the lane out of kernel-"
              + kernel
              + " is full");
    }
  }

  @Override
  public long epochMillis() {
    return time.epochMillis();
  }
}
