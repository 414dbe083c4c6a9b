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
    AxisScale axisScale =
        AxisScale.of(
            rows.stream()
                .flatMapToDouble(r -> DoubleStream.of(r.value().low(), r.value().high()))
                .toArray(),
            axis.logarithmic());
    int bottom = TOP + rows.size() * ROW;
    SvgElement svgElement = new SvgElement(WIDTH, bottom + BELOW);
    for (double tick : axisScale.ticks()) {
      double at = at(axisScale, tick);
      svgElement.line("grid", at, TOP, at, bottom);
      svgElement.text("tick", "middle", at, bottom + 17, TickLabels.text(tick));
    }
    svgElement.line("axis", LABELS, bottom, WIDTH - RIGHT, bottom);
    svgElement.text("label", "middle", (LABELS + WIDTH - RIGHT) / 2.0, bottom + 36, axis.text());
    List<String> groups = new ArrayList<>(rows.stream().map(PlotRow::group).distinct().toList());
    for (int i = 0; i < rows.size(); i++) {
      draw(
          svgElement,
          rows.get(i),
          groups.indexOf(rows.get(i).group()),
          TOP + (i + 0.5) * ROW,
          axisScale);
    }
    return svgElement.svg(title, rows.stream().map(this::says).collect(Collectors.joining("; ")));
  }

  private void draw(
      SvgElement svgElement, PlotRow plotRow, int group, double y, AxisScale axisScale) {
    Interval value = plotRow.value();
    String label = plotRow.label();
    svgElement.text(
        "row",
        "end",
        LABELS - 10,
        y + 4,
        label.length() <= LABEL_CHARACTERS
            ? label
            : label.substring(0, LABEL_CHARACTERS - 1) + "…");
    if (value.low() < value.high()) {
      String style = "spread " + Palette.colour(group);
      svgElement.line(style, at(axisScale, value.low()), y, at(axisScale, value.high()), y);
    }
    svgElement.mark(group, at(axisScale, value.middle()), y, says(plotRow));
  }

  private static double at(AxisScale axisScale, double value) {
    return LABELS + axisScale.position(value) * (WIDTH - RIGHT - LABELS);
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
