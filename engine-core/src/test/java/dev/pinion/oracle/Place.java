package dev.pinion.oracle;

import java.util.ArrayList;
import java.util.List;

/**
 * A place in a random process, with the constraints that keep its outcome independent of races: of
 * parallel branches only one may end the others, and those call only services whose answers depend
 * on the request alone, however often it is sent.
 *
 * @param mayFail whether an error may leave this place
 * @param mayEnd whether the workflow may end here
 * @param steady whether services answer every call here
 * @param branch number of the branch
 * @param depth tasks around this place
 * @param variables variables of loops and catches around it
 * @param undoing how tasks here may be undone
 * @param sideBySide whether tasks here run for several items at the same time
 */
record Place(
    boolean mayFail,
    boolean mayEnd,
    boolean steady,
    int branch,
    int depth,
    List<String> variables,
    Undoing undoing,
    boolean sideBySide) {
  /** Before the number of an item, so that no other branch has the number of both together. */
  private static final int FIRST_LANES = 100;

  /** How tasks may be undone. */
  enum Undoing {
    /** Not at all: the process may be ended from outside, and would undo them in its own time. */
    NEVER,
    /** In a way that never fails: the failure would leave a place that no error may leave. */
    SURELY,
    /** In any way. */
    PERHAPS;

    Undoing surely() {
      return this == NEVER ? NEVER : SURELY;
    }
  }

  /** A place of a process that somebody begins. */
  static Place start(boolean mayFail, boolean steady, int branch, int depth, Undoing undoing) {
    return new Place(mayFail, true, steady, branch, depth, List.of(), undoing, false);
  }

  Place inside() {
    return new Place(mayFail, mayEnd, steady, branch, depth + 1, variables, undoing, sideBySide);
  }

  /** Within a {@code try} here. */
  Place tried() {
    Undoing within = mayFail ? undoing : undoing.surely();
    return new Place(true, mayEnd, steady, branch, depth + 1, variables, within, sideBySide);
  }

  Place mayFail(boolean may) {
    return new Place(may, mayEnd, steady, branch, depth, variables, undoing, sideBySide);
  }

  Place with(String... more) {
    List<String> all = new ArrayList<>(variables);
    all.addAll(List.of(more));
    return new Place(mayFail, mayEnd, steady, branch, depth, all, undoing, sideBySide);
  }

  /** Within the compensation of a task here. */
  Place compensation() {
    boolean may = undoing == Undoing.PERHAPS;
    return new Place(may, false, steady, branch, depth, variables, Undoing.NEVER, sideBySide)
        .with("error", "output");
  }

  /** A branch that ends by itself only, beside others that may end it or not. */
  Place quiet(int number, boolean cancellable) {
    Undoing own = cancellable ? undoing.surely() : undoing;
    return new Place(
        false, false, steady || cancellable, number, depth + 1, variables, own, sideBySide);
  }

  /** Where tasks run for all items at the same time; each item is a branch of its own. */
  Place lanes(int number) {
    return new Place(
        false, false, steady, FIRST_LANES + number, depth + 1, variables, undoing, true);
  }

  /** A branch that may do what its fork may. */
  Place branch(int number) {
    return new Place(mayFail, mayEnd, steady, number, depth + 1, variables, undoing, sideBySide);
  }
}
