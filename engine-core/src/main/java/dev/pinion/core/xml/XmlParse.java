package dev.pinion.core.xml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.cost.HeapCost;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Parse of one document. Not recursive: the depth takes no stack. */
final class XmlParse {
  private final XMLStreamReader in;
  private final XmlForm form;
  private final XmlReader.XmlBounds bounds;
  private final ObjectNode document = JsonNodeFactory.instance.objectNode();
  private final Deque<OpenElement> open = new ArrayDeque<>();
  private final XmlPrefixes prefixes = new XmlPrefixes();
  private long heap = HeapCost.objectOfFew();
  private int nodes;

  XmlParse(XMLStreamReader in, XmlForm form, XmlReader.XmlBounds bounds) {
    this.in = in;
    this.form = form;
    this.bounds = bounds;
  }

  /** The value of the whole document. */
  Payload document() throws XMLStreamException, XmlException {
    while (in.hasNext()) {
      switch (in.next()) {
        case XMLStreamConstants.START_ELEMENT -> begin();
        case XMLStreamConstants.END_ELEMENT -> end();
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
            text();
        case XMLStreamConstants.DTD ->
            throw refused("expected XML without a document type", "found one");
        case XMLStreamConstants.ENTITY_REFERENCE ->
            throw refused(
                "expected no entities beyond those of XML",
                "found \"" + XmlSyntax.shown(in.getLocalName()) + "\"");
        default -> {
          // Comments and instructions.
        }
      }
    }
    return Payload.of(document);
  }

  private void begin() throws XmlException {
    if (open.size() == bounds.maxDepth()) {
      throw refused(
          "expected elements nested " + bounds.maxDepth() + " deep (" + bounds.depthName() + ")",
          "found deeper");
    }
    int count = in.getAttributeCount();
    if (count > XmlReader.MAX_ATTRIBUTES) {
      throw refused(
          "expected at most " + XmlReader.MAX_ATTRIBUTES + " attributes of an element",
          "found " + count);
    }
    count(1 + count);
    String name = checked(in.getLocalName());
    List<String> attributes = attributes(count);
    OpenElement element = new OpenElement(name, prefixes.enter(attributes));
    requireDeclared(name);
    if (count > 0) {
      charge(HeapCost.objectOfFew());
    }
    for (int i = 0; i < count; i++) {
      if (XmlPrefixes.declaredBy(attributes.get(i)) == null) {
        requireDeclared(attributes.get(i));
      }
      String value = in.getAttributeValue(i);
      chargeMember(XmlForm.ATTRIBUTE.length() + attributes.get(i).length(), value);
      element.attribute(attributes.get(i), form.scalars().apply(value));
    }
    open.push(element);
  }

  private List<String> attributes(int count) throws XmlException {
    List<String> names = count == 0 ? List.of() : new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String prefix = in.getAttributePrefix(i);
      String local = in.getAttributeLocalName(i);
      names.add(checked(prefix == null || prefix.isEmpty() ? local : prefix + ":" + local));
    }
    return names;
  }

  private void text() {
    OpenElement inner = open.peek();
    if (inner != null) {
      inner.text(in.getText());
    }
  }

  private void end() throws XmlException {
    OpenElement ended = open.pop();
    prefixes.leave(ended.prefixes);
    String content = ended.content();
    if (content != null && ended.hasElements() && !form.mixed()) {
      throw refused(
          "expected either text or elements in <" + XmlSyntax.shown(ended.name) + ">",
          "found both");
    }
    if (content != null) {
      chargeMember(ended.hasMembers() ? XmlForm.TEXT.length() : 0, content);
    }
    add(ended.name, ended.value(content == null ? null : form.scalars().apply(content)));
  }

  private void add(String name, JsonNode value) throws XmlException {
    OpenElement outer = open.peek();
    if (outer != null && !outer.hasMembers()) {
      charge(HeapCost.objectOfFew());
    }
    ObjectNode members = outer == null ? document : outer.withElement();
    JsonNode before = members.get(name);
    if (before instanceof ArrayNode array) {
      charge(HeapCost.item());
      array.add(value);
    } else if (before != null) {
      charge(HeapCost.array(2));
      members.set(name, JsonNodeFactory.instance.arrayNode().add(before).add(value));
    } else if (form.arrays().contains(name)) {
      chargeMember(name.length(), null);
      charge(HeapCost.array(1));
      members.set(name, JsonNodeFactory.instance.arrayNode().add(value));
    } else {
      chargeMember(name.length(), null);
      members.set(name, value);
    }
  }

  /** The name, which the parser has checked, except for its colons and its length. */
  private String checked(String name) throws XmlException {
    if (name.length() > XmlSyntax.MAX_NAME_CHARS) {
      throw refused(
          "expected names of at most " + XmlSyntax.MAX_NAME_CHARS + " characters",
          "found one of " + name.length());
    }
    if (!XmlSyntax.hasPlainColon(name)) {
      throw refused("expected one colon within a name", "found \"" + XmlSyntax.shown(name) + "\"");
    }
    return name;
  }

  private void requireDeclared(String name) throws XmlException {
    String prefix = prefixes.undeclared(name);
    if (prefix != null) {
      throw refused(
          "expected a declaration of the prefix \"" + XmlSyntax.shown(prefix) + "\"", "found none");
    }
  }

  private void count(int more) throws XmlException {
    nodes += more;
    if (nodes > XmlReader.MAX_NODES) {
      throw refused(
          "expected at most " + XmlReader.MAX_NODES + " elements and attributes", "found more");
    }
  }

  private void chargeMember(int nameChars, @Nullable String text) throws XmlException {
    charge(HeapCost.member(nameChars) + (text == null ? 0 : HeapCost.text(text.length())));
  }

  private void charge(long more) throws XmlException {
    heap += more;
    if (heap > bounds.maxHeap()) {
      throw refused(
          "expected XML whose value takes at most "
              + bounds.maxHeap()
              + " bytes of the heap (json.maxHeapBytes)",
          "found one that takes more");
    }
  }

  private XmlException refused(String expected, String found) {
    return new XmlException(expected + XmlReader.where(in.getLocation()) + ", " + found);
  }
}
