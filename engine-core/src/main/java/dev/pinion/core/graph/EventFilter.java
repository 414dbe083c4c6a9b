package dev.pinion.core.graph;

import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Filter of the events that a task listens to (DSL reference, "Event Filter"). Immutable.
 *
 * @param type the type that an event must have, or null when the definition does not fix it
 * @param condition condition on the event alone, the same for every instance; null for every event
 * @param own condition on the event that sees the variables of the task, or null
 * @param keys what must be equal to values of the task, known when it begins to listen
 * @param correlations what must be equal in all events that the task consumes
 */
public record EventFilter(
    @Nullable String type,
    @Nullable Expression<Boolean> condition,
    @Nullable Expression<Boolean> own,
    List<EventKey> keys,
    List<EventCorrelation> correlations) {
  /** A filter that lets every event pass. */
  public static final EventFilter EVERY = new EventFilter(null, null, null, List.of(), List.of());

  /** Copies the lists. */
  public EventFilter {
    keys = List.copyOf(keys);
    correlations = List.copyOf(correlations);
  }

  /**
   * A part of the event that must be equal to a value of the task.
   *
   * @param from takes the part from the event; JSON null, or an error, is equal to nothing
   * @param expect the value, evaluated once on the input of the task
   */
  public record EventKey(Expression<Payload> from, Expression<Payload> expect) {}

  /**
   * A part of the event that must be equal in all events that the task consumes: the first fixes
   * it.
   *
   * @param name name of the correlation, common to the filters of a task
   * @param from takes the part from the event; JSON null, or an error, is equal to nothing
   */
  public record EventCorrelation(String name, Expression<Payload> from) {}
}
