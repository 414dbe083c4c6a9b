package dev.pinion.core.kernel.step;

import java.util.List;

/** Several values as one text, which is the same only for the same values. */
public final class EventKeys {
  private EventKeys() {}

  /** The text of some values, at least one. */
  public static String joined(List<String> values) {
    if (values.size() == 1) {
      return values.getFirst();
    }
    StringBuilder joined = new StringBuilder();
    for (String value : values) {
      joined.append(value.length()).append(':').append(value);
    }
    return joined.toString();
  }
}
