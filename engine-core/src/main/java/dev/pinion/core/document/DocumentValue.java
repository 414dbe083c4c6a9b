package dev.pinion.core.document;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.document.SourceNode.Form;
import dev.pinion.core.document.SourceNode.Mapping;
import dev.pinion.core.document.SourceNode.Member;
import dev.pinion.core.document.SourceNode.Scalar;
import dev.pinion.core.document.SourceNode.Sequence;
import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A value of a definition at the place where the compiler found it.
 *
 * @param node the value
 * @param pointer its JSON pointer
 * @param keyOffset offset of the key it is under, or of the value itself where it has none
 */
public record DocumentValue(SourceNode node, String pointer, int keyOffset) {
  private static final Pattern SLASH = Pattern.compile("/");
  private static final Pattern INDEX = Pattern.compile("[0-9]{1,9}");

  /** The whole document. */
  public static DocumentValue root(SourceNode node) {
    return new DocumentValue(node, "", node.offset());
  }

  public JsonNode json() {
    return node.json();
  }

  public Payload payload() {
    return Payload.of(node.json());
  }

  public boolean isText() {
    return json().isTextual();
  }

  public boolean isObject() {
    return node instanceof Mapping;
  }

  public boolean isArray() {
    return node instanceof Sequence;
  }

  /** The text of a string; of anything else, the empty text. */
  public String text() {
    return isText() ? json().textValue() : "";
  }

  /** The offset for a problem of this value: that of its key when no value was written. */
  public int offset() {
    return node instanceof Scalar(_, _, var form) && form == Form.ABSENT
        ? keyOffset
        : node.offset();
  }

  /** The member of an object by name. */
  public DocumentValue member(String name, Member member) {
    return new DocumentValue(member.value(), child(name), member.keyOffset());
  }

  /** The members of an object in document order; none for anything else. */
  public List<DocumentValue> members() {
    List<DocumentValue> members = new ArrayList<>();
    if (node instanceof Mapping mapping) {
      mapping.members().forEach((name, member) -> members.add(member(name, member)));
    }
    return members;
  }

  /** The items of an array in order; none for anything else. */
  public List<DocumentValue> items() {
    List<DocumentValue> items = new ArrayList<>();
    if (node instanceof Sequence sequence) {
      for (SourceNode item : sequence.items()) {
        items.add(item(item, items.size()));
      }
    }
    return items;
  }

  private DocumentValue item(SourceNode item, int index) {
    return new DocumentValue(item, pointer + "/" + index, item.offset());
  }

  /**
   * The value at a JSON pointer below this one, or the deepest that exists on the way to it.
   *
   * @param below pointer from here; empty for this value
   */
  public DocumentValue descendant(String below) {
    DocumentValue deepest = this;
    for (String part : SLASH.split(below, -1)) {
      DocumentValue next = part.isEmpty() ? null : deepest.step(part);
      deepest = next == null ? deepest : next;
    }
    return deepest;
  }

  private @Nullable DocumentValue step(String part) {
    String name = part.replace("~1", "/").replace("~0", "~");
    return switch (node) {
      case Mapping mapping -> {
        Member member = mapping.members().get(name);
        yield member == null ? null : member(name, member);
      }
      case Sequence sequence -> {
        int index = INDEX.matcher(name).matches() ? Integer.parseInt(name) : Integer.MAX_VALUE;
        yield index < sequence.items().size() ? item(sequence.items().get(index), index) : null;
      }
      case Scalar _ -> null;
    };
  }

  /** The name under which this value stands: the last part of its pointer. */
  public String name() {
    String last = pointer.substring(pointer.lastIndexOf('/') + 1);
    return last.replace("~1", "/").replace("~0", "~");
  }

  /** The pointer of a member, existing or not. */
  String child(String name) {
    return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
  }
}
