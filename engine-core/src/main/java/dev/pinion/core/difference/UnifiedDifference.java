package dev.pinion.core.difference;

import java.util.Arrays;
import java.util.List;

/** The differences of two texts in the unified format of {@code diff -u}. */
public final class UnifiedDifference {
  /** Equal lines around each difference. */
  private static final int CONTEXT = 3;

  private static final String NO_NEWLINE = "\\ No newline at end of file\n";

  private final List<String> from;
  private final List<String> to;
  private final StringBuilder out = new StringBuilder();

  private UnifiedDifference(List<String> from, List<String> to) {
    this.from = from;
    this.to = to;
  }

  /**
   * The differences; empty when the texts are equal.
   *
   * @param fromName name of the first text
   * @param toName name of the second text
   */
  public static String of(String fromName, String from, String toName, String to) {
    UnifiedDifference difference = new UnifiedDifference(lines(from), lines(to));
    List<Edit> edits = SequenceDifference.of(difference.from, difference.to);
    if (edits.isEmpty()) {
      return "";
    }
    difference.out.append("--- ").append(fromName).append('\n');
    difference.out.append("+++ ").append(toName).append('\n');
    for (int first = 0; first < edits.size(); ) {
      int next = difference.endOfHunk(edits, first);
      difference.hunk(edits.subList(first, next));
      first = next;
    }
    return difference.out.toString();
  }

  /** Lines with their ends, so that a missing last one is a difference. */
  private static List<String> lines(String text) {
    return Arrays.stream(text.split("(?<=\n)", -1)).filter(line -> !line.isEmpty()).toList();
  }

  /** Differences whose context would touch are one hunk. */
  private int endOfHunk(List<Edit> edits, int first) {
    int next = first + 1;
    while (next < edits.size()
        && edits.get(next).from() - edits.get(next - 1).fromEnd() <= 2 * CONTEXT) {
      next++;
    }
    return next;
  }

  private void hunk(List<Edit> edits) {
    Edit first = edits.getFirst();
    Edit last = edits.getLast();
    int before = Math.min(CONTEXT, first.from());
    int after = Math.min(CONTEXT, from.size() - last.fromEnd());
    out.append("@@ -");
    range(first.from() - before, last.fromEnd() + after);
    out.append(" +");
    range(first.to() - before, last.toEnd() + after);
    out.append(" @@\n");
    int position = first.from() - before;
    for (Edit edit : edits) {
      add(' ', from, position, edit.from());
      add('-', from, edit.from(), edit.fromEnd());
      add('+', to, edit.to(), edit.toEnd());
      position = edit.fromEnd();
    }
    add(' ', from, position, last.fromEnd() + after);
  }

  /** Lines are counted from 1; an empty range is named by the line before it. */
  private void range(int begin, int end) {
    out.append(begin == end ? begin : begin + 1);
    if (end - begin != 1) {
      out.append(',').append(end - begin);
    }
  }

  private void add(char mark, List<String> of, int begin, int end) {
    for (String line : of.subList(begin, end)) {
      out.append(mark).append(line);
      if (!line.endsWith("\n")) {
        out.append('\n').append(NO_NEWLINE);
      }
    }
  }
}
