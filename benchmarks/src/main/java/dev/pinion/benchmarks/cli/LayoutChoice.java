package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.bench.Layout;
import java.util.List;

/** Which layouts of the engine are measured; constants are spelt as the option takes them. */
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
