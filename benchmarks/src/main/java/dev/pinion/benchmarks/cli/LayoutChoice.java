package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.bench.Layout;
import java.util.List;

/** Layouts of the engine to measure; constants are spelt as in the option. */
enum LayoutChoice {
  fused,
  pipelined,
  both;

  List<Layout> layouts() {
    return switch (this) {
      case fused -> List.of(Layout.FUSED);
      case pipelined -> List.of(Layout.PIPELINED);
      case both -> List.of(Layout.FUSED, Layout.PIPELINED);
    };
  }
}
