package dev.pinion.benchmarks.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Series of intervals over a quantity: a mark and a line through the middles, a bar from the
 * smallest to the largest value.
 */
public record LineChart(String title, Axis x, Axis y, List<Series> series) implements Figure {
  private static final int WIDTH = 720;
  private static final int PLOT_HEIGHT = 300;
  private static final int LEFT = 78;
  private static final int RIGHT = 30;
  private static final int TOP = 12;
  private static final int BELOW = 52;
  private static final int LEGEND_LINE = 20;
  private static final int MOST_PLACES = 16;
  private static final int LEAST_TICK_DISTANCE = 34;

  /** Copies the series. */
  public LineChart {
    series = List.copyOf(series);
  }

  /**
   * Points that belong together.
   *
   * @param name its name in the legend
   * @param points its points in the order of the line
   */
  public record Series(String name, List<Point> points) {
    /** Copies the points. */
    public Series {
      points = List.copyOf(points);
    }
  }

  /** An interval at a place. */
  public record Point(double at, Interval value) {}

  /** A single place has no line: its values are drawn side by side. */
  @Override
  public String svg() {
    return positions().length < 2 ? sideBySide().svg() : lines();
  }

  private DotPlot sideBySide() {
    List<DotPlot.PlotRow> rows =
        series.stream()
            .flatMap(
                one ->
                    one.points().stream()
                        .map(point -> new DotPlot.PlotRow(one.name(), one.name(), point.value())))
            .toList();
    return new DotPlot(title, y, rows);
  }

  /** Measured places, in rising order. */
  private double[] positions() {
    return points().mapToDouble(Point::at).sorted().distinct().toArray();
  }

  private String lines() {
    AxisScale across = AxisScale.of(points().mapToDouble(Point::at).toArray(), x.logarithmic());
    AxisScale up =
        AxisScale.of(
            points()
                .flatMapToDouble(p -> DoubleStream.of(p.value().low(), p.value().high()))
                .toArray(),
            y.logarithmic());
    int bottom = TOP + PLOT_HEIGHT;
    SvgElement svg = new SvgElement(WIDTH, bottom + BELOW + series.size() * LEGEND_LINE);
    drawAxes(svg, across, up);
    for (int i = 0; i < series.size(); i++) {
      draw(svg, i, across, up);
      double y0 = bottom + BELOW + 4 + i * LEGEND_LINE;
      svg.add(polyline(i, LEFT + " " + y0 + " " + (LEFT + 34) + " " + y0));
      svg.add(Palette.mark(i, LEFT + 17, y0));
      svg.text("legend", "start", LEFT + 44, y0 + 4, series.get(i).name());
    }
    return svg.svg(title, description());
  }

  private Stream<Point> points() {
    return series.stream().flatMap(one -> one.points().stream());
  }

  private void drawAxes(SvgElement svg, AxisScale across, AxisScale up) {
    int bottom = TOP + PLOT_HEIGHT;
    for (double tick : up.ticks()) {
      double at = upAt(up, tick);
      svg.line("grid", LEFT, at, WIDTH - RIGHT, at);
      svg.text("tick", "end", LEFT - 8, at + 4, TickLabels.text(tick));
    }
    for (double tick : offsets(across)) {
      double at = acrossAt(across, tick);
      svg.line("axis", at, bottom, at, bottom + 5);
      svg.text("tick", "middle", at, bottom + 19, TickLabels.text(tick));
    }
    svg.line("axis", LEFT, bottom, WIDTH - RIGHT, bottom);
    svg.line("axis", LEFT, TOP, LEFT, bottom);
    svg.text("label", "middle", (LEFT + WIDTH - RIGHT) / 2.0, bottom + 38, x.text());
    svg.upwards(16, TOP + PLOT_HEIGHT / 2.0, y.text());
  }

  /**
   * Measured places, without those whose numbers would cover others; round ones if there are many.
   */
  private List<Double> offsets(AxisScale across) {
    if (positions().length > MOST_PLACES) {
      return across.ticks();
    }
    List<Double> ticks = new ArrayList<>();
    double last = Double.NEGATIVE_INFINITY;
    for (double place : positions()) {
      double at = acrossAt(across, place);
      if (at - last >= LEAST_TICK_DISTANCE) {
        ticks.add(place);
        last = at;
      }
    }
    return ticks;
  }

  private void draw(SvgElement svg, int number, AxisScale across, AxisScale up) {
    Series one = series.get(number);
    String path =
        one.points().stream()
            .map(
                point ->
                    TickLabels.pixels(acrossAt(across, point.at()))
                        + " "
                        + TickLabels.pixels(upAt(up, point.value().middle())))
            .collect(Collectors.joining(" "));
    svg.add(polyline(number, path));
    for (Point point : one.points()) {
      double at = acrossAt(across, point.at());
      Interval value = point.value();
      if (value.low() < value.high()) {
        String style = "spread " + Palette.colour(number);
        svg.line(style, at, upAt(up, value.low()), at, upAt(up, value.high()));
      }
      svg.mark(number, at, upAt(up, value.middle()), says(one, point));
    }
  }

  private static String polyline(int number, String points) {
    return "<polyline class=\"%s line\" style=\"fill:none\" stroke-dasharray=\"%s\" points=\"%s\"/>"
        .formatted(Palette.colour(number), Palette.dash(number), points);
  }

  private static double acrossAt(AxisScale scale, double value) {
    return LEFT + scale.position(value) * (WIDTH - RIGHT - LEFT);
  }

  private static double upAt(AxisScale scale, double value) {
    return TOP + PLOT_HEIGHT - scale.position(value) * PLOT_HEIGHT;
  }

  private String says(Series one, Point point) {
    Interval value = point.value();
    return "%s, %s %s: %s %s (%s to %s)"
        .formatted(
            one.name(),
            x.label(),
            TickLabels.text(point.at()),
            TickLabels.text(value.middle()),
            y.unit(),
            TickLabels.text(value.low()),
            TickLabels.text(value.high()));
  }

  private String description() {
    return series.stream()
        .flatMap(one -> one.points().stream().map(point -> says(one, point)))
        .collect(Collectors.joining("; "));
  }
}
