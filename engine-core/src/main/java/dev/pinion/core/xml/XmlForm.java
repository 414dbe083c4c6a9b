package dev.pinion.core.xml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Set;
import java.util.function.Function;

/**
 * The JSON form of XML. Immutable.
 *
 * <pre>
 *   &lt;a x="1"&gt;t&lt;/a&gt;           {"a": {"@x": "1", "#text": "t"}}
 *   &lt;a&gt;&lt;b/&gt;&lt;b&gt;t&lt;/b&gt;&lt;/a&gt;     {"a": {"b": [null, "t"]}}
 * </pre>
 *
 * <p>An element becomes a member by its name as written, with prefix; attributes and declarations
 * of name spaces become members {@code @NAME}; sibling elements of one name become an array; an
 * element without content and attributes becomes null. Text alone becomes the value, text beside
 * attributes or elements {@code #text}. Comments, processing instructions, white space beside
 * elements and the order of elements of different names are lost.
 *
 * @param scalars conversion of texts and values of attributes
 * @param arrays names of elements that become an array even if there is only one
 * @param mixed whether text beside elements is joined as {@code #text}, rather than refused
 */
public record XmlForm(Function<String, JsonNode> scalars, Set<String> arrays, boolean mixed) {
  /** Every text stays a text, an array has at least two items, mixed content is joined. */
  public static final XmlForm PLAIN = new XmlForm(TextNode::valueOf, Set.of(), true);

  static final String TEXT = "#text";
  static final String ATTRIBUTE = "@";

  /** Copies the names. */
  public XmlForm {
    arrays = Set.copyOf(arrays);
  }
}
