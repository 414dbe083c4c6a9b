package dev.pinion.broker.lp;

import java.util.Arrays;
import java.util.BitSet;

/**
 * A program with the data for generating its columns: the columns of the first restricted program,
 * and the groups, each of which adds its best ones. Immutable.
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
   * @param groups group of each column; a column without one is among the initial ones
   */
  public ColumnPool(LinearProgram program, BitSet initial, int[] groups) {
    this.program = program;
    this.initial = (BitSet) initial.clone();
    this.groups = groups.clone();
  }

  /** A program whose columns are all initial. */
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

  /** The pool of another program that has the same columns first; its further ones are initial. */
  ColumnPool extendedTo(LinearProgram other) {
    BitSet more = initial();
    more.set(program.columns(), other.columns());
    return new ColumnPool(other, more, Arrays.copyOf(groups, other.columns()));
  }
}
