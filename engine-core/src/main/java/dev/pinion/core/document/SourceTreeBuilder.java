package dev.pinion.core.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.document.SourceNode.Mapping;
import dev.pinion.core.document.SourceNode.Member;
import dev.pinion.core.document.SourceNode.Sequence;
import dev.pinion.core.limits.EngineLimits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds the document tree from a reader's events, in order, and enforces the limits on depth and
 * size. Both count a repeated value each time, so a few characters of YAML aliases cannot become a
 * tree too large to walk.
 */
final class SourceTreeBuilder {
  private final int maxDepth;
  private final int maxSize;
  private final Deque<Frame> open = new ArrayDeque<>();
  private @Nullable SourceNode root;

  SourceTreeBuilder(EngineLimits limits) {
    this.maxDepth = limits.json().maxDepth();
    this.maxSize = limits.definition().maxBytes();
  }

  /** Whether the next event must be the key of a member. */
  boolean expectsKey() {
    Frame frame = open.peek();
    return frame != null && frame.members != null && frame.key == null;
  }

  void startMapping(int offset) throws DocumentSyntaxException {
    start(new Frame(offset, new LinkedHashMap<>()));
  }

  void startSequence(int offset) throws DocumentSyntaxException {
    start(new Frame(offset, null));
  }

  void key(String name, int offset) throws DocumentSyntaxException {
    Frame frame = open.element();
    if (frame.members != null && frame.members.containsKey(name)) {
      throw new DocumentSyntaxException(
          offset, "expected each key once, found \"" + name + "\" again at " + pointer(name));
    }
    frame.key = name;
    frame.keyOffset = offset;
    frame.grow(name.length() + 3L);
  }

  /** Pointer to a member of the innermost object (RFC 6901). */
  private String pointer(String name) {
    StringBuilder pointer = new StringBuilder();
    for (Iterator<Frame> frames = open.descendingIterator(); frames.hasNext(); ) {
      Frame frame = frames.next();
      String step = frame.members == null ? Integer.toString(frame.items.size()) : frame.key;
      String reference = step == null ? name : step;
      pointer.append('/').append(reference.replace("~", "~0").replace("/", "~1"));
    }
    return pointer.toString();
  }

  /** Adds a value to the innermost object or array, or makes it the root. */
  void add(SourceNode node) throws DocumentSyntaxException {
    add(node, node.offset());
  }

  /** Adds a value that is repeated at another place. */
  void add(SourceNode node, int offset) throws DocumentSyntaxException {
    Frame frame = open.peek();
    if (frame == null) {
      root = node;
      return;
    }
    checkDepth(open.size() + node.depth(), offset);
    frame.add(node);
    if (frame.size > maxSize) {
      throw new DocumentSyntaxException(
          offset,
          "expected a document of at most "
              + maxSize
              + " bytes (definition.maxBytes), found more once its aliases are resolved");
    }
  }

  /** Closes the innermost object or array. */
  SourceNode end() throws DocumentSyntaxException {
    SourceNode done = open.pop().finish();
    add(done);
    return done;
  }

  /** The document read, or null when it was empty. */
  @Nullable SourceNode root() {
    return root;
  }

  private void start(Frame frame) throws DocumentSyntaxException {
    checkDepth(open.size() + 1, frame.offset);
    open.push(frame);
  }

  private void checkDepth(int depth, int offset) throws DocumentSyntaxException {
    if (depth > maxDepth) {
      throw new DocumentSyntaxException(
          offset,
          "expected nesting of at most " + maxDepth + " levels (json.maxDepth), found more");
    }
  }

  /** An object or array that is being read. */
  private static final class Frame {
    private final int offset;
    private final @Nullable Map<String, Member> members;
    private final ObjectNode object = JsonNodeFactory.instance.objectNode();
    private final ArrayNode array = JsonNodeFactory.instance.arrayNode();
    private final List<SourceNode> items = new ArrayList<>();
    private @Nullable String key;
    private int keyOffset;
    private int depth = 1;
    private long size = 2;

    Frame(int offset, @Nullable Map<String, Member> members) {
      this.offset = offset;
      this.members = members;
    }

    void grow(long characters) {
      size += characters;
    }

    void add(SourceNode node) {
      JsonNode json = node.json();
      if (members != null && key != null) {
        members.put(key, new Member(keyOffset, node));
        object.set(key, json);
        key = null;
      } else {
        items.add(node);
        array.add(json);
      }
      depth = Math.max(depth, node.depth() + 1);
      grow(node.size() + 1);
    }

    SourceNode finish() {
      return members != null
          ? new Mapping(object, offset, members, depth, size)
          : new Sequence(array, offset, items, depth, size);
    }
  }
}
