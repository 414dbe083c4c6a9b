package dev.pinion.benchmarks.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Intervals side by side, one per row: a mark at the middle, a bar from the smallest to the largest
 * value. Rows of one group have one colour and mark.
 */
public record DotPlot(String title, Axis axis, List<PlotRow> rows) implements Figure {
  private static final int WIDTH = 720;
  private static final int LABELS = 230;
  private static final int RIGHT = 30;
  private static final int TOP = 10;
  private static final int ROW = 24;
  private static final int BELOW = 46;
  private static final int LABEL_CHARACTERS = 34;

  /** Copies the rows. */
  public DotPlot {
    rows = List.copyOf(rows);
  }

  /**
   * A row.
   *
   * @param label name of the row
   * @param group name of its group, shown by colour and mark; the label contains it too
   */
  public record PlotRow(String label, String group, Interval value) {}

  @Override
  public String svg() {
    AxisScale scale =
        AxisScale.of(
            rows.stream()
                .flatMapToDouble(r -> DoubleStream.of(r.value().low(), r.value().high()))
                .toArray(),
            axis.logarithmic());
    int bottom = TOP + rows.size() * ROW;
    SvgElement svg = new SvgElement(WIDTH, bottom + BELOW);
    for (double tick : scale.ticks()) {
      double at = at(scale, tick);
      svg.line("grid", at, TOP, at, bottom);
      svg.text("tick", "middle", at, bottom + 17, TickLabels.text(tick));
    }
    svg.line("axis", LABELS, bottom, WIDTH - RIGHT, bottom);
    svg.text("label", "middle", (LABELS + WIDTH - RIGHT) / 2.0, bottom + 36, axis.text());
    List<String> groups = new ArrayList<>(rows.stream().map(PlotRow::group).distinct().toList());
    for (int i = 0; i < rows.size(); i++) {
      draw(svg, rows.get(i), groups.indexOf(rows.get(i).group()), TOP + (i + 0.5) * ROW, scale);
    }
    return svg.svg(title, rows.stream().map(this::says).collect(Collectors.joining("; ")));
  }

  private void draw(SvgElement svg, PlotRow plotRow, int group, double y, AxisScale scale) {
    Interval value = plotRow.value();
    String label = plotRow.label();
    svg.text(
        "row",
        "end",
        LABELS - 10,
        y + 4,
        label.length() <= LABEL_CHARACTERS
            ? label
            : label.substring(0, LABEL_CHARACTERS - 1) + "…");
    if (value.low() < value.high()) {
      String style = "spread " + Palette.colour(group);
      svg.line(style, at(scale, value.low()), y, at(scale, value.high()), y);
    }
    svg.mark(group, at(scale, value.middle()), y, says(plotRow));
  }

  private static double at(AxisScale scale, double value) {
    return LABELS + scale.position(value) * (WIDTH - RIGHT - LABELS);
  }

  private String says(PlotRow plotRow) {
    Interval value = plotRow.value();
    return "%s: %s %s (%s to %s)"
        .formatted(
            plotRow.label(),
            TickLabels.text(value.middle()),
            axis.unit(),
            TickLabels.text(value.low()),
            TickLabels.text(value.high()));
  }
}
