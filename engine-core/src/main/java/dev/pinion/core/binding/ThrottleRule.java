package dev.pinion.core.binding;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Treatment of starts beyond the contracted rate. */
public enum ThrottleRule {
  /** The rate is not checked. */
  OFF,
  /** They are counted. */
  REPORT,
  /** They are counted and refused. */
  REFUSE;

  /** The name in settings, such as {@code refuse}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The rule of a name, or nothing when there is none. */
  public static Optional<ThrottleRule> of(String label) {
    return Arrays.stream(values()).filter(rule -> rule.label().equals(label)).findFirst();
  }

  /** All names. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(ThrottleRule::label).toList();
  }
}
