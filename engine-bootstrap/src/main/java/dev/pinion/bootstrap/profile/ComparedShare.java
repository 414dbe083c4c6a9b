package dev.pinion.bootstrap.profile;

import dev.pinion.bootstrap.profile.RankedShares.Share;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Shares in each of the compared profiles.
 *
 * @param name name of the method or group
 * @param exclusive part of each profile spent in it alone, 0 to 1
 * @param inclusive part of each profile spent in it and its callees, 0 to 1
 */
record ComparedShare(String name, List<Double> exclusive, List<Double> inclusive) {
  /** Smaller values are written as 0.0 %. */
  private static final double LEAST_VISIBLE = 0.0005;

  /** Copies the lists. */
  ComparedShare {
    exclusive = List.copyOf(exclusive);
    inclusive = List.copyOf(inclusive);
  }

  /** Change of its share: the later share minus the earlier one. */
  double change() {
    return exclusive.getLast() - exclusive.getFirst();
  }

  /** Whether it would be shown as more than 0.0 %. */
  boolean isVisible() {
    return Math.max(largest(), largestInclusive()) >= LEAST_VISIBLE;
  }

  /** Whether its exclusive share alone would be shown as more than 0.0 %. */
  boolean isVisibleByItself() {
    return largest() >= LEAST_VISIBLE;
  }

  private double largest() {
    return exclusive.stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  private double largestInclusive() {
    return inclusive.stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  /** Puts the shares of each name side by side, the largest first. */
  static List<ComparedShare> of(List<List<Share>> profiles) {
    Map<String, ComparedShare> byName = new HashMap<>();
    for (int i = 0; i < profiles.size(); i++) {
      for (Share share : profiles.get(i)) {
        ComparedShare known =
            byName.getOrDefault(share.name(), nothing(share.name(), profiles.size()));
        byName.put(share.name(), Objects.requireNonNull(known).with(i, share));
      }
    }
    return byName.values().stream()
        .sorted(
            Comparator.comparingDouble(ComparedShare::largest)
                .thenComparingDouble(ComparedShare::largestInclusive)
                .reversed()
                .thenComparing(ComparedShare::name))
        .toList();
  }

  /** The shares with the largest change first; unchanged if there is nothing to compare. */
  static List<ComparedShare> mostChangedFirst(List<ComparedShare> shares) {
    return shares.stream()
        .sorted(Comparator.comparingDouble((ComparedShare each) -> -Math.abs(each.change())))
        .toList();
  }

  private static ComparedShare nothing(String name, int profiles) {
    List<Double> zeros = java.util.Collections.nCopies(profiles, 0.0);
    return new ComparedShare(name, zeros, zeros);
  }

  private ComparedShare with(int profile, Share share) {
    List<Double> own = new ArrayList<>(exclusive);
    List<Double> all = new ArrayList<>(inclusive);
    own.set(profile, share.exclusive());
    all.set(profile, share.inclusive());
    return new ComparedShare(name, own, all);
  }
}
