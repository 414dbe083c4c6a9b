package dev.pinion.benchmarks.bench;

import java.util.Locale;

/** How the engine lays its stages on threads. */
public enum Layout {
  /** Request Handler, Kernel and Invoker of an instance on one event loop; a loop for each CPU. */
  FUSED {
    @Override
    String option(int cpus) {
      return "fused:" + cpus;
    }
  },
  /** Each stage on event loops of its own: a third of the CPUs for each, at least one loop. */
  PIPELINED {
    @Override
    String option(int cpus) {
      int third = Math.max(1, cpus / 3);
      return "pipelined:" + third + "+" + third + "+" + Math.max(1, cpus - 2 * third);
    }
  };

  /** What {@code serve --layout} takes, for an engine with so many CPUs. */
  abstract String option(int cpus);

  /** What the engine in this layout is called in tables. */
  public String variant() {
    return "engine-" + name().toLowerCase(Locale.ROOT);
  }
}
