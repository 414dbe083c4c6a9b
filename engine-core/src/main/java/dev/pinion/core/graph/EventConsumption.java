package dev.pinion.core.graph;

import dev.pinion.core.model.Expression;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events that a task consumes (DSL reference, "Event Consumption Strategy"). Immutable.
 *
 * @param strategy how many events are consumed
 * @param filters filters of these events
 * @param until condition on the consumed events that ends the task, or null
 * @param end events that end the task and are not part of its output, or null
 */
public record EventConsumption(
    Strategy strategy,
    List<EventFilter> filters,
    @Nullable Expression<Boolean> until,
    @Nullable EventConsumption end) {
  /** Copies the list. */
  public EventConsumption {
    filters = List.copyOf(filters);
  }

  /** How many events are consumed. */
  public enum Strategy {
    /** One event. */
    ONE,
    /** One event for each filter. */
    ALL,
    /** One event, or every one until an end. */
    ANY
  }

  /** Whether it goes on after the first event. */
  public boolean isOpenEnded() {
    return strategy == Strategy.ANY && (until != null || end != null);
  }

  /** All filters by their numbers: those of consumed events, then those of the end. */
  public List<EventFilter> allFilters() {
    if (end == null) {
      return filters;
    }
    List<EventFilter> all = new ArrayList<>(filters);
    all.addAll(end.filters);
    return List.copyOf(all);
  }
}
