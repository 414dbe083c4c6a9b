package dev.pinion.broker.document;

import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.SpellingSuggestion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the problems of a document, up to a limit. */
final class DocumentDiagnostics {
  private final Map<String, Position> positions;
  private final int most;
  private final List<Diagnostic> found = new ArrayList<>();
  private int count;

  /**
   * An empty collection.
   *
   * @param positions positions of values, by pointer
   * @param most the most problems kept
   */
  DocumentDiagnostics(Map<String, Position> positions, int most) {
    this.positions = positions;
    this.most = most;
  }

  /**
   * The beginning of a value.
   *
   * @param line from 1
   * @param column from 1
   */
  record Position(int line, int column) {}

  boolean isEmpty() {
    return count == 0;
  }

  /** Reports a value of another kind than expected. */
  void expected(String expected, LocatedValue locatedValue) {
    add(locatedValue, "expected " + expected + ", found " + locatedValue.describe(), null);
  }

  /** Reports a name that is not one of the known. */
  void unknown(String what, LocatedValue locatedValue, String name, Collection<String> known) {
    String message = "expected " + what + ", found \"" + name + "\"";
    add(locatedValue, message, SpellingSuggestion.of(name, known));
  }

  /** Reports any other problem of a value. */
  void add(LocatedValue locatedValue, String message) {
    add(locatedValue, message, null);
  }

  private void add(LocatedValue locatedValue, String message, @Nullable String suggestion) {
    count++;
    if (found.size() < most) {
      Position at = position(locatedValue.pointer());
      found.add(
          new Diagnostic(locatedValue.pointer(), at.line(), at.column(), message, suggestion));
    }
  }

  /** The position of a value; that of its owner for an absent one. */
  private Position position(String pointer) {
    String at = pointer;
    while (!positions.containsKey(at) && !at.isEmpty()) {
      at = at.substring(0, at.lastIndexOf('/'));
    }
    return positions.getOrDefault(at, new Position(0, 0));
  }

  /** The problems found, in the order of the document. */
  List<Diagnostic> inOrder() {
    List<Diagnostic> all = new ArrayList<>(found);
    all.sort(Comparator.comparingInt(Diagnostic::line).thenComparingInt(Diagnostic::column));
    if (count > most) {
      String rest = "and " + (count - most) + " more problems";
      all.add(new Diagnostic("", 0, 0, rest, null));
    }
    return all;
  }
}
