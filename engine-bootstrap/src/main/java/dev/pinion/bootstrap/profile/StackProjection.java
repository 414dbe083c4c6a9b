package dev.pinion.bootstrap.profile;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The projection of the Globus paper (HPDC 2005): runs of one library on a stack are collapsed, and
 * weight is charted by package and position on the collapsed stack.
 *
 * @param packages weights of each package by depth, from 0, the outermost
 */
public record StackProjection(Map<String, List<Double>> packages) {
  /** Most positions of a chart. */
  public static final int MAX_DEPTH = 64;

  /** Positions of a chart by default. */
  public static final int DEFAULT_DEPTH = 24;

  /**
   * Projects rows.
   *
   * @param profile profile of the rows
   * @param level naming of packages
   * @param depth charted positions, from 1 to {@value #MAX_DEPTH}; deeper ones are left out
   */
  static StackProjection of(
      Profile profile, List<ProfileRow> rows, PackageGrouping level, int depth) {
    Map<String, Double[]> sums = new TreeMap<>();
    for (ProfileRow profileRow : rows) {
      List<String> runs = level.runs(profile.stack(profileRow));
      for (int at = 0; at < Math.min(depth, runs.size()); at++) {
        Double[] sum =
            Objects.requireNonNull(sums.computeIfAbsent(runs.get(at), _ -> zeros(depth)));
        sum[at] += profileRow.amount();
      }
    }
    Map<String, List<Double>> packages = new TreeMap<>();
    sums.forEach((name, sum) -> packages.put(name, List.of(sum)));
    return new StackProjection(packages);
  }

  private static Double[] zeros(int count) {
    Double[] zeros = new Double[count];
    java.util.Arrays.fill(zeros, 0.0);
    return zeros;
  }
}
