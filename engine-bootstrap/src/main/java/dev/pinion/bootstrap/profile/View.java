package dev.pinion.bootstrap.profile;

import java.util.List;
import java.util.function.Predicate;

/**
 * One profile, or two that are compared, and which of their rows are looked at.
 *
 * @param profiles one, or the one before and the one after
 * @param rows the rows of each profile, in the same order
 */
record View(List<Profile> profiles, List<List<Row>> rows) {
  /** Copies the lists. */
  View {
    profiles = List.copyOf(profiles);
    rows = List.copyOf(rows);
  }

  /** Rows of profiles that something is true of. */
  static View of(List<Profile> profiles, Predicate<Row> wanted) {
    return new View(
        profiles,
        profiles.stream().map(each -> each.rows().stream().filter(wanted).toList()).toList());
  }

  /** Those of the rows that something is true of. */
  View where(Predicate<Row> wanted) {
    return new View(
        profiles, rows.stream().map(each -> each.stream().filter(wanted).toList()).toList());
  }

  /** The sum of the rows of one profile. */
  double total(int profile) {
    return rows.get(profile).stream().mapToDouble(Row::amount).sum();
  }

  boolean isEmpty() {
    return rows.stream().allMatch(List::isEmpty);
  }
}
