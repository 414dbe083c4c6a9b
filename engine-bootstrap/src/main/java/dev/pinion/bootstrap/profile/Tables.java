package dev.pinion.bootstrap.profile;

import java.util.List;
import java.util.function.BiFunction;

/** Tables of a view for page and terminal, each with the largest share first. */
final class Tables {
  private Tables() {}

  static List<Compared> stages(View view) {
    return by(view, row -> row.place().stage().label());
  }

  static List<Compared> groups(View view) {
    return by(view, row -> row.place().group());
  }

  /** Definition and task, separated by a space; only rows that are known to belong to one. */
  static List<Compared> tasks(View view) {
    return by(
        view,
        row ->
            row.place().work().definition().isEmpty()
                ? Row.NONE
                : row.place().work().definition() + " " + row.place().work().task());
  }

  static List<Compared> definitions(View view) {
    return by(view, row -> row.place().work().definition());
  }

  /**
   * Service classes of instances; only rows that are known to belong to an instance with a class.
   */
  static List<Compared> classes(View view) {
    return by(view, row -> row.place().work().serviceClass());
  }

  /** Processes of the engine. */
  static List<Compared> processes(View view) {
    return by(view, row -> row.place().process().name());
  }

  /** Classes of allocated objects, or of locks. */
  static List<Compared> subjects(View view) {
    return by(view, row -> row.place().subject());
  }

  static List<Compared> packages(View view, Packages level) {
    return of(view, (profile, rows) -> Shares.ofPackages(profile, rows, level));
  }

  static List<Compared> methods(View view, boolean folded) {
    return of(view, (profile, rows) -> Shares.ofMethods(profile, rows, folded));
  }

  private static List<Compared> by(View view, java.util.function.Function<Row, String> name) {
    return of(view, (_, rows) -> Shares.by(rows, name));
  }

  private static List<Compared> of(
      View view, BiFunction<Profile, List<Row>, List<Shares.Share>> shares) {
    List<List<Shares.Share>> each = new java.util.ArrayList<>();
    for (int i = 0; i < view.profiles().size(); i++) {
      each.add(shares.apply(view.profiles().get(i), view.rows().get(i)));
    }
    return Compared.of(each);
  }
}
