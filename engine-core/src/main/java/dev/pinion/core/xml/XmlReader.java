package dev.pinion.core.xml;

import dev.pinion.core.model.Payload;
import java.io.CharArrayReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the {@linkplain XmlForm JSON form} of XML documents, within limits. Safe for use by any
 * thread.
 *
 * <p>A document with a document type is refused, so nothing is expanded and nothing is fetched. The
 * parser knows no name spaces: its look-ups take time in proportion to the declarations in scope,
 * which a document could make many of. {@link XmlPrefixes} checks prefixes instead.
 */
public final class XmlReader {
  /** Most elements and attributes of a document. */
  public static final int MAX_NODES = 1_000_000;

  /** Most attributes of an element, declarations of name spaces included. */
  public static final int MAX_ATTRIBUTES = 200;

  private static final int MAX_MESSAGE_CHARS = 300;

  private final XMLInputFactory factory = factory();
  private final XmlForm form;
  private final XmlBounds bounds;

  /** A reader. */
  public XmlReader(XmlForm form, XmlBounds bounds) {
    this.form = form;
    this.bounds = bounds;
  }

  /**
   * Bounds of a document.
   *
   * @param maxDepth greatest nesting of elements
   * @param depthName name of that bound
   * @param maxHeap bound of the approximate heap bytes of a value (json.maxHeapBytes)
   */
  public record XmlBounds(int maxDepth, String depthName, long maxHeap) {}

  /** The limits of the JDK count what documents without a type cannot do, or are checked here. */
  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
    factory.setXMLResolver(
        (_, _, _, _) -> {
          throw new XMLStreamException("nothing is fetched");
        });
    for (String limit :
        new String[] {
          "elementAttributeLimit",
          "entityExpansionLimit",
          "entityReplacementLimit",
          "maxElementDepth",
          "maxGeneralEntitySizeLimit",
          "maxXMLNameLimit",
          "totalEntitySizeLimit"
        }) {
      factory.setProperty("jdk.xml." + limit, "0");
    }
    return factory;
  }

  /**
   * Reads a document that fills a buffer.
   *
   * @param declared charset by who transmits it, or null
   * @throws XmlException when it is malformed, has no JSON form or exceeds a limit
   */
  public Payload read(ByteBuffer document, @Nullable Charset declared) throws XmlException {
    CharBuffer text = XmlCharset.of(document, declared).characters(document);
    try {
      return new XmlParse(parser(text), form, bounds).document();
    } catch (XMLStreamException e) {
      throw new XmlException("expected well-formed XML" + described(e));
    }
  }

  private XMLStreamReader parser(CharBuffer text) throws XMLStreamException {
    CharArrayReader reader = new CharArrayReader(text.array(), 0, text.limit());
    synchronized (factory) { // it is not documented as thread-safe
      return factory.createXMLStreamReader(reader);
    }
  }

  /** Place and reason, which the parser gives after a line of its own. */
  private static String described(XMLStreamException e) {
    Location at = e.getLocation();
    String message = String.valueOf(e.getMessage());
    String reason = message.substring(message.lastIndexOf("\nMessage: ") + 1);
    String shown = reason.substring(0, Math.min(reason.length(), MAX_MESSAGE_CHARS));
    return (at == null ? "" : where(at))
        + ", found: "
        + shown.replace("Message: ", "").replaceAll("\\p{Cntrl}", "?");
  }

  /** A place for messages. */
  static String where(Location at) {
    return " at line " + at.getLineNumber() + ", column " + at.getColumnNumber();
  }
}
