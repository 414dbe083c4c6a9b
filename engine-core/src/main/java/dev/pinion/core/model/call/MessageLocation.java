package dev.pinion.core.model.call;

import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Place of a value in messages, as runtime expressions of AsyncAPI name it: {@code
 * $message.header#/id}, {@code $message.payload#/user/id}. Immutable.
 *
 * @param inHeaders whether it is in the headers, rather than in the payload
 * @param path names of members and positions of items, from the outside to the inside
 */
public record MessageLocation(boolean inHeaders, List<String> path) {
  private static final Pattern EXPRESSION =
      Pattern.compile("\\$message\\.(header|payload)(?:#((?:/[^/]*)*))?");

  /** Copies the path. */
  public MessageLocation {
    path = List.copyOf(path);
  }

  /** The place that an expression names; null when it is no such expression. */
  public static @Nullable MessageLocation of(String expression) {
    Matcher matcher = EXPRESSION.matcher(expression);
    if (!matcher.matches()) {
      return null;
    }
    String pointer = matcher.group(2);
    List<String> path = new ArrayList<>();
    if (pointer != null && !pointer.isEmpty()) {
      for (String part : pointer.substring(1).split("/", -1)) {
        path.add(part.replace("~1", "/").replace("~0", "~"));
      }
    }
    return new MessageLocation(matcher.group(1).equals("header"), path);
  }

  /**
   * The value in a message.
   *
   * @param headers the headers, an object
   * @return null when there is none
   */
  public @Nullable Payload find(Payload payload, Payload headers) {
    return (inHeaders ? headers : payload).at(path);
  }
}
