package dev.pinion.core.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Turns that a kernel surely ran, of which nothing is recorded: the first after an event that found
 * its instance with nothing ready. A kernel runs it at once with the event, and how far it goes
 * follows from the limits.
 *
 * <p>Further turns come when the kernel gets round to them; how far those came is recorded.
 */
final class SureTurns {
  private List<Turn> older = new ArrayList<>();
  private List<Turn> newer = new ArrayList<>();

  /** A turn after so many events of an instance. */
  private record Turn(Instance instance, int events) {}

  /** The turn after the last event of an instance. */
  void add(Instance instance) {
    newer.add(new Turn(instance, instance.events));
  }

  /** Runs those that were added before the last call, unless a later event made them. */
  void run(Consumer<Instance> stepper) {
    for (Turn turn : older) {
      if (turn.instance.events == turn.events && !turn.instance.hasEnded()) {
        stepper.accept(turn.instance);
      }
    }
    older = newer;
    newer = new ArrayList<>();
  }

  /** Whether there are turns that wait to be run. */
  boolean isEmpty() {
    return older.isEmpty() && newer.isEmpty();
  }
}
