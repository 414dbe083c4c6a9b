package dev.pinion.core.document;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * A value of a definition and its position. Immutable. A value that a YAML alias repeats is one
 * node with several parents.
 */
public sealed interface SourceNode {
  /** The value as JSON; every call returns the same one. */
  JsonNode json();

  /** Offset of the value's first character. */
  int offset();

  /** Levels of objects and arrays below and including this one; 0 for a scalar. */
  int depth();

  /** Size as compact JSON in characters, escapes not counted. */
  long size();

  /** Notation of a scalar, which determines the position of its characters in the text. */
  enum Form {
    /** Characters stand for themselves; line breaks may be folded. */
    PLAIN,
    /** YAML single quotes: a quote is doubled. */
    SINGLE_QUOTED,
    /** YAML or JSON double quotes: escapes begin with a backslash. */
    DOUBLE_QUOTED,
    /** YAML literal or folded block: a header line, then indented text. */
    BLOCK,
    /** Not written, as the null after a key without a value. */
    ABSENT
  }

  /** A string, number, boolean or null. */
  record Scalar(JsonNode json, int offset, Form form) implements SourceNode {
    @Override
    public int depth() {
      return 0;
    }

    @Override
    public long size() {
      return json.isTextual() ? json.textValue().length() + 2L : json.asText().length();
    }
  }

  /** An array. */
  record Sequence(JsonNode json, int offset, List<SourceNode> items, int depth, long size)
      implements SourceNode {
    /** Copies the list. */
    public Sequence {
      items = List.copyOf(items);
    }
  }

  /** An object; members in document order. */
  record Mapping(JsonNode json, int offset, Map<String, Member> members, int depth, long size)
      implements SourceNode {
    /** Shares the map, which is not modified any more. */
    public Mapping {
      members = Collections.unmodifiableMap(members);
    }
  }

  /**
   * A member of an object.
   *
   * @param keyOffset offset of the key's first character
   */
  record Member(int keyOffset, SourceNode value) {}
}
