package dev.pinion.broker.lp;

import java.util.Arrays;
import java.util.BitSet;

/**
 * A program, and how its columns may be generated: which ones a first restricted program needs, and
 * which belong together, so that each group brings its best ones in. Immutable.
 */
public final class ColumnPool {
  private final LinearProgram program;
  private final BitSet initial;
  private final int[] groups;

  /**
   * Copies what can change.
   *
   * @param program the whole program
   * @param initial columns to begin with
   * @param groups by column, the group it belongs to; what has none is among the initial ones
   */
  public ColumnPool(LinearProgram program, BitSet initial, int[] groups) {
    this.program = program;
    this.initial = (BitSet) initial.clone();
    this.groups = groups.clone();
  }

  /** A program whose columns are all there from the beginning. */
  public static ColumnPool whole(LinearProgram program) {
    BitSet all = new BitSet();
    all.set(0, program.columns());
    return new ColumnPool(program, all, new int[program.columns()]);
  }

  /** The whole program. */
  public LinearProgram program() {
    return program;
  }

  /** A copy of the columns to begin with. */
  BitSet initial() {
    return (BitSet) initial.clone();
  }

  /** The group of a column. */
  int group(int column) {
    return groups[column];
  }

  /** The pool of another program that has the same columns first; what it has more is initial. */
  ColumnPool extendedTo(LinearProgram other) {
    BitSet more = initial();
    more.set(program.columns(), other.columns());
    return new ColumnPool(other, more, Arrays.copyOf(groups, other.columns()));
  }
}
