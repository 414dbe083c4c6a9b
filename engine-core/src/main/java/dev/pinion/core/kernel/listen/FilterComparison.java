package dev.pinion.core.kernel.listen;

import dev.pinion.core.graph.EventFilter;
import dev.pinion.core.model.Scope;
import dev.pinion.core.spi.EventSubscriber.LoggedEvent;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Comparison of the event that is looked at with the filters of single listeners. */
final class FilterComparison {
  /** No filter. */
  static final int NONE = -1;

  private final FilterEvaluation evaluation;
  private final ListenerHost host;

  FilterComparison(FilterEvaluation evaluation, ListenerHost host) {
    this.evaluation = evaluation;
    this.host = host;
  }

  /**
   * The subscriptions of a group whose filter the event passes by itself, and that expect its
   * values; null for none.
   */
  @Nullable FilterSubscriptions concerned(FilterGroup group) {
    EventFilter filter = group.filter;
    if (!evaluation.passes(filter.condition(), Scope.EMPTY)) {
      return null;
    }
    String key = filter.keys().isEmpty() ? null : evaluation.key(filter);
    return key == null && !filter.keys().isEmpty() ? null : group.find(key);
  }

  /**
   * Whether the event passes what a filter asks beside the event alone and the expected values.
   *
   * @param values values of the filter's correlations in the event
   */
  boolean passesRest(Listener listener, int number, List<String> values) {
    return isOpen(listener, number)
        && isCorrelated(listener, number, values)
        && passesOwn(listener, number);
  }

  private static boolean isOpen(Listener listener, int number) {
    return listener.subscriptions[number] != null;
  }

  private static EventFilter filter(Listener listener, int number) {
    return listener.task().filters().get(number);
  }

  private static boolean isCorrelated(Listener listener, int number, List<String> values) {
    List<EventFilter.EventCorrelation> correlations = filter(listener, number).correlations();
    for (int i = 0; i < correlations.size(); i++) {
      String fixed = listener.state.correlated(correlations.get(i).name());
      if (fixed != null && !fixed.equals(values.get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean passesOwn(Listener listener, int number) {
    EventFilter asked = filter(listener, number);
    return asked.own() == null
        || host.withValues(
            listener.activity, () -> evaluation.passes(asked.own(), listener.activity));
  }

  /**
   * The first filter of a listener that the event passes.
   *
   * @param passed a filter that it passes, or {@link #NONE} if none is known
   */
  int first(Listener listener, LoggedEvent event, int passed) {
    for (int precedence = 0; precedence < listener.subscriptions.length; precedence++) {
      int number = listener.filterAt(precedence);
      if (number == passed || passes(listener, event, number)) {
        return number;
      }
    }
    return passed;
  }

  private boolean passes(Listener listener, LoggedEvent event, int number) {
    EventFilter asked = filter(listener, number);
    if (!isOpen(listener, number)
        || (asked.type() != null && !asked.type().equals(event.type()))
        || !evaluation.passes(asked.condition(), Scope.EMPTY)
        || (!asked.keys().isEmpty()
            && !Objects.equals(evaluation.key(asked), listener.state.key(number)))) {
      return false;
    }
    List<String> values = evaluation.correlated(asked);
    return values != null && passesRest(listener, number, values);
  }

  /** The values of a filter's correlations in the event, which passes it. */
  List<String> correlated(Listener listener, int number) {
    return Objects.requireNonNull(
        evaluation.correlated(filter(listener, number)), "values of correlations");
  }
}
