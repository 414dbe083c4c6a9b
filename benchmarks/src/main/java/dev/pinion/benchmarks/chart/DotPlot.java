package dev.pinion.benchmarks.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Intervals side by side, one per row: a mark at the middle, a bar from the smallest to the largest
 * value. Rows of one group have one colour and mark.
 */
public record DotPlot(String title, Axis axis, List<Row> rows) implements Figure {
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
  public record Row(String label, String group, Interval value) {}

  @Override
  public String svg() {
    Scale scale =
        Scale.of(
            rows.stream()
                .flatMapToDouble(r -> DoubleStream.of(r.value().low(), r.value().high()))
                .toArray(),
            axis.logarithmic());
    int bottom = TOP + rows.size() * ROW;
    Drawing drawing = new Drawing(WIDTH, bottom + BELOW);
    for (double tick : scale.ticks()) {
      double at = at(scale, tick);
      drawing.line("grid", at, TOP, at, bottom);
      drawing.text("tick", "middle", at, bottom + 17, Numbers.text(tick));
    }
    drawing.line("axis", LABELS, bottom, WIDTH - RIGHT, bottom);
    drawing.text("label", "middle", (LABELS + WIDTH - RIGHT) / 2.0, bottom + 36, axis.text());
    List<String> groups = new ArrayList<>(rows.stream().map(Row::group).distinct().toList());
    for (int i = 0; i < rows.size(); i++) {
      draw(drawing, rows.get(i), groups.indexOf(rows.get(i).group()), TOP + (i + 0.5) * ROW, scale);
    }
    return drawing.svg(title, rows.stream().map(this::says).collect(Collectors.joining("; ")));
  }

  private void draw(Drawing drawing, Row row, int group, double y, Scale scale) {
    Interval value = row.value();
    String label = row.label();
    drawing.text(
        "row",
        "end",
        LABELS - 10,
        y + 4,
        label.length() <= LABEL_CHARACTERS
            ? label
            : label.substring(0, LABEL_CHARACTERS - 1) + "…");
    if (value.low() < value.high()) {
      String style = "spread " + Palette.colour(group);
      drawing.line(style, at(scale, value.low()), y, at(scale, value.high()), y);
    }
    drawing.mark(group, at(scale, value.middle()), y, says(row));
  }

  private static double at(Scale scale, double value) {
    return LABELS + scale.place(value) * (WIDTH - RIGHT - LABELS);
  }

  private String says(Row row) {
    Interval value = row.value();
    return "%s: %s %s (%s to %s)"
        .formatted(
            row.label(),
            Numbers.text(value.middle()),
            axis.unit(),
            Numbers.text(value.low()),
            Numbers.text(value.high()));
  }
}
