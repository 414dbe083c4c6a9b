package dev.pinion.broker.model;

import java.util.ArrayList;
import java.util.List;

/** Enumerates the implementations of a task. */
public final class ImplementationEnumerator {
  private final AbstractTask task;
  private final SolveOptions solveOptions;
  private final List<Implementation> found = new ArrayList<>();
  private final List<ConcreteService> chosen = new ArrayList<>();

  private ImplementationEnumerator(AbstractTask task, SolveOptions solveOptions) {
    this.task = task;
    this.solveOptions = solveOptions;
  }

  /**
   * All implementations that patterns and options allow: single ones first, then alternates in
   * every order, then parallel ones. Check {@link #count} before: they can be many.
   */
  public static List<Implementation> of(AbstractTask task, SolveOptions solveOptions) {
    return new ImplementationEnumerator(task, solveOptions).enumerate();
  }

  /** Number of results of {@link #of}; {@link Long#MAX_VALUE} when it cannot be counted. */
  public static long count(AbstractTask task, SolveOptions solveOptions) {
    int services = task.services().size();
    double count = task.patterns().contains(CoordinationPattern.SINGLE) ? services : 0;
    if (task.patterns().contains(CoordinationPattern.ALTERNATE)) {
      count += ordered(services, Math.min(services, solveOptions.maxAlternates()));
    }
    if (task.patterns().contains(CoordinationPattern.PARALLEL)) {
      count += unordered(services, Math.min(services, solveOptions.maxParallel()));
    }
    return (long) count; // saturates
  }

  /** Ordered choices of 2 to {@code most} of {@code n}. */
  private static double ordered(int n, int most) {
    double sum = 0;
    double product = n;
    for (int size = 2; size <= most; size++) {
      product *= n - size + 1;
      sum += product;
    }
    return sum;
  }

  /** Choices of 2 to {@code most} of {@code n}. */
  private static double unordered(int n, int most) {
    double sum = 0;
    double product = n;
    for (int size = 2; size <= most; size++) {
      product *= (double) (n - size + 1) / size;
      sum += product;
    }
    return Math.rint(sum);
  }

  private List<Implementation> enumerate() {
    if (task.patterns().contains(CoordinationPattern.SINGLE)) {
      task.services().forEach(each -> found.add(Implementation.single(each)));
    }
    if (task.patterns().contains(CoordinationPattern.ALTERNATE)) {
      for (int size = 2; size <= longest(solveOptions.maxAlternates()); size++) {
        alternates(size);
      }
    }
    if (task.patterns().contains(CoordinationPattern.PARALLEL)) {
      for (int size = 2; size <= longest(solveOptions.maxParallel()); size++) {
        parallels(size, 0);
      }
    }
    return List.copyOf(found);
  }

  private int longest(int allowed) {
    return Math.min(allowed, task.services().size());
  }

  private void alternates(int size) {
    if (chosen.size() == size) {
      found.add(Implementation.alternate(chosen));
      return;
    }
    for (ConcreteService each : task.services()) {
      if (!chosen.contains(each)) {
        chosen.add(each);
        alternates(size);
        chosen.removeLast();
      }
    }
  }

  private void parallels(int size, int from) {
    if (chosen.size() == size) {
      found.add(Implementation.parallel(chosen, solveOptions.parallelResponse()));
      return;
    }
    for (int i = from; i < task.services().size(); i++) {
      chosen.add(task.services().get(i));
      parallels(size, i + 1);
      chosen.removeLast();
    }
  }
}
