package dev.pinion.core.kernel.listen;

import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import java.util.function.BooleanSupplier;

/** The kernel around the listeners, as the matcher of events needs it. */
public interface ListenerHost {
  /** Has the values of an instance at hand while conditions see them. */
  boolean withValues(Activity activity, BooleanSupplier look);

  /** Gives an instance an event: records and applies it. */
  void receive(Activity activity, Event.EventReceived received);

  /**
   * Has a part of a filter evaluated by another thread; its answer follows.
   *
   * @param ofInstance whether the part sees the variables of the activity
   */
  void evaluate(Activity about, Expression<?> part, Payload event, boolean ofInstance);

  /** Wall-clock time. */
  long epochMillis();
}
