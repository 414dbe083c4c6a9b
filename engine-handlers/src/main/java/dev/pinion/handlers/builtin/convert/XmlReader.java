package dev.pinion.handlers.builtin.convert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.model.Payload;
import java.io.ByteArrayInputStream;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Converts XML to JSON. An element becomes a member by its name as written, with prefix; attributes
 * and declarations of name spaces become members {@code @NAME}; the text of an element with
 * attributes becomes {@code #text}; sibling elements of one name become an array; an empty element
 * becomes null. Comments and processing instructions are dropped.
 *
 * <p>A document with a document type is refused, so nothing is expanded and nothing is fetched.
 *
 * @param scalars conversion of texts
 * @param arrays names of elements that become an array even if there is only one
 * @param maxDepth greatest nesting of elements
 */
record XmlReader(ScalarTyping scalars, Set<String> arrays, int maxDepth) {
  static final String TEXT = "#text";
  static final String ATTRIBUTE = "@";

  /** The most elements and attributes of a document. */
  static final int MAX_NODES = 1_000_000;

  private static final XMLInputFactory FACTORY = factory();

  XmlReader {
    arrays = Set.copyOf(arrays);
  }

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
    factory.setXMLResolver(
        (_, _, _, _) -> {
          throw new XMLStreamException("nothing is fetched");
        });
    return factory;
  }

  /**
   * Reads a document.
   *
   * @throws ConversionException when it is malformed, or cannot be converted to JSON
   */
  Payload read(byte[] document) throws ConversionException {
    try {
      XMLStreamReader in = reader(document);
      ObjectNode root = JsonNodeFactory.instance.objectNode();
      Count nodes = new Count();
      while (in.hasNext()) {
        switch (in.next()) {
          case XMLStreamConstants.START_ELEMENT -> root.set(name(in), element(in, 1, nodes));
          case XMLStreamConstants.DTD ->
              throw new ConversionException("expected XML without a document type, found one");
          default -> {
            // Comments, instructions and blanks around the root.
          }
        }
      }
      return Payload.of(root);
    } catch (XMLStreamException e) {
      var at = e.getLocation();
      String where =
          at == null ? "" : " at line " + at.getLineNumber() + ", column " + at.getColumnNumber();
      throw new ConversionException("expected well-formed XML, found an error" + where);
    }
  }

  private static XMLStreamReader reader(byte[] document) throws XMLStreamException {
    synchronized (FACTORY) { // it is not documented as thread-safe
      return FACTORY.createXMLStreamReader(new ByteArrayInputStream(document));
    }
  }

  private JsonNode element(XMLStreamReader in, int depth, Count nodes)
      throws XMLStreamException, ConversionException {
    if (depth > maxDepth) {
      throw new ConversionException("expected elements nested " + maxDepth + " deep, found deeper");
    }
    ObjectNode members = attributes(in);
    nodes.add(1 + members.size());
    boolean hasElements = false;
    StringBuilder text = new StringBuilder();
    int event = in.next();
    while (event != XMLStreamConstants.END_ELEMENT) {
      switch (event) {
        case XMLStreamConstants.START_ELEMENT -> {
          hasElements = true;
          add(members, name(in), element(in, depth + 1, nodes));
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
            text.append(in.getText());
        case XMLStreamConstants.ENTITY_REFERENCE ->
            throw new ConversionException("expected no entities beyond those of XML, found one");
        default -> {
          // Comments and instructions.
        }
      }
      event = in.next();
    }
    return content(name(in), members, hasElements, text.toString());
  }

  private JsonNode content(String name, ObjectNode members, boolean hasElements, String text)
      throws ConversionException {
    if (hasElements) {
      if (!text.isBlank()) {
        throw new ConversionException(
            "expected either text or elements in <" + name + ">, found both");
      }
      return members;
    }
    if (members.isEmpty()) {
      return text.isEmpty() ? NullNode.getInstance() : scalars.value(text);
    }
    return text.isEmpty() ? members : members.set(TEXT, scalars.value(text));
  }

  private ObjectNode attributes(XMLStreamReader in) {
    ObjectNode members = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < in.getNamespaceCount(); i++) {
      String prefix = in.getNamespacePrefix(i);
      String uri = in.getNamespaceURI(i);
      String name = prefix == null || prefix.isEmpty() ? "xmlns" : "xmlns:" + prefix;
      members.put(ATTRIBUTE + name, uri == null ? "" : uri);
    }
    for (int i = 0; i < in.getAttributeCount(); i++) {
      String name = name(in.getAttributePrefix(i), in.getAttributeLocalName(i));
      members.set(ATTRIBUTE + name, scalars.value(in.getAttributeValue(i)));
    }
    return members;
  }

  private void add(ObjectNode members, String name, JsonNode value) {
    JsonNode before = members.get(name);
    if (before instanceof ArrayNode array) {
      array.add(value);
    } else if (before != null) {
      members.set(name, JsonNodeFactory.instance.arrayNode().add(before).add(value));
    } else if (arrays.contains(name)) {
      members.set(name, JsonNodeFactory.instance.arrayNode().add(value));
    } else {
      members.set(name, value);
    }
  }

  private static String name(XMLStreamReader in) {
    return name(in.getPrefix(), in.getLocalName());
  }

  private static String name(@Nullable String prefix, String local) {
    return prefix == null || prefix.isEmpty() ? local : prefix + ":" + local;
  }

  /** Elements and attributes so far. */
  private static final class Count {
    private int nodes;

    void add(int more) throws ConversionException {
      nodes += more;
      if (nodes > MAX_NODES) {
        throw new ConversionException(
            "expected at most " + MAX_NODES + " elements and attributes, found more");
      }
    }
  }
}
