package dev.pinion.core.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Assignment of the slots of partitions to replicas. A later version replaces an earlier one.
 *
 * @param version from 0
 * @param owners the replica of each slot, by its number
 */
public record SlotAssignment(int version, List<Integer> owners) {
  /** Copies the list. */
  public SlotAssignment {
    owners = List.copyOf(owners);
  }

  /** An assignment of each slot to its own replica. */
  public static SlotAssignment identity(int slots) {
    return new SlotAssignment(0, IntStream.range(0, slots).boxed().toList());
  }

  /**
   * Parses the text of an assignment: its version, and the replica of each slot, separated by
   * spaces.
   *
   * @throws IllegalArgumentException when the text is invalid, or for another number of slots
   */
  public static SlotAssignment parse(String text, int slots) {
    List<Integer> numbers = new ArrayList<>();
    for (String word : text.strip().split(" ", -1)) {
      numbers.add(Integer.valueOf(word));
    }
    if (numbers.size() != slots + 1 || numbers.stream().skip(1).anyMatch(each -> each >= slots)) {
      throw new IllegalArgumentException(
          "expected a version and a replica for each of " + slots + " slots, found " + text);
    }
    return new SlotAssignment(numbers.getFirst(), numbers.subList(1, numbers.size()));
  }

  /** The replica that holds the partitions of a slot. */
  public int owner(int slot) {
    return owners.get(slot);
  }

  /** The text for {@link #parse}. */
  @Override
  public String toString() {
    return version + owners.stream().map(each -> " " + each).collect(Collectors.joining());
  }
}
