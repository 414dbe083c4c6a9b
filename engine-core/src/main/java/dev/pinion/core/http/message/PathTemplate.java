package dev.pinion.core.http.message;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A path whose segments are either literal or a variable in braces, as OpenAPI writes them. */
public final class PathTemplate {
  private final String text;
  private final String[] segments;
  private final List<String> variables = new ArrayList<>();

  public PathTemplate(String text) {
    this.text = text;
    this.segments = text.substring(1).split("/", -1);
    for (String segment : segments) {
      if (segment.startsWith("{")) {
        variables.add(segment.substring(1, segment.length() - 1));
      }
    }
  }

  /** The values of the variables in order, or null when the path does not match. */
  public @Nullable List<String> match(List<String> path) {
    if (path.size() != segments.length) {
      return null;
    }
    for (int i = 0; i < segments.length; i++) {
      boolean fits = isVariable(i) ? !path.get(i).isEmpty() : segments[i].equals(path.get(i));
      if (!fits) {
        return null;
      }
    }
    List<String> values = new ArrayList<>(variables.size());
    for (int i = 0; i < segments.length; i++) {
      if (isVariable(i)) {
        values.add(path.get(i));
      }
    }
    return values;
  }

  private boolean isVariable(int segment) {
    return segments[segment].startsWith("{");
  }

  /** Names of the variables in order. */
  public List<String> variables() {
    return variables;
  }

  @Override
  public String toString() {
    return text;
  }
}
