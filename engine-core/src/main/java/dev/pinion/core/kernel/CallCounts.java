package dev.pinion.core.kernel;

import java.util.Arrays;

/**
 * How often calls were made inside a {@code try}: for each task that calls, in any of its runs, the
 * most attempts. As many entries as the body has tasks that have called.
 */
final class CallCounts {
  private static final int[] NONE = {};
  private static final int FIELDS = 3;

  /** Task, most attempts before this attempt of the try, most attempts by now; for each task. */
  private int[] entries = NONE;

  /** Another attempt of the try begins: attempts of its calls count on from here. */
  void beginAttempt() {
    for (int i = 0; i < entries.length; i += FIELDS) {
      entries[i + 1] = entries[i + 2];
    }
  }

  /** The most attempts of a task's calls before this attempt of the try. */
  int before(int task) {
    int at = indexOf(task);
    return at < 0 ? 0 : entries[at + 1];
  }

  /** A task's call has ended, which was made so often in all. */
  void ended(int task, int attempts) {
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

  /** All of it, as {@link #restore} takes it; not to be changed. */
  int[] entries() {
    return entries;
  }

  /** Takes over what {@link #entries} were; returns whether they can have been. */
  boolean restore(int[] written) {
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
