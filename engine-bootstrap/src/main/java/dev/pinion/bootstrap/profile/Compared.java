package dev.pinion.bootstrap.profile;

import dev.pinion.bootstrap.profile.Shares.Share;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A share in each of the profiles that are looked at.
 *
 * @param name whose
 * @param exclusive part of each profile spent by itself, 0 to 1
 * @param inclusive part of each profile spent by it and what it called, 0 to 1
 */
record Compared(String name, List<Double> exclusive, List<Double> inclusive) {
  /** What is less is written as 0.0 %. */
  private static final double LEAST_VISIBLE = 0.0005;

  /** Copies the lists. */
  Compared {
    exclusive = List.copyOf(exclusive);
    inclusive = List.copyOf(inclusive);
  }

  /** How much of the whole moved there: the share after less the share before. */
  double change() {
    return exclusive.getLast() - exclusive.getFirst();
  }

  /** Whether more of it than 0.0 % is to be shown. */
  boolean isVisible() {
    return Math.max(largest(), largestInclusive()) >= LEAST_VISIBLE;
  }

  /** The same of what was spent by itself alone. */
  boolean isVisibleByItself() {
    return largest() >= LEAST_VISIBLE;
  }

  private double largest() {
    return exclusive.stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  private double largestInclusive() {
    return inclusive.stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  /** Puts the shares of one name side by side, the largest first. */
  static List<Compared> of(List<List<Share>> profiles) {
    Map<String, Compared> byName = new HashMap<>();
    for (int i = 0; i < profiles.size(); i++) {
      for (Share share : profiles.get(i)) {
        Compared known = byName.getOrDefault(share.name(), nothing(share.name(), profiles.size()));
        byName.put(share.name(), Objects.requireNonNull(known).with(i, share));
      }
    }
    return byName.values().stream()
        .sorted(
            Comparator.comparingDouble(Compared::largest)
                .thenComparingDouble(Compared::largestInclusive)
                .reversed()
                .thenComparing(Compared::name))
        .toList();
  }

  /** Those whose share changed most first; as they are when there is nothing to compare. */
  static List<Compared> mostChangedFirst(List<Compared> shares) {
    return shares.stream()
        .sorted(Comparator.comparingDouble((Compared each) -> -Math.abs(each.change())))
        .toList();
  }

  private static Compared nothing(String name, int profiles) {
    List<Double> zeros = java.util.Collections.nCopies(profiles, 0.0);
    return new Compared(name, zeros, zeros);
  }

  private Compared with(int profile, Share share) {
    List<Double> own = new ArrayList<>(exclusive);
    List<Double> all = new ArrayList<>(inclusive);
    own.set(profile, share.exclusive());
    all.set(profile, share.inclusive());
    return new Compared(name, own, all);
  }
}
