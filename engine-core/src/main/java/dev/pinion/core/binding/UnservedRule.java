package dev.pinion.core.binding;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Treatment of a definition that names an abstract service which nothing serves. */
public enum UnservedRule {
  /** It is deployed, and the response contains a warning. */
  WARN,
  /** It is refused. */
  REFUSE;

  /** The name in settings, such as {@code warn}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The rule of a name, or nothing when there is none. */
  public static Optional<UnservedRule> of(String label) {
    return Arrays.stream(values()).filter(rule -> rule.label().equals(label)).findFirst();
  }

  /** All names. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(UnservedRule::label).toList();
  }
}
