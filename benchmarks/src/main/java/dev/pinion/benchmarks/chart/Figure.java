package dev.pinion.benchmarks.chart;

/** A drawable figure. */
public sealed interface Figure permits LineChart, DotPlot {
  /** Title, above the figure. */
  String title();

  /** The drawing as an {@code svg} element whose colours are those of {@link Palette#css()}. */
  String svg();

  /** The drawing as a separate file, with its colours and a background. */
  default String document() {
    String svg = svg();
    int inside = svg.indexOf('>') + 1;
    return svg.substring(0, inside)
        + "\n<style>\n"
        + Palette.css()
        + "</style>\n<rect width=\"100%\" height=\"100%\" style=\"fill:#ffffff;fill:var(--ground)\"/>"
        + svg.substring(inside);
  }
}
