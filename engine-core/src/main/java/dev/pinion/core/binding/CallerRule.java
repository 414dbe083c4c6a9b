package dev.pinion.core.binding;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Source of an instance's service class. */
public enum CallerRule {
  /** A label of the client, which is trusted. */
  LABEL,
  /** The contract of the caller; the default class for callers without one. */
  CONTRACT,
  /** The contract of the caller; callers without one are refused. */
  CONTRACT_ONLY;

  /** The name in settings, such as {@code contract-only}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The rule of a name, or nothing when there is none. */
  public static Optional<CallerRule> of(String label) {
    return Arrays.stream(values()).filter(rule -> rule.label().equals(label)).findFirst();
  }

  /** All names. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(CallerRule::label).toList();
  }
}
