package dev.pinion.core.language.field;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.SourceNode.Mapping;
import dev.pinion.core.document.SourceNode.Member;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.model.SpellingSuggestion;
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
public final class FieldReader {
  private final DocumentValue owner;
  private final String what;
  private final Collection<String> keys;
  private final Diagnostics diagnostics;

  private FieldReader(
      DocumentValue owner, String what, Collection<String> keys, Diagnostics diagnostics) {
    this.owner = owner;
    this.what = what;
    this.keys = keys;
    this.diagnostics = diagnostics;
  }

  /**
   * Opens an object and reports unknown keys.
   *
   * @param documentValue the object
   * @param what description of the object, for messages
   * @param keys the keys it may have
   */
  public static FieldReader of(
      DocumentValue documentValue, String what, Collection<String> keys, Diagnostics diagnostics) {
    FieldReader fieldReader = new FieldReader(documentValue, what, keys, diagnostics);
    if (!documentValue.isObject()) {
      diagnostics.expected(documentValue, "an object as " + what);
    }
    fieldReader.refuseUnknown();
    return fieldReader;
  }

  private void refuseUnknown() {
    for (DocumentValue member : owner.members()) {
      String name = member.name();
      if (!keys.contains(name)) {
        diagnostics.at(
            member.keyOffset(),
            member.pointer(),
            (keys.isEmpty() ? "expected no key" : "expected one of " + String.join(", ", keys))
                + " in "
                + what
                + ", found \""
                + ValueDescription.shorten(name)
                + "\""
                + HabitualKeys.advice(name, keys),
            () -> HabitualKeys.suggestion(name, keys));
      }
    }
  }

  /** The object itself. */
  public DocumentValue owner() {
    return owner;
  }

  /** Description of the object, for messages. */
  public String what() {
    return what;
  }

  /** Whether there is a member. */
  public boolean has(String name) {
    return get(name) != null;
  }

  /** A member, or null when there is none. */
  public @Nullable DocumentValue get(String name) {
    if (owner.node() instanceof Mapping mapping) {
      Member member = mapping.members().get(name);
      return member == null ? null : owner.member(name, member);
    }
    return null;
  }

  /** A member that is known to exist. */
  public DocumentValue getPresent(String name) {
    return Objects.requireNonNull(get(name), name);
  }

  /** Whether a key that was reported as unknown looks as if it meant a name. */
  public boolean isMisspelt(String name) {
    return owner.members().stream()
        .map(DocumentValue::name)
        .anyMatch(key -> !keys.contains(key) && name.equals(HabitualKeys.suggestion(key, keys)));
  }

  /**
   * A mandatory member. Its absence is reported, unless an earlier report explains it: the value is
   * not an object, or a key is misspelt.
   */
  public @Nullable DocumentValue required(String name) {
    DocumentValue documentValue = get(name);
    if (documentValue == null && owner.isObject() && !isMisspelt(name)) {
      diagnostics.key(owner, "expected \"" + name + "\" in " + what + ", found none");
    }
    return documentValue;
  }

  /** A string, or null. */
  public @Nullable DocumentValue text(String name) {
    return checked(get(name), DocumentValue::isText, "a string");
  }

  /** A mandatory string, or null when it is absent. */
  public @Nullable DocumentValue requiredText(String name) {
    return checked(required(name), DocumentValue::isText, "a string");
  }

  /** An object, or null. */
  public @Nullable DocumentValue object(String name) {
    return checked(get(name), DocumentValue::isObject, "an object");
  }

  /** A boolean, or false. */
  public boolean flag(String name) {
    DocumentValue documentValue = checked(get(name), v -> v.json().isBoolean(), "true or false");
    return documentValue != null && documentValue.json().booleanValue();
  }

  /** An integer within bounds, or the default. */
  public long integer(String name, long least, long most, long otherwise) {
    DocumentValue documentValue = get(name);
    return documentValue == null ? otherwise : integer(documentValue, least, most, otherwise);
  }

  private long integer(DocumentValue documentValue, long least, long most, long otherwise) {
    JsonNode json = documentValue.json();
    boolean fits = json.isIntegralNumber() && json.canConvertToLong();
    if (!fits || json.longValue() < least || json.longValue() > most) {
      String bound =
          most >= Integer.MAX_VALUE
              ? "of at least " + least
              : String.format(Locale.ROOT, "from %d to %d", least, most);
      diagnostics.expected(
          documentValue, "an integer " + bound + " as \"" + documentValue.name() + "\"");
      return otherwise;
    }
    return json.longValue();
  }

  /** One of some words, or the first of them. */
  public String word(String name, List<String> words) {
    DocumentValue documentValue = get(name);
    if (documentValue == null) {
      return words.getFirst();
    }
    if (!words.contains(documentValue.text())) {
      diagnostics.value(
          documentValue,
          "expected "
              + String.join(" or ", words)
              + ", found "
              + ValueDescription.describe(documentValue.json()),
          () -> SpellingSuggestion.of(documentValue.text(), words));
      return words.getFirst();
    }
    return documentValue.text();
  }

  private @Nullable DocumentValue checked(
      @Nullable DocumentValue documentValue, Predicate<DocumentValue> fits, String expected) {
    if (documentValue != null && !fits.test(documentValue)) {
      diagnostics.expected(documentValue, expected + " as \"" + documentValue.name() + "\"");
      return null;
    }
    return documentValue;
  }
}
