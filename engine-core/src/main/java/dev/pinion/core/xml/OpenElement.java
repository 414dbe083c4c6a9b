package dev.pinion.core.xml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An element whose end has not been read. */
final class OpenElement {
  final String name;

  /** Prefixes that it declares. */
  final List<String> prefixes;

  private @Nullable ObjectNode members;
  private @Nullable StringBuilder text;
  private boolean hasElements;

  OpenElement(String name, List<String> prefixes) {
    this.name = name;
    this.prefixes = prefixes;
  }

  /** Adds an attribute. */
  void attribute(String attribute, JsonNode value) {
    members().set(XmlForm.ATTRIBUTE + attribute, value);
  }

  /** Adds text. */
  void text(String more) {
    StringBuilder all = text;
    if (all == null) {
      all = new StringBuilder(more.length());
      text = all;
    }
    all.append(more);
  }

  /** The members, to which an element is added. */
  ObjectNode withElement() {
    hasElements = true;
    return members();
  }

  /** Whether it has attributes or elements. */
  boolean hasMembers() {
    return members != null;
  }

  boolean hasElements() {
    return hasElements;
  }

  /** Text that counts, or null when there is none: beside elements, white space does not. */
  @Nullable String content() {
    StringBuilder all = text;
    return all == null || (hasElements && XmlSyntax.isBlank(all)) ? null : all.toString();
  }

  /**
   * The value, when the end was read.
   *
   * @param content the text that counts, converted; null when there is none
   */
  JsonNode value(@Nullable JsonNode content) {
    if (members == null) {
      return content == null ? NullNode.getInstance() : content;
    }
    return content == null ? members : members.set(XmlForm.TEXT, content);
  }

  private ObjectNode members() {
    ObjectNode all = members;
    if (all == null) {
      all = JsonNodeFactory.instance.objectNode();
      members = all;
    }
    return all;
  }
}
