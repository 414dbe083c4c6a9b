package dev.pinion.benchmarks.chart;

/** Something that can be drawn. */
public sealed interface Figure permits LineChart, DotPlot {
  /** What it is called, above it. */
  String title();

  /** The drawing as an {@code svg} element whose colours are those of {@link Palette#css()}. */
  String svg();
}
