package dev.pinion.core.schedule;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What happens to a run that is due while an earlier one of the same schedule is under way. */
public enum OverlapPolicy {
  /** It begins all the same. */
  ALLOW,
  /** It is left out. */
  SKIP,
  /** It begins when the earlier one has ended. */
  QUEUE;

  /** The word of the language. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The words of all policies; the first one is the default. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(OverlapPolicy::label).toList();
  }

  /** The policy of a word, which is one of {@link #labels}. */
  public static OverlapPolicy of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
