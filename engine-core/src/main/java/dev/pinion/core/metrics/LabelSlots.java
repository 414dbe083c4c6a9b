package dev.pinion.core.metrics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Values of a label that come from users, with a bound: the first ones are exported by name, all
 * further ones together as {@value #OTHER}. A value keeps its slot, so that its counter never
 * decreases.
 *
 * <p>For any thread; writers of counters look a value up once and keep its slot.
 */
public final class LabelSlots {
  /** Value of the label for all that have no slot. */
  public static final String OTHER = "other";

  private final int named;
  private final Map<String, Integer> slots = new LinkedHashMap<>();

  /**
   * Slots for the values of a label.
   *
   * @param named number of values that are exported by name
   */
  public LabelSlots(int named) {
    this.named = named;
    slots.put(OTHER, 0);
  }

  /** Number of slots, with that of all others. */
  public int size() {
    return named + 1;
  }

  /** The slot of a value: its own, or 0 when all are taken. */
  public synchronized int slot(String value) {
    Integer known = slots.get(value);
    if (known != null) {
      return known;
    }
    if (slots.size() > named) {
      return 0;
    }
    int slot = slots.size();
    slots.put(value, slot);
    return slot;
  }

  /** The values by slot, first {@value #OTHER}. */
  public synchronized List<String> values() {
    return List.copyOf(slots.keySet());
  }
}
