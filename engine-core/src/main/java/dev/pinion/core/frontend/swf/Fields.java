package dev.pinion.core.frontend.swf;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.frontend.swf.SourceNode.Mapping;
import dev.pinion.core.frontend.swf.SourceNode.Member;
import dev.pinion.core.model.Nearest;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The members of an object whose keys are fixed. A wrong member is reported when it is requested,
 * and then counts as absent.
 */
final class Fields {
  private final Value owner;
  private final String what;
  private final Collection<String> keys;
  private final Diagnostics diagnostics;

  private Fields(Value owner, String what, Collection<String> keys, Diagnostics diagnostics) {
    this.owner = owner;
    this.what = what;
    this.keys = keys;
    this.diagnostics = diagnostics;
  }

  /**
   * Opens an object and reports unknown keys.
   *
   * @param value the object
   * @param what description of the object, for messages
   * @param keys the keys it may have
   */
  static Fields of(Value value, String what, Collection<String> keys, Diagnostics diagnostics) {
    Fields fields = new Fields(value, what, keys, diagnostics);
    if (!value.isObject()) {
      diagnostics.expected(value, "an object as " + what);
    }
    fields.refuseUnknown();
    return fields;
  }

  private void refuseUnknown() {
    for (Value member : owner.members()) {
      String name = member.name();
      if (!keys.contains(name)) {
        diagnostics.at(
            member.keyOffset(),
            member.pointer(),
            (keys.isEmpty() ? "expected no key" : "expected one of " + String.join(", ", keys))
                + " in "
                + what
                + ", found \""
                + Found.shorten(name)
                + "\"",
            () -> Nearest.to(name, keys));
      }
    }
  }

  /** The object itself. */
  Value owner() {
    return owner;
  }

  boolean has(String name) {
    return get(name) != null;
  }

  /** A member, or null when there is none. */
  @Nullable Value get(String name) {
    if (owner.node() instanceof Mapping mapping) {
      Member member = mapping.members().get(name);
      return member == null ? null : owner.member(name, member);
    }
    return null;
  }

  /** A member that is known to exist. */
  Value getPresent(String name) {
    return Objects.requireNonNull(get(name), name);
  }

  /** Whether a key that was reported as unknown looks as if it meant a name. */
  boolean isMisspelt(String name) {
    return owner.members().stream()
        .map(Value::name)
        .anyMatch(key -> !keys.contains(key) && name.equals(Nearest.to(key, keys)));
  }

  /**
   * A mandatory member. Its absence is reported, unless an earlier report explains it: the value is
   * not an object, or a key is misspelt.
   */
  @Nullable Value required(String name) {
    Value value = get(name);
    if (value == null && owner.isObject() && !isMisspelt(name)) {
      diagnostics.key(owner, "expected \"" + name + "\" in " + what + ", found none");
    }
    return value;
  }

  /** A string, or null. */
  @Nullable Value text(String name) {
    return checked(get(name), Value::isText, "a string");
  }

  /** A mandatory string, or null when it is absent. */
  @Nullable Value requiredText(String name) {
    return checked(required(name), Value::isText, "a string");
  }

  /** An object, or null. */
  @Nullable Value object(String name) {
    return checked(get(name), Value::isObject, "an object");
  }

  /** A boolean, or false. */
  boolean flag(String name) {
    Value value = checked(get(name), v -> v.json().isBoolean(), "true or false");
    return value != null && value.json().booleanValue();
  }

  /** An integer within bounds, or the default. */
  long integer(String name, long least, long most, long otherwise) {
    Value value = get(name);
    return value == null ? otherwise : integer(value, least, most, otherwise);
  }

  private long integer(Value value, long least, long most, long otherwise) {
    JsonNode json = value.json();
    boolean fits = json.isIntegralNumber() && json.canConvertToLong();
    if (!fits || json.longValue() < least || json.longValue() > most) {
      String bound =
          most >= Integer.MAX_VALUE
              ? "of at least " + least
              : String.format(Locale.ROOT, "from %d to %d", least, most);
      diagnostics.expected(value, "an integer " + bound + " as \"" + value.name() + "\"");
      return otherwise;
    }
    return json.longValue();
  }

  /** One of some words, or the first of them. */
  String word(String name, List<String> words) {
    Value value = get(name);
    if (value == null) {
      return words.getFirst();
    }
    if (!words.contains(value.text())) {
      diagnostics.value(
          value,
          "expected " + String.join(" or ", words) + ", found " + Found.describe(value.json()),
          () -> Nearest.to(value.text(), words));
      return words.getFirst();
    }
    return value.text();
  }

  private @Nullable Value checked(@Nullable Value value, Predicate<Value> fits, String expected) {
    if (value != null && !fits.test(value)) {
      diagnostics.expected(value, expected + " as \"" + value.name() + "\"");
      return null;
    }
    return value;
  }
}
