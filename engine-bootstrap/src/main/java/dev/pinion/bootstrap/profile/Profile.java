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
public record Profile(Header header, CallTree tree, List<ProfileRow> rows) {
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
  public double total(ProfileKind profileKind) {
    return rows.stream()
        .filter(profileRow -> profileRow.place().kind() == profileKind)
        .mapToDouble(ProfileRow::amount)
        .sum();
  }

  /** This profile under another name. */
  public Profile named(String label) {
    return new Profile(
        new Header(label, header.began(), header.seconds(), header.sampler(), header.notes()),
        tree,
        rows);
  }

  /** Methods of a row, the outermost first. */
  public List<String> stack(ProfileRow profileRow) {
    return tree.stack(profileRow.place().node());
  }

  /** Adds up rows with the same place. Used by one thread. */
  static final class Builder {
    private final CallTree tree;
    private final int maxRows;
    private final Map<ProfileRow.Site, double[]> sums = new HashMap<>();

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

    void add(ProfileRow.Site site, double amount, long samples) {
      ProfileRow.Site kept = sums.size() < maxRows || sums.containsKey(site) ? site : rest(site);
      double[] sum = Objects.requireNonNull(sums.computeIfAbsent(kept, _ -> new double[2]));
      sum[0] += amount;
      sum[1] += samples;
    }

    private static ProfileRow.Site rest(ProfileRow.Site site) {
      return new ProfileRow.Site(
          site.kind(),
          site.process(),
          site.group(),
          site.stage(),
          ProfileRow.NO_WORK,
          ProfileRow.NONE,
          CallTree.ROOT);
    }

    Profile build(Header header) {
      List<ProfileRow> rows =
          sums.entrySet().stream()
              .map(
                  each ->
                      new ProfileRow(each.getKey(), each.getValue()[0], (long) each.getValue()[1]))
              .toList();
      return new Profile(header, tree, rows);
    }
  }
}
