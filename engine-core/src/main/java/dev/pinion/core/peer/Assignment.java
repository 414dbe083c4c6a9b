package dev.pinion.core.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Assignment of the slots of partitions to replicas. A later version replaces an earlier one.
 *
 * @param version from 0
 * @param holders the replica of each slot, by its number
 */
public record Assignment(int version, List<Integer> holders) {
  /** Copies the list. */
  public Assignment {
    holders = List.copyOf(holders);
  }

  /** An assignment of each slot to its own replica. */
  public static Assignment own(int slots) {
    return new Assignment(0, IntStream.range(0, slots).boxed().toList());
  }

  /**
   * Parses the text of an assignment: its version, and the replica of each slot, separated by
   * spaces.
   *
   * @throws IllegalArgumentException when the text is invalid, or for another number of slots
   */
  public static Assignment parse(String text, int slots) {
    List<Integer> numbers = new ArrayList<>();
    for (String word : text.strip().split(" ", -1)) {
      numbers.add(Integer.valueOf(word));
    }
    if (numbers.size() != slots + 1 || numbers.stream().skip(1).anyMatch(each -> each >= slots)) {
      throw new IllegalArgumentException(
          "expected a version and a replica for each of " + slots + " slots, found " + text);
    }
    return new Assignment(numbers.getFirst(), numbers.subList(1, numbers.size()));
  }

  /** The replica that holds the partitions of a slot. */
  public int holder(int slot) {
    return holders.get(slot);
  }

  /** The text for {@link #parse}. */
  @Override
  public String toString() {
    return version + holders.stream().map(each -> " " + each).collect(Collectors.joining());
  }
}
