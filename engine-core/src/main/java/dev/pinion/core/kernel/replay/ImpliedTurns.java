package dev.pinion.core.kernel.replay;

import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.model.InstanceId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Unrecorded turns that a kernel surely ran: the first after an event that found its instance with
 * nothing ready. A kernel runs it at once with the event, and how far it goes follows from the
 * limits.
 *
 * <p>Further turns come when the kernel has time; their progress is recorded. Instances are kept by
 * their ids, so that the values of an ended one can be collected.
 */
final class ImpliedTurns {
  private Deque<Turn> older = new ArrayDeque<>();
  private Deque<Turn> newer = new ArrayDeque<>();

  /** Events whose turns are known to be over, by their instances, for as long as the turns. */
  private Map<InstanceId, Integer> overOlder = new HashMap<>();

  private Map<InstanceId, Integer> overNewer = new HashMap<>();

  /** The turn after an event, by its number in the instance. */
  private record Turn(InstanceId id, int events) {}

  /** Adds the turn after the last event of an instance. */
  void add(Instance instance) {
    newer.add(new Turn(instance.id(), instance.events()));
  }

  /**
   * Ends the turn after the last event of an instance: a record shows how far it had come when the
   * turn was over.
   */
  void over(Instance instance) {
    if (!isEmpty()) {
      overNewer.put(instance.id(), instance.events());
    }
  }

  private boolean isOver(Turn turn) {
    return Objects.equals(overOlder.get(turn.id), turn.events)
        || Objects.equals(overNewer.get(turn.id), turn.events);
  }

  /**
   * Runs the turns that were added before the previous call, unless a later event made them.
   *
   * @param instances returns a running instance by its id
   */
  void run(Function<InstanceId, @Nullable Instance> instances, Consumer<Instance> stepper) {
    for (Turn turn = older.poll(); turn != null; turn = older.poll()) {
      Instance instance = instances.apply(turn.id);
      if (instance != null
          && instance.events() == turn.events
          && !instance.hasEnded()
          && !isOver(turn)) {
        stepper.accept(instance);
      }
    }
    Deque<Turn> empty = older;
    older = newer;
    newer = empty;
    Map<InstanceId, Integer> past = overOlder;
    past.clear();
    overOlder = overNewer;
    overNewer = past;
  }

  /** Forgets the turns of some instances: the entries that follow contain them anew. */
  void forget(Predicate<InstanceId> which) {
    older.removeIf(turn -> which.test(turn.id));
    newer.removeIf(turn -> which.test(turn.id));
  }

  /** Whether there are no turns to run. */
  boolean isEmpty() {
    return older.isEmpty() && newer.isEmpty();
  }
}
