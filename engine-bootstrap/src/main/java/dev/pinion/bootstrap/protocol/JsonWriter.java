package dev.pinion.bootstrap.protocol;

import java.util.Collection;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a JSON document from front to back (RFC 8259). The parent writes a few small documents;
 * this saves it the memory of a JSON library.
 */
public final class JsonWriter {
  private final StringBuilder out = new StringBuilder(256);
  private boolean first = true;

  /** An object whose members the action writes. */
  public JsonWriter object(Runnable members) {
    return nested('{', members, '}');
  }

  /** An array whose elements the action writes. */
  public JsonWriter array(Runnable elements) {
    return nested('[', elements, ']');
  }

  /** An array with an element for each item. */
  public <T> JsonWriter array(Collection<T> items, BiConsumer<JsonWriter, T> element) {
    return array(() -> items.forEach(item -> element.accept(this, item)));
  }

  private JsonWriter nested(char open, Runnable content, char close) {
    separate();
    out.append(open);
    first = true;
    content.run();
    out.append(close);
    first = false;
    return this;
  }

  /** Name of the member whose value follows. */
  public JsonWriter name(String name) {
    separate();
    out.append(JsonString.quoted(name)).append(':');
    first = true;
    return this;
  }

  /** A member with a text, or null. */
  public JsonWriter put(String name, @Nullable String text) {
    return name(name).text(text);
  }

  /** A member with a number. */
  public JsonWriter put(String name, long number) {
    return name(name).raw(Long.toString(number));
  }

  /** A member with a boolean. */
  public JsonWriter put(String name, boolean value) {
    return name(name).raw(Boolean.toString(value));
  }

  /** A text, or null. */
  public JsonWriter text(@Nullable String text) {
    return raw(text == null ? "null" : JsonString.quoted(text));
  }

  /** A value that is JSON text already. */
  public JsonWriter raw(String json) {
    separate();
    out.append(json);
    first = false;
    return this;
  }

  private void separate() {
    if (!first) {
      out.append(',');
    }
  }

  /** The written document. */
  @Override
  public String toString() {
    return out.toString();
  }
}
