package dev.pinion.core.kernel.step.attempt;

import java.util.Arrays;

/**
 * Numbers of calls made inside a {@code try}: for each task that calls, in any of its runs, the
 * most attempts. One entry for each task of the body that has made calls.
 */
public final class CallAttemptCounts {
  private static final int[] NONE = {};
  private static final int FIELDS = 3;

  /** Task, most attempts before this attempt of the try, most attempts by now; for each task. */
  private int[] entries = NONE;

  /** Begins another attempt of the try: attempts of its calls continue to count from here. */
  void beginAttempt() {
    for (int i = 0; i < entries.length; i += FIELDS) {
      entries[i + 1] = entries[i + 2];
    }
  }

  /** Most attempts of a task's calls before this attempt of the try. */
  public int before(int task) {
    int at = indexOf(task);
    return at < 0 ? 0 : entries[at + 1];
  }

  /** Records the end of a task's call with its total number of attempts. */
  public void ended(int task, int attempts) {
    int at = indexOf(task);
    if (at < 0) {
      add(task, 0, attempts);
    } else {
      entries[at + 2] = Math.max(entries[at + 2], attempts);
    }
  }

  private void add(int task, int before, int most) {
    int at = entries.length;
    entries = Arrays.copyOf(entries, at + FIELDS);
    entries[at] = task;
    entries[at + 1] = before;
    entries[at + 2] = most;
  }

  /** All entries, in the form for {@link #restore}; not to be modified. */
  public int[] entries() {
    return entries;
  }

  /** Restores what {@link #entries} returned; returns whether it is valid. */
  public boolean restore(int[] written) {
    entries = written;
    return written.length % FIELDS == 0;
  }

  private int indexOf(int task) {
    for (int i = 0; i < entries.length; i += FIELDS) {
      if (entries[i] == task) {
        return i;
      }
    }
    return -1;
  }
}
