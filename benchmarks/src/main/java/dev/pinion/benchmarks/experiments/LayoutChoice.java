package dev.pinion.benchmarks.experiments;

import dev.pinion.benchmarks.testbed.EngineLayout;
import java.util.List;

/** Layouts of the engine to measure; constants are spelt as in the option. */
public enum LayoutChoice {
  fused,
  pipelined,
  both;

  public List<EngineLayout> layouts() {
    return switch (this) {
      case fused -> List.of(EngineLayout.FUSED);
      case pipelined -> List.of(EngineLayout.PIPELINED);
      case both -> List.of(EngineLayout.FUSED, EngineLayout.PIPELINED);
    };
  }
}
