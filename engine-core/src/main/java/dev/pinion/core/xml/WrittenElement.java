package dev.pinion.core.xml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An element whose content is being written. */
final class WrittenElement {
  private final String name;
  private final List<String> prefixes;
  private final Iterator<Map.Entry<String, JsonNode>> members;
  private Iterator<JsonNode> items = Collections.emptyIterator();
  private String itemName = "";

  /** An element with the prefixes that it declares. */
  WrittenElement(String name, ObjectNode object, List<String> prefixes) {
    this.name = name;
    this.prefixes = prefixes;
    this.members =
        object.properties().stream()
            .filter(member -> !member.getKey().startsWith(XmlForm.ATTRIBUTE))
            .iterator();
  }

  String name() {
    return name;
  }

  List<String> prefixes() {
    return prefixes;
  }

  /** Whether there is a member that is no attribute. */
  boolean hasMember() {
    return members.hasNext();
  }

  /** The next member that is no attribute, or null after the last one. */
  Map.@Nullable Entry<String, JsonNode> nextMember() {
    return members.hasNext() ? members.next() : null;
  }

  /** Begins with the items of an array. */
  void beginItems(Map.Entry<String, JsonNode> array) {
    itemName = array.getKey();
    items = array.getValue().iterator();
  }

  /** Whether the array that was begun has more items. */
  boolean hasItem() {
    return items.hasNext();
  }

  String itemName() {
    return itemName;
  }

  JsonNode nextItem() {
    return items.next();
  }
}
