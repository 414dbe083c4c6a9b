package dev.pinion.core.kernel.listen;

import dev.pinion.core.graph.EventFilter;
import java.util.HashSet;
import java.util.Set;

/** A listener that may receive events from before it began. */
final class Latecomer {
  final Listener listener;

  /** Types of these events; empty when one of its filters asks for no type. */
  final Set<String> types;

  /** Position of the last kept event that it was compared with. */
  long comparedUpTo;

  Latecomer(Listener listener) {
    this.listener = listener;
    this.types = types(listener);
  }

  private static Set<String> types(Listener listener) {
    Set<String> types = new HashSet<>();
    for (EventFilter filter : listener.task().filters()) {
      if (filter.type() == null) {
        return Set.of();
      }
      types.add(filter.type());
    }
    return Set.copyOf(types);
  }
}
