package dev.pinion.broker.lp;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SolutionCheckTest {
  private final LinearProgram program = Programs.small();

  @Test
  void shouldAcceptAnOptimumWithItsPrices() {
    SolutionCheck check = check(new double[] {3, 1}, new double[] {2, 0});

    assertTrue(check.isProved(), check::toString);
    assertTrue(check.gap() <= 1e-15 && check.residual() <= 1e-15, check::toString);
  }

  @Test
  void shouldRefuseWhatIsNone() {
    refuses("first broken", new double[] {3, 1.0001}, new double[] {2, 0});
    refuses("x broken", new double[] {3.0001, 0.9999}, new double[] {2, 0});
    refuses("y broken", new double[] {3, -0.0001}, new double[] {2, 0});
    refuses("the bound", new double[] {3, 0.9}, new double[] {2, 0});
    refuses("the bound", new double[] {3, 1}, new double[] {2.0001, 0});
    refuses("y gain", new double[] {3, 1}, new double[] {1.9, 0});
    refuses("first gain", new double[] {3, 1}, new double[] {-2, 4});
  }

  @Test
  void shouldRefuseGarbage() {
    refuses("finite", new double[] {3, Double.NaN}, new double[] {2, 0});
    refuses("finite", new double[] {3, 1}, new double[] {2, Double.POSITIVE_INFINITY});
    refuses("2 values", new double[] {3}, new double[] {2, 0});
    refuses("2 prices", new double[] {3, 1}, new double[] {2, 0, 0});
    refuses("the bound", new double[] {0, 0}, new double[] {2, 0});
  }

  @Test
  void shouldLookAtColumnsTheSolverNeverSaw() {
    LinearProgram.Builder builder = program.withRows();
    program.copyColumn(0, builder, 3);
    program.copyColumn(1, builder, 2);
    builder.column("better", 0, Programs.INFINITE, 10);
    builder.entry(0, 1);
    Solution.ClaimedOptimum claim =
        new Solution.ClaimedOptimum(new double[] {3, 1}, new double[] {2, 0})
            .spread(new int[] {0, 1}, 3);

    SolutionCheck check = SolutionCheck.of(builder.build(), claim);

    assertTrue(String.valueOf(check.refusal()).contains("better gain"), check::toString);
  }

  @Test
  void shouldRefuseProgramsThatMakeNoSense() {
    LinearProgram.Builder builder = new LinearProgram.Builder();
    builder.row("row", 0, 1);
    assertThrows(IllegalArgumentException.class, () -> builder.row("row", 0, 1));
    assertThrows(IllegalArgumentException.class, () -> builder.row("other", 1, 0));
    assertThrows(IllegalArgumentException.class, () -> builder.row("other", Double.NaN, 0));
    assertThrows(IllegalArgumentException.class, () -> builder.column("x", 1, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> builder.column("x", 0, 1, Double.NaN));
    builder.column("x", 0, 1, 1);
    assertThrows(IllegalArgumentException.class, () -> builder.entry(0, Double.POSITIVE_INFINITY));
  }

  @Test
  void shouldPrintAProgram() {
    String text = program.toString();

    assertTrue(text.startsWith("maximise 0.0 + 3.0 x + 2.0 y\n"), text);
    assertTrue(text.contains("second: -Infinity <= + 1.0 x + 3.0 y <= 7.0\n"), text);
    assertTrue(text.contains("0.0 <= x <= 3.0\n"), text);
  }

  private SolutionCheck check(double[] values, double[] duals) {
    return SolutionCheck.of(program, new Solution.ClaimedOptimum(values, duals));
  }

  private void refuses(String reason, double[] values, double[] duals) {
    SolutionCheck check = check(values, duals);
    assertFalse(check.isProved(), reason);
    assertTrue(String.valueOf(check.refusal()).contains(reason), check::toString);
  }
}
