package dev.pinion.bootstrap.profile;

import java.util.List;
import java.util.function.Predicate;

/**
 * One profile, or two for comparison, and a selection of their rows.
 *
 * @param profiles one, or the earlier and the later one
 * @param rows the rows of each profile, in the same order
 */
record ProfileSelection(List<Profile> profiles, List<List<ProfileRow>> rows) {
  /** Copies the lists. */
  ProfileSelection {
    profiles = List.copyOf(profiles);
    rows = List.copyOf(rows);
  }

  /** The rows of profiles that match a condition. */
  static ProfileSelection of(List<Profile> profiles, Predicate<ProfileRow> wanted) {
    return new ProfileSelection(
        profiles,
        profiles.stream().map(each -> each.rows().stream().filter(wanted).toList()).toList());
  }

  /** The rows that match a further condition. */
  ProfileSelection where(Predicate<ProfileRow> wanted) {
    return new ProfileSelection(
        profiles, rows.stream().map(each -> each.stream().filter(wanted).toList()).toList());
  }

  /** The sum of the rows of one profile. */
  double total(int profile) {
    return rows.get(profile).stream().mapToDouble(ProfileRow::amount).sum();
  }

  boolean isEmpty() {
    return rows.stream().allMatch(List::isEmpty);
  }
}
