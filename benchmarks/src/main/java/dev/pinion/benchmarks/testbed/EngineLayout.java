package dev.pinion.benchmarks.testbed;

import java.util.Locale;

/** Assignment of the engine's stages to threads. */
public enum EngineLayout {
  /** Request Handler, Kernel and Invoker of an instance on one event loop; a loop for each CPU. */
  FUSED {
    @Override
    String option(int cpus) {
      return "fused:" + cpus;
    }
  },
  /** Each stage on separate event loops: a third of the CPUs for each, at least one loop. */
  PIPELINED {
    @Override
    String option(int cpus) {
      int third = Math.max(1, cpus / 3);
      return "pipelined:" + third + "+" + third + "+" + Math.max(1, cpus - 2 * third);
    }
  };

  /** Value of {@code serve --layout} for an engine with this number of CPUs. */
  abstract String option(int cpus);

  /** Name of the engine in this layout in tables. */
  public String variant() {
    return "engine-" + name().toLowerCase(Locale.ROOT);
  }
}
