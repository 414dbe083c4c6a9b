package dev.pinion.bootstrap.diagram;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pinion.core.diagram.Diagram;
import dev.pinion.core.diagram.DiagramReader;
import dev.pinion.core.diagram.DiagramTooLargeException;
import dev.pinion.core.model.Payload;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** Pictures of tasks in YAML, read again. */
final class SvgPictures {
  /** Reads what the engine may be set to accept ({@code json.maxDepth}). */
  private static final YAMLMapper YAML =
      new YAMLMapper(
          YAMLFactory.builder()
              .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(2_000).build())
              .build());

  private SvgPictures() {}

  static Diagram diagram(String tasks) {
    String head = "document: {dsl: 1.0.3, namespace: test, name: drawn, version: 1.0.0}\n";
    try {
      return DiagramReader.read(Payload.of(YAML.readTree(head + tasks)), 100_000);
    } catch (IOException | DiagramTooLargeException e) {
      throw new AssertionError(e);
    }
  }

  static String svg(String tasks) {
    return new SvgPicture().svg(diagram(tasks));
  }

  static Document parsed(String svg) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      return factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new AssertionError(svg, e);
    }
  }

  static List<Element> elements(Document svg, String name) {
    List<Element> elements = new ArrayList<>();
    NodeList found = svg.getElementsByTagName(name);
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }

  /** The ids of shapes, in the order in which they are drawn. */
  static List<String> ids(Document svg) {
    return elements(svg, "g").stream().map(g -> g.getAttribute("id")).toList();
  }

  /** What is written, in the order in which it is drawn. */
  static List<String> texts(Document svg) {
    return elements(svg, "text").stream().map(Element::getTextContent).toList();
  }

  /** How many elements have a class. */
  static long count(Document svg, String name, String style) {
    return elements(svg, name).stream()
        .filter(each -> List.of(each.getAttribute("class").split(" ")).contains(style))
        .count();
  }
}
