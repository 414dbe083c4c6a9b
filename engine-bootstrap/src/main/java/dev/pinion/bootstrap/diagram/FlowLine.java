package dev.pinion.bootstrap.diagram;

import java.util.List;

/** A flow as a line through points, with a tip at the last one. */
record FlowLine(List<FlowPoint> points) {
  private static final double TIP = 7;

  /** Copies the list. */
  FlowLine {
    points = List.copyOf(points);
  }

  /** A flow straight down. */
  static FlowLine straight(double x, double top, double bottom) {
    return new FlowLine(List.of(new FlowPoint(x, top), new FlowPoint(x, bottom)));
  }

  FlowLine moved(double dx, double dy) {
    return new FlowLine(points.stream().map(point -> point.moved(dx, dy)).toList());
  }

  void draw(SvgPage page, String style) {
    page.line(style, points);
    FlowPoint end = points.getLast();
    FlowPoint before = points.get(points.size() - 2);
    double dx = Math.signum(end.x() - before.x());
    double dy = Math.signum(end.y() - before.y());
    double half = TIP / 2;
    // two corners behind the end, one to each side of the line
    page.path(
        "tip",
        end.x(),
        end.y(),
        "M0 0L%s %sL%s %sZ"
            .formatted(
                SvgPage.number(-dx * TIP + dy * half),
                SvgPage.number(-dy * TIP + dx * half),
                SvgPage.number(-dx * TIP - dy * half),
                SvgPage.number(-dy * TIP - dx * half)));
  }
}
