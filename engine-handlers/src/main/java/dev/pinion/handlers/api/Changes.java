package dev.pinion.handlers.api;

import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes of a handler to a message, in order. Immutable; each method returns further changes:
 * {@code Changes.NONE.property("header.x-checked", "yes").json("/total", total)}.
 *
 * @param list the changes, in the order in which they are made
 */
public record Changes(List<Change> list) {
  /** No changes. */
  public static final Changes NONE = new Changes(List.of());

  /** Copies the list. */
  public Changes {
    list = List.copyOf(list);
  }

  /** Whether there are no changes. */
  public boolean isEmpty() {
    return list.isEmpty();
  }

  /** Sets a property. */
  public Changes property(String name, String value) {
    return and(new SetProperty(name, value));
  }

  /** Removes a property, if there is one. */
  public Changes withoutProperty(String name) {
    return and(new SetProperty(name, null));
  }

  /** Replaces the body. */
  public Changes body(Body body) {
    return and(new SetBody(body));
  }

  /**
   * Sets a part of the JSON body. Missing objects on the way to it are created; an item of an array
   * must exist.
   *
   * @param pointer JSON pointer; empty for the whole
   */
  public Changes json(String pointer, Payload value) {
    return and(new SetJson(JsonPointer.parse(pointer), value));
  }

  /**
   * Removes a member of an object of the JSON body, if there is one.
   *
   * @param pointer JSON pointer, not empty
   */
  public Changes withoutJson(String pointer) {
    return and(new SetJson(JsonPointer.parse(pointer), null));
  }

  private Changes and(Change change) {
    List<Change> more = new ArrayList<>(list.size() + 1);
    more.addAll(list);
    more.add(change);
    return new Changes(more);
  }

  /** One change. */
  public sealed interface Change {
    /** The changed slot. */
    Slot slot();
  }

  /**
   * Sets or removes a property.
   *
   * @param value its value from now on; null when it is removed
   */
  public record SetProperty(String name, @Nullable String value) implements Change {
    @Override
    public Slot slot() {
      return new Slot.Property(name, false);
    }
  }

  /** Replaces the body: by bytes, which is a change of {@code bytes}, or by a JSON value. */
  public record SetBody(Body body) implements Change {
    @Override
    public Slot slot() {
      return body.isRaw() ? new Slot.Bytes() : new Slot.Json(List.of());
    }
  }

  /**
   * Sets or removes a part of the JSON body.
   *
   * @param path see {@link Slot.Json#path}
   * @param value its value from now on; null when it is removed
   */
  public record SetJson(List<String> path, @Nullable Payload value) implements Change {
    /** Copies the path. */
    public SetJson {
      path = List.copyOf(path);
      if (path.isEmpty() && value == null) {
        throw new IllegalArgumentException(
            "expected a part of the body to remove, found the whole; set it to null instead");
      }
    }

    @Override
    public Slot slot() {
      return new Slot.Json(path);
    }
  }
}
