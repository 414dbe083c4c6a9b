package dev.pinion.core.kernel;

import dev.pinion.core.model.InstanceId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Turns that a kernel surely ran, of which nothing is recorded: the first after an event that found
 * its instance with nothing ready. A kernel runs it at once with the event, and how far it goes
 * follows from the limits.
 *
 * <p>Further turns come when the kernel gets round to them; how far those came is recorded.
 * Instances are kept by their ids, so that the values of one that has ended are free.
 */
final class SureTurns {
  private Deque<Turn> older = new ArrayDeque<>();
  private Deque<Turn> newer = new ArrayDeque<>();

  /** A turn after so many events of an instance. */
  private record Turn(InstanceId id, int events) {}

  /** The turn after the last event of an instance. */
  void add(Instance instance) {
    newer.add(new Turn(instance.id, instance.events));
  }

  /**
   * Runs those that were added before the last call, unless a later event made them.
   *
   * @param instances gives an instance that is under way by its id
   */
  void run(Function<InstanceId, @Nullable Instance> instances, Consumer<Instance> stepper) {
    for (Turn turn = older.poll(); turn != null; turn = older.poll()) {
      Instance instance = instances.apply(turn.id);
      if (instance != null && instance.events == turn.events && !instance.hasEnded()) {
        stepper.accept(instance);
      }
    }
    Deque<Turn> empty = older;
    older = newer;
    newer = empty;
  }

  /** Forgets the turns of some instances: what follows tells of them anew. */
  void forget(Predicate<InstanceId> which) {
    older.removeIf(turn -> which.test(turn.id));
    newer.removeIf(turn -> which.test(turn.id));
  }

  /** Whether there are turns that wait to be run. */
  boolean isEmpty() {
    return older.isEmpty() && newer.isEmpty();
  }
}
