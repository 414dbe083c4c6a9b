package dev.pinion.bootstrap.diagram;

import java.util.List;

/** A task, and to the right of it the tasks that undo it. */
record CompensatedFigure(DiagramFigure task, DiagramFigure compensation) implements DiagramFigure {
  private static final double BETWEEN = 34;

  /** Where the line to the compensation leaves the task, below its top edge. */
  private static final double LINE_HEIGHT = 20;

  @Override
  public double width() {
    return task.width() + BETWEEN + compensation.width();
  }

  @Override
  public double height() {
    return Math.max(task.height(), compensation.height());
  }

  @Override
  public double axis() {
    return task.axis();
  }

  @Override
  public double inset() {
    return task.inset();
  }

  @Override
  public void draw(SvgPage page, double x, double y) {
    task.draw(page, x, y);
    double rest = height() - task.height();
    if (rest > 0) {
      page.path("flow", x + axis(), y + task.height(), "M0 0V" + SvgPage.number(rest));
    }
    double right = x + task.width();
    double level = y + Math.min(LINE_HEIGHT, Math.min(task.height(), compensation.height()) / 2);
    new FlowLine(List.of(new FlowPoint(right, level), new FlowPoint(right + BETWEEN, level)))
        .draw(page, "undone");
    compensation.draw(page, right + BETWEEN, y);
  }
}
