package dev.pinion.core.openapi;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.SourceNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value of a document.
 *
 * @param value the value at its place
 * @param document the document
 */
public record ApiValue(DocumentValue value, ApiDocument document) {
  /** The whole of a document. */
  static ApiValue root(ApiDocument document) {
    return new ApiValue(document.root(), document);
  }

  /** A member of an object by name, or null when there is none. */
  @Nullable ApiValue member(String name) {
    if (value.node() instanceof SourceNode.Mapping mapping) {
      SourceNode.Member member = mapping.members().get(name);
      return member == null ? null : new ApiValue(value.member(name, member), document);
    }
    return null;
  }

  /** The members of an object; none for anything else. */
  List<ApiValue> members() {
    return value.members().stream().map(each -> new ApiValue(each, document)).toList();
  }

  /** The members of a member that is an object. */
  List<ApiValue> members(String name) {
    ApiValue member = member(name);
    return member == null ? List.of() : member.members();
  }

  /** The items of an array; none for anything else. */
  List<ApiValue> items() {
    return value.items().stream().map(each -> new ApiValue(each, document)).toList();
  }

  /** The items of a member that is an array. */
  List<ApiValue> items(String name) {
    ApiValue member = member(name);
    return member == null ? List.of() : member.items();
  }

  /** The name under which it stands. */
  String name() {
    return value.name();
  }

  /** Its text; empty when it is no string. */
  String text() {
    return value.text();
  }

  /** The text of a member; empty when there is none, or it is no string. */
  String text(String name) {
    ApiValue member = member(name);
    return member == null ? "" : member.text();
  }

  /** A string, number or boolean as text; empty for anything else. */
  String scalar() {
    return value.json().isValueNode() && !value.json().isNull() ? value.json().asText() : "";
  }

  /** Whether a member is true. */
  boolean flag(String name) {
    ApiValue member = member(name);
    return member != null && member.value().json().asBoolean();
  }

  /** Whether there is a member. */
  boolean has(String name) {
    return member(name) != null;
  }
}
