package dev.pinion.handlers.api;

import java.util.List;

/**
 * A part of a message that handlers read or write. Two handlers conflict where their slots overlap.
 *
 * <table>
 * <caption>Slots as text</caption>
 * <tr><td>{@code property:http.method}</td><td>one property</td></tr>
 * <tr><td>{@code property:header.*}</td><td>every property with this prefix</td></tr>
 * <tr><td>{@code bytes}</td><td>the body as transmitted, with its media type</td></tr>
 * <tr><td>{@code body:}</td><td>the body as a JSON value</td></tr>
 * <tr><td>{@code body:/order/total}</td><td>a part of it, by JSON pointer (RFC 6901)</td></tr>
 * </table>
 */
public sealed interface Slot {
  /** Whether some part of a message belongs to both slots. */
  boolean overlaps(Slot other);

  /** Whether every part of a message that belongs to the other slot belongs to this one. */
  boolean covers(Slot other);

  /** The body as transmitted. */
  static Slot bytes() {
    return new Bytes();
  }

  /** A part of the JSON body. */
  static Slot body(String pointer) {
    return new Json(JsonPointer.parse(pointer));
  }

  /** A property, or with a {@code *} at the end every property whose name begins with the rest. */
  static Slot property(String name) {
    boolean prefix = name.endsWith("*");
    return new Property(prefix ? name.substring(0, name.length() - 1) : name, prefix);
  }

  /**
   * Reads the output of a slot's {@link Object#toString}.
   *
   * @throws IllegalArgumentException when it is something else
   */
  static Slot parse(String text) {
    if (text.equals("bytes")) {
      return bytes();
    }
    if (text.startsWith("body:")) {
      return body(text.substring("body:".length()));
    }
    if (text.startsWith("property:") && text.length() > "property:".length()) {
      return property(text.substring("property:".length()));
    }
    throw new IllegalArgumentException(
        "expected a slot such as property:http.method, property:header.*, bytes or body:/order,"
            + " found \""
            + text
            + "\"");
  }

  /**
   * One or several properties.
   *
   * @param name the name, or a prefix of names
   * @param prefix whether all names with the prefix are included
   */
  record Property(String name, boolean prefix) implements Slot {
    /** Checks the name. */
    public Property {
      if (name.indexOf('*') >= 0 || (name.isEmpty() && !prefix)) {
        throw new IllegalArgumentException(
            "expected the name of a property, with a * at its end or none, found \"" + name + "\"");
      }
    }

    @Override
    public boolean overlaps(Slot other) {
      return covers(other) || other.covers(this);
    }

    @Override
    public boolean covers(Slot other) {
      return other instanceof Property property
          && (prefix ? property.name.startsWith(name) : equals(property));
    }

    @Override
    public String toString() {
      return "property:" + name + (prefix ? "*" : "");
    }
  }

  /** The body as transmitted; it includes every part of the JSON body. */
  record Bytes() implements Slot {
    @Override
    public boolean overlaps(Slot other) {
      return !(other instanceof Property);
    }

    @Override
    public boolean covers(Slot other) {
      return !(other instanceof Property);
    }

    @Override
    public String toString() {
      return "bytes";
    }
  }

  /**
   * A part of the JSON body, with everything below it.
   *
   * @param path names of members and indices of items, from the outermost to the innermost; empty
   *     for the whole
   */
  record Json(List<String> path) implements Slot {
    /** Copies the path. */
    public Json {
      path = List.copyOf(path);
    }

    @Override
    public boolean overlaps(Slot other) {
      return covers(other) || other.covers(this);
    }

    @Override
    public boolean covers(Slot other) {
      return other instanceof Json json
          && json.path.size() >= path.size()
          && json.path.subList(0, path.size()).equals(path);
    }

    /** The path as JSON pointer. */
    public String pointer() {
      return JsonPointer.of(path);
    }

    @Override
    public String toString() {
      return "body:" + pointer();
    }
  }
}
