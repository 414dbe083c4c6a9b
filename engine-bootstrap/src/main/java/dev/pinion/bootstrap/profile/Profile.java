package dev.pinion.bootstrap.profile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Profile of processes: rows over a tree of stacks. Immutable.
 *
 * @param header its time and method
 * @param tree the stacks
 * @param rows amounts, in no particular order
 */
public record Profile(Header header, CallTree tree, List<Row> rows) {
  /** Most rows; an amount beyond is added to a row of its kind without a stack. */
  static final int MAX_ROWS = 500_000;

  /** Copies the rows. */
  public Profile {
    rows = List.copyOf(rows);
  }

  /**
   * Time and method of a profile.
   *
   * @param label its name
   * @param began its beginning, in ISO 8601
   * @param seconds its duration
   * @param sampler the event of the flight recorder from which its CPU time is derived
   * @param notes notes for the reader, for instance about missing data; each a sentence
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

  /** This profile under another name. */
  public Profile named(String label) {
    return new Profile(
        new Header(label, header.began(), header.seconds(), header.sampler(), header.notes()),
        tree,
        rows);
  }

  /** Methods of a row, the outermost first. */
  public List<String> stack(Row row) {
    return tree.stack(row.place().node());
  }

  /** Adds up rows with the same place. Used by one thread. */
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
