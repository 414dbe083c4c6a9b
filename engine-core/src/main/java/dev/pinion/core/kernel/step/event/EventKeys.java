package dev.pinion.core.kernel.step.event;

import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Values of events as texts, and several as one, which is the same only for the same values. */
public final class EventKeys {
  /** Weight of a character of a value, at most: an escape in JSON. */
  private static final int WEIGHT_OF_CHAR = 6;

  private EventKeys() {}

  /** The text of a value; null when it has more characters, which are not made then. */
  public static @Nullable String text(Payload value, int mostChars) {
    if (!value.isWithin(WEIGHT_OF_CHAR * mostChars + 2, Integer.MAX_VALUE, Integer.MAX_VALUE)) {
      return null;
    }
    String text = value.comparableText();
    return text.length() <= mostChars ? text : null;
  }

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

  /** The values of which {@link #joined} made a text. */
  public static List<String> split(String joined, int count) {
    if (count == 1) {
      return List.of(joined);
    }
    List<String> values = new ArrayList<>(count);
    int from = 0;
    for (int i = 0; i < count; i++) {
      int colon = joined.indexOf(':', from);
      int end = colon + 1 + Integer.parseInt(joined, from, colon, 10);
      values.add(joined.substring(colon + 1, end));
      from = end;
    }
    return values;
  }
}
