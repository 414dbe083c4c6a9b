package dev.pinion.core.difference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The fewest insertions and deletions that make one sequence the other, by the greedy algorithm of
 * Myers (1986). Sequences with more than a bound of them differ as a whole between their common
 * beginning and end: time and memory stay bounded, and the result is true all the same.
 */
final class SequenceDifference {
  /** Most insertions and deletions that are told one by one. */
  static final int MAX_STEPS = 1_000;

  private final int[] a;
  private final int[] b;
  private final int start;
  private final int endA;
  private final int endB;

  private SequenceDifference(int[] a, int[] b) {
    this.a = a;
    this.b = b;
    int shorter = Math.min(a.length, b.length);
    int mismatch = Arrays.mismatch(a, 0, shorter, b, 0, shorter);
    this.start = mismatch < 0 ? shorter : mismatch;
    int common = 0;
    while (common < shorter - start && a[a.length - 1 - common] == b[b.length - 1 - common]) {
      common++;
    }
    this.endA = a.length - common;
    this.endB = b.length - common;
  }

  /** The differing parts, in order; none when the sequences are equal. */
  static <T> List<Edit> of(List<T> first, List<T> second) {
    Map<T, Integer> numbers = new HashMap<>();
    return new SequenceDifference(numbered(first, numbers), numbered(second, numbers)).edits();
  }

  /** Equal items get equal numbers, so that each is hashed once. */
  private static <T> int[] numbered(List<T> items, Map<T, Integer> numbers) {
    int[] found = new int[items.size()];
    for (int i = 0; i < found.length; i++) {
      found[i] = numbers.computeIfAbsent(items.get(i), _ -> numbers.size());
    }
    return found;
  }

  private List<Edit> edits() {
    if (start == endA && start == endB) {
      return List.of();
    }
    if (start == endA || start == endB) {
      return List.of(new Edit(start, endA, start, endB));
    }
    List<int[]> trace = trace();
    return trace.isEmpty() ? List.of(new Edit(start, endA, start, endB)) : backtrack(trace);
  }

  /**
   * For each number of steps the furthest positions in the first sequence, by diagonal; empty when
   * the bound is reached first.
   */
  private List<int[]> trace() {
    int most = Math.min(MAX_STEPS, endA - start + endB - start);
    List<int[]> trace = new ArrayList<>();
    int[] before = {0, 0, 0};
    for (int steps = 0; steps <= most; steps++) {
      int[] furthest = new int[2 * steps + 3];
      trace.add(furthest);
      for (int diagonal = -steps; diagonal <= steps; diagonal += 2) {
        int x = advanced(next(before, steps, diagonal), diagonal);
        furthest[diagonal + steps + 1] = x;
        if (start + x == endA && start + x - diagonal == endB) {
          return trace;
        }
      }
      before = furthest;
    }
    return List.of();
  }

  /** The position on a diagonal after one more step than those before. */
  private static int next(int[] before, int steps, int diagonal) {
    if (steps == 0) {
      return 0;
    }
    int middle = diagonal + steps; // of the row before, whose first entry is diagonal -steps
    return insertion(before, steps, diagonal) ? before[middle + 1] : before[middle - 1] + 1;
  }

  /** Whether the best way to a diagonal inserts an item of the second sequence. */
  private static boolean insertion(int[] before, int steps, int diagonal) {
    int middle = diagonal + steps;
    return diagonal == -steps || (diagonal != steps && before[middle - 1] < before[middle + 1]);
  }

  /** The position after the equal items that follow. */
  private int advanced(int from, int diagonal) {
    int x = from;
    while (start + x < endA
        && start + x - diagonal < endB
        && a[start + x] == b[start + x - diagonal]) {
      x++;
    }
    return x;
  }

  private List<Edit> backtrack(List<int[]> trace) {
    List<Edit> reversed = new ArrayList<>();
    int diagonal = endA - endB;
    for (int steps = trace.size() - 1; steps > 0; steps--) {
      int[] before = trace.get(steps - 1);
      boolean insertion = insertion(before, steps, diagonal);
      int from = start + next(before, steps, diagonal) - (insertion ? 0 : 1);
      diagonal += insertion ? 1 : -1;
      int to = from - diagonal;
      prepend(reversed, new Edit(from, from + (insertion ? 0 : 1), to, to + (insertion ? 1 : 0)));
    }
    return reversed.reversed();
  }

  /** Adds a step before the others, as part of an edit that it touches. */
  private static void prepend(List<Edit> reversed, Edit step) {
    if (!reversed.isEmpty()) {
      Edit later = reversed.getLast();
      if (later.from() == step.fromEnd() && later.to() == step.toEnd()) {
        reversed.set(
            reversed.size() - 1, new Edit(step.from(), later.fromEnd(), step.to(), later.toEnd()));
        return;
      }
    }
    reversed.add(step);
  }
}
