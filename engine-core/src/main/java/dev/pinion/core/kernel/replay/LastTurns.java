package dev.pinion.core.kernel.replay;

import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.model.InstanceId;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * For each partition, the unrecorded turn that a kernel ran at once with the partition's last
 * event, if the event found its instance with nothing ready. The partition's next record shows
 * whether all records made during the turn have been read: those of a partition are written by one
 * thread, in order.
 *
 * <p>So a replay runs each turn soon after its event, and does not keep every instance that ended
 * without a further record until it has read the whole journal.
 */
final class LastTurns {
  private final Int2ObjectHashMap<Turn> turns = new Int2ObjectHashMap<>();

  /** The turn after an event, by how far its instance had come. */
  record Turn(InstanceId id, int events, long advances) {
    /** Whether nothing was replayed of an instance since. */
    boolean isNextOf(Instance instance) {
      return !instance.hasEnded() && instance.events() == events && instance.advances() == advances;
    }
  }

  /** Sets the turn after the last event of an instance, which is the last of its partition. */
  void put(Instance instance) {
    turns.put(
        instance.id().partition(), new Turn(instance.id(), instance.events(), instance.advances()));
  }

  /**
   * Takes the turn that was over when a record was made.
   *
   * @param next the instance of the record
   * @return null when the turn belongs to that instance, or there is none
   */
  @Nullable Turn takeBefore(InstanceId next) {
    Turn turn = turns.get(next.partition());
    return turn == null || turn.id.equals(next) ? null : turns.remove(next.partition());
  }
}
