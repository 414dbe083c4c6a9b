package dev.pinion.bootstrap.profile;

import java.util.List;
import java.util.function.BiFunction;

/** Tables of a view for page and terminal, each with the largest share first. */
final class ProfileTables {
  private ProfileTables() {}

  static List<ComparedShare> stages(ProfileSelection profileSelection) {
    return by(profileSelection, profileRow -> profileRow.place().stage().label());
  }

  static List<ComparedShare> groups(ProfileSelection profileSelection) {
    return by(profileSelection, profileRow -> profileRow.place().group());
  }

  /** Definition and task, separated by a space; only rows that are known to belong to one. */
  static List<ComparedShare> tasks(ProfileSelection profileSelection) {
    return by(
        profileSelection,
        profileRow ->
            profileRow.place().work().definition().isEmpty()
                ? ProfileRow.NONE
                : profileRow.place().work().definition() + " " + profileRow.place().work().task());
  }

  static List<ComparedShare> definitions(ProfileSelection profileSelection) {
    return by(profileSelection, profileRow -> profileRow.place().work().definition());
  }

  /**
   * Service classes of instances; only rows that are known to belong to an instance with a class.
   */
  static List<ComparedShare> classes(ProfileSelection profileSelection) {
    return by(profileSelection, profileRow -> profileRow.place().work().serviceClass());
  }

  /** Processes of the engine. */
  static List<ComparedShare> processes(ProfileSelection profileSelection) {
    return by(profileSelection, profileRow -> profileRow.place().process().name());
  }

  /** Classes of allocated objects, or of locks. */
  static List<ComparedShare> subjects(ProfileSelection profileSelection) {
    return by(profileSelection, profileRow -> profileRow.place().subject());
  }

  static List<ComparedShare> packages(ProfileSelection profileSelection, PackageGrouping level) {
    return of(profileSelection, (profile, rows) -> RankedShares.ofPackages(profile, rows, level));
  }

  static List<ComparedShare> methods(ProfileSelection profileSelection, boolean folded) {
    return of(profileSelection, (profile, rows) -> RankedShares.ofMethods(profile, rows, folded));
  }

  private static List<ComparedShare> by(
      ProfileSelection profileSelection, java.util.function.Function<ProfileRow, String> name) {
    return of(profileSelection, (_, rows) -> RankedShares.by(rows, name));
  }

  private static List<ComparedShare> of(
      ProfileSelection profileSelection,
      BiFunction<Profile, List<ProfileRow>, List<RankedShares.Share>> shares) {
    List<List<RankedShares.Share>> each = new java.util.ArrayList<>();
    for (int i = 0; i < profileSelection.profiles().size(); i++) {
      each.add(shares.apply(profileSelection.profiles().get(i), profileSelection.rows().get(i)));
    }
    return ComparedShare.of(each);
  }
}
