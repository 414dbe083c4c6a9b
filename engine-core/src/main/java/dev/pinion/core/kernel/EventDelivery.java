package dev.pinion.core.kernel;

import dev.pinion.core.kernel.listen.ListenerHost;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.ValuePacking;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Gives instances the events that they listen to. Kernel thread only. */
final class EventDelivery implements ListenerHost {
  /** Number of evaluations for filters; those of instances begin at 1. */
  static final int FILTER_ATTEMPT = 0;

  private final int kernel;
  private final EffectLanes outlets;
  private final ValuePacking valuePacking;
  private final CycleTime time;
  private @Nullable Turns turns;

  EventDelivery(int kernel, EffectLanes outlets, ValuePacking valuePacking, CycleTime time) {
    this.kernel = kernel;
    this.outlets = outlets;
    this.valuePacking = valuePacking;
    this.time = time;
  }

  /** Sets what applies events. Before the first one. */
  void attach(Turns applier) {
    turns = applier;
  }

  @Override
  public boolean withValues(Activity activity, BooleanSupplier look) {
    boolean[] seen = new boolean[1];
    valuePacking.withUnpacked(activity.instance(), () -> seen[0] = look.getAsBoolean());
    return seen[0];
  }

  @Override
  public void receive(Activity activity, Event.EventReceived received) {
    Objects.requireNonNull(turns, "turns").submit(activity.instance(), received);
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
    if (!outlets.evaluate(evaluate)) {
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
