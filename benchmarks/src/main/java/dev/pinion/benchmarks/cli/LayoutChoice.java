package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.bench.EngineLayout;
import java.util.List;

/** Layouts of the engine to measure; constants are spelt as in the option. */
enum LayoutChoice {
  fused,
  pipelined,
  both;

  List<EngineLayout> layouts() {
    return switch (this) {
      case fused -> List.of(EngineLayout.FUSED);
      case pipelined -> List.of(EngineLayout.PIPELINED);
      case both -> List.of(EngineLayout.FUSED, EngineLayout.PIPELINED);
    };
  }
}
