package dev.pinion.handlers.builtin.convert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Converts JSON to XML, by the conventions of {@link XmlReader}. */
final class XmlWriter {
  private static final XMLOutputFactory FACTORY = XMLOutputFactory.newDefaultFactory();
  private static final Pattern NAME =
      Pattern.compile("[\\p{L}_][\\p{L}\\p{N}._-]*(:[\\p{L}_][\\p{L}\\p{N}._-]*)?");

  private final XMLStreamWriter out;

  private XmlWriter(XMLStreamWriter out) {
    this.out = out;
  }

  /**
   * Writes a document in UTF-8.
   *
   * @param value an object with one member, which becomes the root
   * @throws ConversionException when it cannot be converted to XML
   */
  static byte[] write(JsonNode value) throws ConversionException {
    if (!(value instanceof ObjectNode object) || object.size() != 1) {
      throw new ConversionException(
          "expected an object with one member, the root of the XML; found "
              + (value.isObject() ? value.size() + " members" : value.getNodeType()));
    }
    Map.Entry<String, JsonNode> root = object.properties().iterator().next();
    if (root.getValue().isArray()) {
      throw new ConversionException("expected one root, found an array of them");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      XMLStreamWriter out = writer(bytes);
      out.writeStartDocument("UTF-8", "1.0");
      new XmlWriter(out).element(root.getKey(), root.getValue());
      out.writeEndDocument();
      out.close();
      return bytes.toByteArray();
    } catch (XMLStreamException e) {
      throw new ConversionException("expected JSON that is XML, found " + e.getMessage());
    }
  }

  private static XMLStreamWriter writer(ByteArrayOutputStream bytes) throws XMLStreamException {
    synchronized (FACTORY) { // it is not documented as thread-safe
      return FACTORY.createXMLStreamWriter(bytes, StandardCharsets.UTF_8.name());
    }
  }

  private void element(String name, JsonNode value) throws XMLStreamException, ConversionException {
    if (value.isArray()) {
      for (JsonNode item : value) {
        if (item.isArray()) {
          throw new ConversionException(
              "expected no array in the array \"" + name + "\", found one");
        }
        element(name, item);
      }
      return;
    }
    out.writeStartElement(checked(name));
    if (value instanceof ObjectNode object) {
      attributes(object);
      members(object);
    } else if (!value.isNull()) {
      out.writeCharacters(text(name, value));
    }
    out.writeEndElement();
  }

  private void attributes(ObjectNode object) throws XMLStreamException, ConversionException {
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      if (member.getKey().startsWith(XmlReader.ATTRIBUTE)) {
        String name = checked(member.getKey().substring(XmlReader.ATTRIBUTE.length()));
        out.writeAttribute(name, text(name, member.getValue()));
      }
    }
  }

  private void members(ObjectNode object) throws XMLStreamException, ConversionException {
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      if (member.getKey().equals(XmlReader.TEXT)) {
        out.writeCharacters(text(XmlReader.TEXT, member.getValue()));
      } else if (!member.getKey().startsWith(XmlReader.ATTRIBUTE)) {
        element(member.getKey(), member.getValue());
      }
    }
  }

  private static String text(String name, JsonNode value) throws ConversionException {
    if (value.isContainerNode()) {
      throw new ConversionException(
          "expected a text, number or boolean as \"" + name + "\", found " + value.getNodeType());
    }
    String text = value.isNull() ? "" : value.asText();
    if (!text.codePoints().allMatch(XmlWriter::allowed)) {
      throw new ConversionException(
          "expected characters that XML 1.0 has in \"" + name + "\", found another one");
    }
    return text;
  }

  private static boolean allowed(int c) {
    return c == '\t'
        || c == '\n'
        || c == '\r'
        || (c >= 0x20 && c <= 0xd7ff)
        || (c >= 0xe000 && c <= 0xfffd)
        || c >= 0x10000;
  }

  private static String checked(String name) throws ConversionException {
    if (!NAME.matcher(name).matches()) {
      throw new ConversionException("expected a name of XML, found \"" + name + "\"");
    }
    return name;
  }
}
