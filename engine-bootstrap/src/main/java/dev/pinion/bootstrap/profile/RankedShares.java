package dev.pinion.bootstrap.profile;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** Shares of rows by name, the largest first. */
public final class RankedShares {
  private RankedShares() {}

  /**
   * A share.
   *
   * @param name name of the method or group
   * @param exclusive part spent in it alone, 0 to 1
   * @param inclusive part spent in it and its callees, 0 to 1
   */
  public record Share(String name, double exclusive, double inclusive) {}

  /** Shares by an attribute of rows; rows without it are left out. */
  public static List<Share> by(List<ProfileRow> rows, Function<ProfileRow, String> name) {
    double total = rows.stream().mapToDouble(ProfileRow::amount).sum();
    Map<String, double[]> sums = new HashMap<>();
    for (ProfileRow profileRow : rows) {
      String key = name.apply(profileRow);
      if (!key.isEmpty()) {
        add(sums, key, 0, profileRow.amount());
        add(sums, key, 1, profileRow.amount());
      }
    }
    return sorted(sums, total);
  }

  /**
   * Shares of packages: exclusive for the innermost one that counts, inclusive for those on the
   * stack.
   */
  public static List<Share> ofPackages(
      Profile profile, List<ProfileRow> rows, PackageGrouping level) {
    return alongStacks(
        profile, rows, stack -> level.counted(stack).stream().map(level::of).toList());
  }

  /** Shares of methods. */
  public static List<Share> ofMethods(Profile profile, List<ProfileRow> rows, boolean folded) {
    PackageGrouping level = new PackageGrouping(PackageGrouping.DEFAULT_LEVEL, folded);
    return alongStacks(profile, rows, level::counted);
  }

  private static List<Share> alongStacks(
      Profile profile, List<ProfileRow> rows, Function<List<String>, List<String>> names) {
    double total = rows.stream().mapToDouble(ProfileRow::amount).sum();
    Map<String, double[]> sums = new HashMap<>();
    for (ProfileRow profileRow : rows) {
      List<String> stack = names.apply(profile.stack(profileRow));
      if (!stack.isEmpty()) {
        add(sums, stack.getLast(), 0, profileRow.amount());
        new HashSet<>(stack).forEach(each -> add(sums, each, 1, profileRow.amount()));
      }
    }
    return sorted(sums, total);
  }

  private static void add(Map<String, double[]> sums, String name, int at, double amount) {
    Objects.requireNonNull(sums.computeIfAbsent(name, _ -> new double[2]))[at] += amount;
  }

  private static List<Share> sorted(Map<String, double[]> sums, double total) {
    double whole = total == 0 ? 1 : total;
    return sums.entrySet().stream()
        .map(
            each ->
                new Share(each.getKey(), each.getValue()[0] / whole, each.getValue()[1] / whole))
        .sorted(
            Comparator.comparingDouble(Share::exclusive)
                .thenComparingDouble(Share::inclusive)
                .reversed()
                .thenComparing(Share::name))
        .toList();
  }
}
