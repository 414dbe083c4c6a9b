package dev.pinion.core.difference;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.difference.DocumentChange.Kind;
import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The changes that make one document the other. Items of arrays are matched: by their names, where
 * all are objects with one member of different names each, as tasks are, else by their values. The
 * order of members does not count.
 */
public final class DocumentDifference {
  private final List<DocumentChange> changes = new ArrayList<>();

  private DocumentDifference() {}

  /** The changes, in the order in which they are made. */
  public static List<DocumentChange> of(Payload from, Payload to) {
    DocumentDifference difference = new DocumentDifference();
    difference.compare("", from.json(), to.json());
    return List.copyOf(difference.changes);
  }

  private void compare(String pointer, JsonNode from, JsonNode to) {
    if (from.isObject() && to.isObject()) {
      compareMembers(pointer, from, to);
    } else if (from.isArray() && to.isArray()) {
      compareItems(pointer, from, to);
    } else if (!from.equals(to)) {
      add(Kind.REPLACE, pointer, from, to);
    }
  }

  private void add(Kind kind, String pointer, @Nullable JsonNode before, @Nullable JsonNode after) {
    changes.add(
        new DocumentChange(
            kind,
            pointer,
            before == null ? null : Payload.of(before),
            after == null ? null : Payload.of(after)));
  }

  private void compareMembers(String pointer, JsonNode from, JsonNode to) {
    Set<String> names = new TreeSet<>();
    from.fieldNames().forEachRemaining(names::add);
    to.fieldNames().forEachRemaining(names::add);
    for (String name : names) {
      String member = pointer + "/" + name.replace("~", "~0").replace("/", "~1");
      JsonNode before = from.get(name);
      JsonNode after = to.get(name);
      if (after == null) {
        add(Kind.REMOVE, member, before, null);
      } else if (before == null) {
        add(Kind.ADD, member, null, after);
      } else {
        compare(member, before, after);
      }
    }
  }

  private void compareItems(String pointer, JsonNode from, JsonNode to) {
    List<String> names = names(from);
    List<String> otherNames = names(to);
    boolean named = names != null && otherNames != null;
    List<Edit> edits =
        names != null && otherNames != null
            ? SequenceDifference.of(names, otherNames)
            : SequenceDifference.of(items(from), items(to));
    int index = 0; // in the array as the changes so far have left it
    int position = 0;
    for (Edit edit : edits) {
      if (named) {
        compareKept(pointer, from, to, position, edit.from(), index);
      }
      index = changed(pointer, index + edit.from() - position, from, to, edit, named);
      position = edit.fromEnd();
    }
    if (named) {
      compareKept(pointer, from, to, position, from.size(), index);
    }
  }

  /** Compares items that stand in both arrays; items of equal names may differ. */
  private void compareKept(
      String pointer, JsonNode from, JsonNode to, int begin, int end, int index) {
    for (int i = begin; i < end; i++) {
      int at = index + i - begin; // the same in the second array
      compare(pointer + "/" + at, from.get(i), to.get(at));
    }
  }

  /** Changes one item into the other where both have one, and removes or adds the rest. */
  private int changed(
      String pointer, int index, JsonNode from, JsonNode to, Edit edit, boolean named) {
    int pairs = named ? 0 : Math.min(edit.removed(), edit.added());
    int at = index;
    for (int i = 0; i < pairs; i++) {
      compare(pointer + "/" + at, from.get(edit.from() + i), to.get(edit.to() + i));
      at++;
    }
    for (int i = edit.from() + pairs; i < edit.fromEnd(); i++) {
      add(Kind.REMOVE, pointer + "/" + at, from.get(i), null);
    }
    for (int i = edit.to() + pairs; i < edit.toEnd(); i++) {
      add(Kind.ADD, pointer + "/" + at, null, to.get(i));
      at++;
    }
    return at;
  }

  private static List<JsonNode> items(JsonNode array) {
    List<JsonNode> items = new ArrayList<>(array.size());
    array.forEach(items::add);
    return items;
  }

  /** The names of the items of a list of tasks; null when the array is none. */
  private static @Nullable List<String> names(JsonNode array) {
    List<String> names = new ArrayList<>(array.size());
    Set<String> different = new HashSet<>();
    for (JsonNode item : array) {
      if (!item.isObject() || item.size() != 1) {
        return null;
      }
      String name = item.fieldNames().next();
      names.add(name);
      if (!different.add(name)) {
        return null;
      }
    }
    return names;
  }
}
