package dev.pinion.core.xml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.Charset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * Writer of XML documents from their {@linkplain XmlForm JSON form}. Numbers and booleans are
 * written as JSON has them. An attribute that is null is left out. Not recursive.
 */
public final class XmlWriter {
  private final XmlOutput out;
  private final Deque<WrittenElement> open = new ArrayDeque<>();
  private final XmlPrefixes prefixes = new XmlPrefixes();

  private XmlWriter(XmlOutput out) {
    this.out = out;
  }

  /**
   * A document as text, with a declaration.
   *
   * @param value an object with one member, which becomes the root
   * @param charset the charset in which it will be sent
   * @param maxChars most characters
   * @throws XmlException when the value has no form in XML, or the text would be longer
   */
  public static String write(JsonNode value, Charset charset, int maxChars) throws XmlException {
    if (!value.isObject() || value.size() != 1) {
      throw new XmlException(
          "expected an object with one member, the root of the XML, found "
              + (value.isObject() ? value.size() + " members" : kind(value)));
    }
    Map.Entry<String, JsonNode> root = value.properties().iterator().next();
    if (root.getValue().isArray()) {
      throw new XmlException("expected one root of the XML, found an array of them");
    }
    XmlOutput out = new XmlOutput(charset, maxChars);
    out.declaration();
    new XmlWriter(out).document(root.getKey(), root.getValue());
    return out.text();
  }

  private void document(String name, JsonNode root) throws XmlException {
    element(name, root);
    for (WrittenElement inner = open.peek(); inner != null; inner = open.peek()) {
      step(inner);
    }
  }

  /** Writes the next part of an element. */
  private void step(WrittenElement inner) throws XmlException {
    if (inner.hasItem()) {
      element(inner.itemName(), inner.nextItem());
      return;
    }
    Map.Entry<String, JsonNode> member = inner.nextMember();
    if (member == null) {
      open.pop();
      prefixes.leave(inner.prefixes());
      out.endTag(inner.name());
    } else if (member.getKey().equals(XmlForm.TEXT)) {
      out.characters(scalar(XmlForm.TEXT, member.getValue()), XmlForm.TEXT);
    } else if (member.getValue().isArray()) {
      inner.beginItems(member);
    } else {
      element(member.getKey(), member.getValue());
    }
  }

  private void element(String name, JsonNode value) throws XmlException {
    if (value.isArray()) {
      throw new XmlException(
          "expected no array in the array \"" + XmlSyntax.shown(name) + "\", found one");
    }
    requireName(name);
    if (value instanceof ObjectNode object) {
      begin(name, object);
      return;
    }
    requireDeclared(name);
    out.startTag(name);
    if (value.isNull()) {
      out.emptyTagEnd();
    } else {
      out.tagEnd();
      out.characters(scalar(name, value), name);
      out.endTag(name);
    }
  }

  private void begin(String name, ObjectNode object) throws XmlException {
    List<Map.Entry<String, JsonNode>> attributes = attributes(object);
    WrittenElement element =
        new WrittenElement(
            name, object, prefixes.enter(attributes.stream().map(Map.Entry::getKey).toList()));
    requireDeclared(name);
    out.startTag(name);
    for (Map.Entry<String, JsonNode> attribute : attributes) {
      if (XmlPrefixes.declaredBy(attribute.getKey()) == null) {
        requireDeclared(attribute.getKey());
      }
      String value = scalar(XmlForm.ATTRIBUTE + attribute.getKey(), attribute.getValue());
      requireNamespace(attribute.getKey(), value);
      out.attribute(attribute.getKey(), value);
    }
    if (element.hasMember()) {
      out.tagEnd();
      open.push(element);
    } else {
      out.emptyTagEnd();
      prefixes.leave(element.prefixes());
    }
  }

  private static List<Map.Entry<String, JsonNode>> attributes(ObjectNode object)
      throws XmlException {
    List<Map.Entry<String, JsonNode>> attributes = new ArrayList<>();
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      if (member.getKey().startsWith(XmlForm.ATTRIBUTE) && !member.getValue().isNull()) {
        String name = member.getKey().substring(XmlForm.ATTRIBUTE.length());
        requireName(name);
        attributes.add(Map.entry(name, member.getValue()));
      }
    }
    return attributes;
  }

  private static void requireName(String name) throws XmlException {
    if (name.length() > XmlSyntax.MAX_NAME_CHARS || !XmlSyntax.isQualifiedName(name)) {
      throw new XmlException(
          "expected a name of XML of at most "
              + XmlSyntax.MAX_NAME_CHARS
              + " characters, found \""
              + XmlSyntax.shown(name)
              + "\"");
    }
  }

  private void requireDeclared(String name) throws XmlException {
    String prefix = prefixes.undeclared(name);
    if (prefix != null) {
      throw new XmlException(
          "expected \"@xmlns:"
              + XmlSyntax.shown(prefix)
              + "\" beside or around \""
              + XmlSyntax.shown(name)
              + "\", found none");
    }
  }

  private static void requireNamespace(String attribute, String value) throws XmlException {
    if (XmlPrefixes.declaredBy(attribute) != null && value.isEmpty()) {
      throw new XmlException(
          "expected a name space as \"@" + XmlSyntax.shown(attribute) + "\", found an empty text");
    }
  }

  private static String scalar(String name, JsonNode value) throws XmlException {
    if (value.isContainerNode()) {
      throw new XmlException(
          "expected a string, number or boolean as \""
              + XmlSyntax.shown(name)
              + "\", found "
              + kind(value));
    }
    return value.isNull() ? "" : value.isTextual() ? value.textValue() : value.toString();
  }

  private static String kind(JsonNode value) {
    return switch (value.getNodeType()) {
      case ARRAY -> "an array";
      case OBJECT -> "an object";
      case STRING -> "a string";
      case NULL -> "null";
      case NUMBER -> "a number";
      default -> "a boolean";
    };
  }
}
