package dev.pinion.benchmarks.speedup;

import java.util.Map;

/**
 * Gunther's universal scalability law: {@code S(n) = n / (1 + σ(n-1) + κn(n-1))}.
 *
 * @param contention σ: share of the work that waits for shared resources, 0 to 1
 * @param coherency κ: cost of each pair, such as cache coherence, 0 and above
 */
public record UniversalScalability(double contention, double coherency) {
  /** Fewest points of a fit: two parameters and one degree of freedom. */
  public static final int LEAST_POINTS = 3;

  private static final double FIRST_STEP = 0.25;
  private static final double LAST_STEP = 1e-9;

  /** Speed-up of n. */
  public double speedUp(double n) {
    return n / (1 + contention * (n - 1) + coherency * n * (n - 1));
  }

  /** The n from 1 on with the largest speed-up; infinite without coherency costs. */
  public double best() {
    return Math.max(1, Math.sqrt((1 - contention) / coherency));
  }

  /** Root of the mean squared error over points beyond n = 1. */
  public double error(Map<Integer, Double> speedUps) {
    return Math.sqrt(
        speedUps.entrySet().stream()
            .filter(point -> point.getKey() > 1)
            .mapToDouble(point -> Math.pow(speedUp(point.getKey()) - point.getValue(), 2))
            .average()
            .orElse(0));
  }

  /**
   * The best law, by least squares within the ranges of its parameters.
   *
   * @param speedUps measured speed-up by n, n = 1 among them
   */
  public static UniversalScalability fit(Map<Integer, Double> speedUps) {
    if (speedUps.size() < LEAST_POINTS || !speedUps.containsKey(1)) {
      throw new IllegalArgumentException(
          "expected speed-ups of at least "
              + LEAST_POINTS
              + " n, 1 among them, found "
              + speedUps.keySet());
    }
    UniversalScalability best = new UniversalScalability(0.1, 0.01);
    double step = FIRST_STEP;
    while (step > LAST_STEP) {
      UniversalScalability better = best.neighbour(speedUps, step);
      if (better.equals(best)) {
        step /= 2;
      }
      best = better;
    }
    return best;
  }

  /** The best of this law and those around it. */
  private UniversalScalability neighbour(Map<Integer, Double> speedUps, double step) {
    UniversalScalability best = this;
    for (int i = -1; i <= 1; i++) {
      for (int j = -1; j <= 1; j++) {
        UniversalScalability other =
            new UniversalScalability(
                Math.clamp(contention + i * step, 0, 1), Math.max(0, coherency + j * step));
        if (other.error(speedUps) < best.error(speedUps)) {
          best = other;
        }
      }
    }
    return best;
  }
}
