package dev.pinion.broker.lp;

import java.util.BitSet;
import java.util.Random;

/** Small programs for tests. */
final class Programs {
  static final double INFINITE = Double.POSITIVE_INFINITY;

  private Programs() {}

  /** Max 3x + 2y with x + y <= 4, x + 3y <= 7, x <= 3: optimum 11 at (3, 1), prices 2, 0. */
  static LinearProgram small() {
    LinearProgram.Builder builder = new LinearProgram.Builder();
    int first = builder.row("first", -INFINITE, 4);
    int second = builder.row("second", -INFINITE, 7);
    builder.column("x", 0, 3, 3);
    builder.entry(first, 1).entry(second, 1);
    builder.column("y", 0, INFINITE, 2);
    builder.entry(first, 1).entry(second, 3);
    return builder.build();
  }

  /** x = 1 and x + slack-free bound x >= 2: no solution, by 1 of a bound of 2. */
  static LinearProgram withoutSolution() {
    LinearProgram.Builder builder = new LinearProgram.Builder();
    int same = builder.row("same", 1, 1);
    int more = builder.row("more", 2, INFINITE);
    builder.column("x", 0, INFINITE, 1);
    builder.entry(same, 1).entry(more, 1);
    return builder.build();
  }

  /**
   * Groups of columns that share one each, under common limits: like the broker's programs, and
   * large enough to generate columns.
   */
  static ColumnPool large(long seed, int groups, int columnsOfGroup) {
    Random random = new Random(seed);
    LinearProgram.Builder builder = new LinearProgram.Builder();
    int limits = 5;
    for (int i = 0; i < limits; i++) {
      builder.row("limit:" + i, -INFINITE, groups * (0.6 + 0.1 * i));
    }
    for (int g = 0; g < groups; g++) {
      builder.row("group:" + g, 1, 1);
    }
    BitSet initial = new BitSet();
    int[] groupOf = new int[groups * columnsOfGroup];
    for (int g = 0; g < groups; g++) {
      for (int c = 0; c < columnsOfGroup; c++) {
        int column = builder.column("x:" + g + ":" + c, 0, INFINITE, random.nextDouble());
        builder.entry(limits + g, 1);
        for (int i = 0; i < limits; i++) {
          builder.entry(i, random.nextDouble() * 1.5);
        }
        groupOf[column] = g;
        if (c == 0) {
          initial.set(column);
        }
      }
    }
    return new ColumnPool(builder.build(), initial, groupOf);
  }
}
