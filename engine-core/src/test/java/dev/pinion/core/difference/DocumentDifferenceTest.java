package dev.pinion.core.difference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.difference.DocumentChange.Kind;
import dev.pinion.core.model.Payload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentDifferenceTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text.replace('\'', '"'));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<DocumentChange> changes(JsonNode from, JsonNode to) {
    List<DocumentChange> changes = DocumentDifference.of(Payload.of(from), Payload.of(to));
    assertEquals(to, patched(from, changes), changes::toString);
    return changes;
  }

  private static String brief(String from, String to) {
    return changes(json(from), json(to)).stream()
        .map(
            change ->
                change.kind()
                    + " "
                    + change.pointer()
                    + (change.before() == null ? "" : " -" + change.before())
                    + (change.after() == null ? "" : " +" + change.after()))
        .reduce((a, b) -> a + "; " + b)
        .orElse("");
  }

  /** Makes changes as RFC 6902 has it. */
  private static JsonNode patched(JsonNode document, List<DocumentChange> changes) {
    ObjectNode holder = JSON.createObjectNode();
    holder.set("root", document.deepCopy());
    for (DocumentChange change : changes) {
      JsonPointer pointer = JsonPointer.compile("/root" + change.pointer());
      JsonNode parent = holder.at(pointer.head());
      String last = pointer.last().getMatchingProperty();
      JsonNode before = holder.at(pointer);
      if (change.kind() != Kind.ADD) {
        assertEquals(Objects.requireNonNull(change.before()).json(), before, change::toString);
      }
      Payload after = change.after();
      JsonNode value = after == null ? null : after.json().deepCopy();
      if (parent instanceof ObjectNode object) {
        assertEquals(change.kind() == Kind.ADD, before.isMissingNode(), change::toString);
        if (value == null) {
          object.remove(last);
        } else {
          object.set(last, value);
        }
      } else {
        patch((ArrayNode) parent, Integer.parseInt(last), change.kind(), value);
      }
    }
    return holder.get("root");
  }

  private static void patch(ArrayNode array, int index, Kind kind, @Nullable JsonNode value) {
    switch (kind) {
      case ADD -> array.insert(index, value);
      case REMOVE -> array.remove(index);
      case REPLACE -> array.set(index, value);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "{} # {} # ''",
        "{'a': 1, 'b': 2} # {'b': 2, 'a': 1} # ''",
        "1 # \"x\" # REPLACE  -1 +\"x\"",
        "{'a': 1} # [] # REPLACE  -{\"a\":1} +[]",
        "{'a/b': 1, 'c~d': 2} # {'a/b': 2} # REPLACE /a~1b -1 +2; REMOVE /c~0d -2",
        "{'a': null} # {} # REMOVE /a -null",
        "{} # {'a': null} # ADD /a +null",
        "{'': {'': 1}} # {'': {'': 2}} # REPLACE // -1 +2",
        "[1, 2, 3] # [1, 3] # REMOVE /1 -2",
        "[1, 3] # [1, 2, 3, 4] # ADD /1 +2; ADD /3 +4",
        "[1, 2, 3] # [1, 9, 3] # REPLACE /1 -2 +9",
        "[[1], [2]] # [[1], [3], [4]] # REPLACE /1/0 -2 +3; ADD /2 +[4]",
        "[1, 2, 3, 4] # [4] # REMOVE /0 -1; REMOVE /0 -2; REMOVE /0 -3",
        "{'do': [{'a': {'x': 1}}, {'b': {'y': 1}}]} # {'do': [{'n': {}}, {'a': {'x': 2}}, {'b': {'y': 1}}]}"
            + "# ADD /do/0 +{\"n\":{}}; REPLACE /do/1/a/x -1 +2",
        "[{'a': {'x': 1}}, {'b': {'y': 1}}] # [{'b': {'y': 2}}]"
            + "# REMOVE /0 -{\"a\":{\"x\":1}}; REPLACE /0/b/y -1 +2",
        "[{'a': 1}, {'a': 2}] # [{'a': 1}, {'a': 3}] # REPLACE /1/a -2 +3",
        "[{'a': {'x': 1}}] # [{'c': {'x': 1}}] # REMOVE /0 -{\"a\":{\"x\":1}}; ADD /0 +{\"c\":{\"x\":1}}"
      })
  void shouldTellChanges(String from, String to, String expected) {
    assertEquals(expected, brief(from, to));
  }

  @Test
  void shouldMakeOneDocumentOfAnother() {
    long seed = Long.getLong("pinion.seed", 11);
    Random random = new Random(seed);
    for (int i = 0; i < 3_000; i++) {
      JsonNode from = value(random, 4);
      JsonNode to = random.nextBoolean() ? value(random, 4) : mutated(from.deepCopy(), random);
      changes(from, to);
    }
  }

  private static JsonNode value(Random random, int depth) {
    int kind = random.nextInt(depth == 0 ? 3 : 6);
    return switch (kind) {
      case 0 -> JSON.getNodeFactory().nullNode();
      case 1 -> JSON.getNodeFactory().numberNode(random.nextInt(3));
      case 2 -> JSON.getNodeFactory().textNode("t" + random.nextInt(2));
      case 3 -> {
        ArrayNode array = JSON.createArrayNode();
        for (int i = random.nextInt(5); i > 0; i--) {
          array.add(value(random, depth - 1));
        }
        yield array;
      }
      case 4 -> {
        ArrayNode tasks = JSON.createArrayNode();
        for (int i = random.nextInt(6); i > 0; i--) {
          tasks.addObject().set("n" + random.nextInt(8), value(random, depth - 1));
        }
        yield tasks;
      }
      default -> {
        ObjectNode object = JSON.createObjectNode();
        for (int i = random.nextInt(4); i > 0; i--) {
          object.set("m" + random.nextInt(4), value(random, depth - 1));
        }
        yield object;
      }
    };
  }

  private static JsonNode mutated(JsonNode node, Random random) {
    if (node instanceof ArrayNode array && !array.isEmpty()) {
      int index = random.nextInt(array.size());
      switch (random.nextInt(3)) {
        case 0 -> array.remove(index);
        case 1 -> array.insert(index, value(random, 2));
        default -> array.set(index, mutated(array.get(index), random));
      }
    } else if (node instanceof ObjectNode object && !object.isEmpty()) {
      String name = object.fieldNames().next();
      if (random.nextBoolean()) {
        object.set(name, mutated(object.get(name), random));
      } else {
        object.set("m9", value(random, 2));
      }
    } else {
      return value(random, 2);
    }
    return node;
  }
}
