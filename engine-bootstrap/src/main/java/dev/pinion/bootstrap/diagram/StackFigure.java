package dev.pinion.bootstrap.diagram;

import java.util.ArrayList;
import java.util.List;

/** Figures of which each leads to the next one below it. */
final class StackFigure implements DiagramFigure {
  private static final double GAP = 30;

  private final List<DiagramFigure> figures;
  private final List<Double> tops = new ArrayList<>();
  private final double axis;
  private final double width;
  private final double height;

  StackFigure(List<DiagramFigure> figures) {
    this.figures = List.copyOf(figures);
    double y = 0;
    double left = 0;
    double right = 0;
    for (DiagramFigure figure : figures) {
      tops.add(y);
      y += figure.height() + GAP;
      left = Math.max(left, figure.axis());
      right = Math.max(right, figure.width() - figure.axis());
    }
    this.axis = left;
    this.width = left + right;
    this.height = Math.max(0, y - GAP);
  }

  @Override
  public double width() {
    return width;
  }

  @Override
  public double height() {
    return height;
  }

  @Override
  public double axis() {
    return axis;
  }

  @Override
  public double inset() {
    return figures.isEmpty() ? 0 : figures.getFirst().inset();
  }

  @Override
  public void draw(SvgPage page, double x, double y) {
    for (int i = 0; i < figures.size(); i++) {
      DiagramFigure figure = figures.get(i);
      double top = y + tops.get(i);
      if (i > 0) {
        FlowLine.straight(x + axis, top - GAP, top + figure.inset()).draw(page, "flow");
      }
      figure.draw(page, x + axis - figure.axis(), top);
    }
  }
}
