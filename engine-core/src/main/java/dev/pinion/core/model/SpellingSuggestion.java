package dev.pinion.core.model;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Finder of the probable correction of a misspelt word. */
public final class SpellingSuggestion {
  /** Longest word that is compared, as a comparison takes its square in time and memory. */
  static final int MAX_CHARS = 100;

  /** Most candidates that one word is compared with. */
  static final int MAX_COMPARED = 1_000;

  private SpellingSuggestion() {}

  /** The candidate closest to a word by edit distance, or null when none is close. */
  public static @Nullable String of(String word, Collection<String> candidates) {
    String best = null;
    int bestDistance = word.length() > MAX_CHARS ? 0 : Math.max(2, word.length() / 3) + 1;
    int compared = 0;
    for (String candidate : candidates) {
      if (Math.abs(word.length() - candidate.length()) >= bestDistance) {
        continue; // at least as far as the lengths differ
      }
      if (++compared > MAX_COMPARED) {
        break;
      }
      int distance = distance(word, candidate);
      boolean alike = distance < Math.max(word.length(), candidate.length());
      if (alike && distance < bestDistance) {
        bestDistance = distance;
        best = candidate;
      }
    }
    return best;
  }

  /** A clause for an error message: the nearest candidate, or all of them when none is close. */
  public static String hint(String word, Collection<String> candidates) {
    String nearest = of(word, candidates);
    return nearest == null
        ? "known are " + String.join(", ", candidates)
        : "did you mean \"" + nearest + "\"?";
  }

  /** Edit distance where swapping two neighbours counts as one edit (optimal string alignment). */
  static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      cost[i][0] = i;
    }
    for (int j = 0; j <= b.length(); j++) {
      cost[0][j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      for (int j = 1; j <= b.length(); j++) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int least =
            Math.min(
                Math.min(cost[i - 1][j], cost[i][j - 1]) + 1, cost[i - 1][j - 1] + (same ? 0 : 1));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          least = Math.min(least, cost[i - 2][j - 2] + 1);
        }
        cost[i][j] = least;
      }
    }
    return cost[a.length()][b.length()];
  }
}
