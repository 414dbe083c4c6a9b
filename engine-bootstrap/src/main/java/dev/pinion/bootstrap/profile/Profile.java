package dev.pinion.bootstrap.profile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What processes spent their time on: rows over a tree of stacks. Immutable.
 *
 * @param header when and how it came about
 * @param tree the stacks
 * @param rows what was spent, in no particular order
 */
public record Profile(Header header, CallTree tree, List<Row> rows) {
  /** Rows at most; what has no row is added to one of its kind without a stack. */
  static final int MAX_ROWS = 500_000;

  /** Copies the rows. */
  public Profile {
    rows = List.copyOf(rows);
  }

  /**
   * When and how a profile came about.
   *
   * @param label what it is called
   * @param began when, in the form of ISO 8601
   * @param seconds how long
   * @param sampler the event of the flight recorder that its CPU time is from
   * @param notes what a reader must know, such as what is missing; each a sentence
   */
  public record Header(
      String label, String began, double seconds, String sampler, List<String> notes) {
    /** Copies the notes. */
    public Header {
      notes = List.copyOf(notes);
    }
  }

  /** The sum of all rows of a kind. */
  public double total(Kind kind) {
    return rows.stream().filter(row -> row.place().kind() == kind).mapToDouble(Row::amount).sum();
  }

  /** The same under another name. */
  public Profile named(String label) {
    return new Profile(
        new Header(label, header.began(), header.seconds(), header.sampler(), header.notes()),
        tree,
        rows);
  }

  /** The methods of a row, the outermost first. */
  public List<String> stack(Row row) {
    return tree.stack(row.place().node());
  }

  /** Adds rows of one place together. For one thread. */
  static final class Builder {
    private final CallTree tree;
    private final int maxRows;
    private final Map<Row.Place, double[]> sums = new HashMap<>();

    Builder(CallTree tree) {
      this(tree, MAX_ROWS);
    }

    Builder(CallTree tree, int maxRows) {
      this.tree = tree;
      this.maxRows = maxRows;
    }

    CallTree tree() {
      return tree;
    }

    void add(Row.Place place, double amount, long samples) {
      Row.Place kept = sums.size() < maxRows || sums.containsKey(place) ? place : rest(place);
      double[] sum = Objects.requireNonNull(sums.computeIfAbsent(kept, _ -> new double[2]));
      sum[0] += amount;
      sum[1] += samples;
    }

    private static Row.Place rest(Row.Place place) {
      return new Row.Place(
          place.kind(),
          place.process(),
          place.group(),
          place.stage(),
          Row.NO_WORK,
          Row.NONE,
          CallTree.ROOT);
    }

    Profile build(Header header) {
      List<Row> rows =
          sums.entrySet().stream()
              .map(each -> new Row(each.getKey(), each.getValue()[0], (long) each.getValue()[1]))
              .toList();
      return new Profile(header, tree, rows);
    }
  }
}
