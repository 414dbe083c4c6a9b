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
 */
record Place(
    boolean mayFail,
    boolean mayEnd,
    boolean steady,
    int branch,
    int depth,
    List<String> variables) {
  Place inside() {
    return new Place(mayFail, mayEnd, steady, branch, depth + 1, variables);
  }

  Place mayFail(boolean may) {
    return new Place(may, mayEnd, steady, branch, depth, variables);
  }

  Place with(String... more) {
    List<String> all = new ArrayList<>(variables);
    all.addAll(List.of(more));
    return new Place(mayFail, mayEnd, steady, branch, depth, all);
  }

  /** A branch that ends by itself only, beside others that may end it or not. */
  Place quiet(int number, boolean cancellable) {
    return new Place(false, false, steady || cancellable, number, depth + 1, variables);
  }

  /** A branch that may do what its fork may. */
  Place branch(int number) {
    return new Place(mayFail, mayEnd, steady, number, depth + 1, variables);
  }
}
