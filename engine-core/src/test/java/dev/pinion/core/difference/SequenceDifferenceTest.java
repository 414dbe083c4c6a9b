package dev.pinion.core.difference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SequenceDifferenceTest {
  private static List<String> letters(String text) {
    return text.chars().mapToObj(c -> String.valueOf((char) c)).toList();
  }

  private static int steps(List<Edit> edits) {
    return edits.stream().mapToInt(edit -> edit.removed() + edit.added()).sum();
  }

  /** Makes the second sequence of the first one by the edits. */
  private static <T> List<T> edited(List<T> from, List<T> to, List<Edit> edits) {
    List<T> made = new ArrayList<>();
    int position = 0;
    for (Edit edit : edits) {
      assertTrue(edit.from() >= position && edit.fromEnd() >= edit.from(), edits::toString);
      made.addAll(from.subList(position, edit.from()));
      assertEquals(made.size(), edit.to(), edits::toString);
      made.addAll(to.subList(edit.to(), edit.toEnd()));
      position = edit.fromEnd();
    }
    made.addAll(from.subList(position, from.size()));
    return made;
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', 0",
    "abc, abc, 0",
    "'', abc, 3",
    "abc, '', 3",
    "abc, xyz, 6",
    "abcabba, cbabac, 5",
    "abc, abxc, 1",
    "abxc, abc, 1",
    "aab, ab, 1",
    "ab, ba, 2",
    "aaaa, aa, 2"
  })
  void shouldFindTheFewestSteps(String from, String to, int fewest) {
    List<Edit> edits = SequenceDifference.of(letters(from), letters(to));

    assertEquals(fewest, steps(edits));
    assertEquals(letters(to), edited(letters(from), letters(to), edits));
  }

  @Test
  void shouldTellWhatMakesOneOfAnother() {
    long seed = Long.getLong("pinion.seed", 7);
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      List<Integer> from = sequence(random);
      List<Integer> to = sequence(random);
      List<Edit> edits = SequenceDifference.of(from, to);

      String what = "seed " + seed + ": " + from + " " + to + " " + edits;
      assertEquals(to, edited(from, to, edits), what);
      assertEquals(fewest(from, to), steps(edits), what);
    }
  }

  private static List<Integer> sequence(Random random) {
    return random.ints(random.nextInt(12), 0, 4).boxed().toList();
  }

  /** By the table of all common subsequences. */
  private static int fewest(List<Integer> from, List<Integer> to) {
    int[] longest = new int[to.size() + 1];
    for (Integer item : from) {
      int[] before = Arrays.copyOf(longest, longest.length);
      for (int j = 0; j < to.size(); j++) {
        longest[j + 1] =
            item.equals(to.get(j)) ? before[j] + 1 : Math.max(before[j + 1], longest[j]);
      }
    }
    return from.size() + to.size() - 2 * longest[to.size()];
  }

  @Test
  void shouldTellAWholeWhereTooMuchDiffers() {
    int half = SequenceDifference.MAX_STEPS / 2;
    List<Integer> from = IntStream.range(0, half).boxed().toList();
    List<Integer> to = IntStream.range(0, half).map(i -> -1 - i).boxed().toList();
    assertEquals(List.of(new Edit(0, half, 0, half)), SequenceDifference.of(from, to));

    List<Integer> long1 = IntStream.range(0, 200_000).boxed().toList();
    List<Integer> long2 =
        IntStream.range(0, 200_000).map(i -> i % 2 == 0 ? i : -i).boxed().toList();
    List<Edit> edits = SequenceDifference.of(long1, long2);
    assertEquals(List.of(new Edit(1, 200_000, 1, 200_000)), edits);
    assertEquals(long2, edited(long1, long2, edits));
  }

  @Test
  void shouldTellEachOfTheMostSteps() {
    int most = SequenceDifference.MAX_STEPS;
    List<Integer> from = IntStream.range(0, 3 * most).boxed().toList();
    List<Integer> within = from.stream().filter(i -> i % 3 != 1 || i >= 3 * most - 3).toList();
    assertEquals(most - 1, SequenceDifference.of(from, within).size());
    List<Integer> at = from.stream().filter(i -> i % 3 != 1).toList();
    assertEquals(most, SequenceDifference.of(from, at).size());
    List<Integer> beyond = new ArrayList<>(at);
    beyond.add(1, -1);
    assertEquals(1, SequenceDifference.of(from, beyond).size());
    assertEquals(beyond, edited(from, beyond, SequenceDifference.of(from, beyond)));
  }
}
