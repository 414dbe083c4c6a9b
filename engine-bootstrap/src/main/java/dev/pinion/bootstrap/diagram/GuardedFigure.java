package dev.pinion.bootstrap.diagram;

import dev.pinion.core.diagram.Caption;
import java.util.List;

/** Tasks whose errors are handled: a frame with the tasks to the left, the handler to the right. */
record GuardedFigure(Caption caption, CaptionBlock text, DiagramFigure body, DiagramFigure handler)
    implements DiagramFigure {
  private static final double PADDING = 12;
  private static final double BETWEEN = 44;

  /** Where errors leave the tasks, below the top of their box. */
  private static final double ERROR_HEIGHT = 26;

  static GuardedFigure of(Caption caption, DiagramFigure body, DiagramFigure handler) {
    return new GuardedFigure(caption, CaptionBlock.withKind(caption), body, handler);
  }

  private double bodyWidth() {
    return body.width() + 2 * PADDING;
  }

  private double contentHeight() {
    return Math.max(body.height() + 2 * PADDING, handler.height());
  }

  @Override
  public double width() {
    double content = bodyWidth() + BETWEEN + handler.width();
    return Math.max(text.width(), content) + 2 * PADDING;
  }

  @Override
  public double height() {
    return text.height() + contentHeight() + 2.5 * PADDING;
  }

  @Override
  public double axis() {
    return width() / 2;
  }

  @Override
  public void draw(SvgPage page, double x, double y) {
    page.open(caption);
    page.rectangle("frame", x, y, width(), height(), 8);
    text.draw(page, x + PADDING, y + PADDING / 2);
    double left = x + PADDING;
    double top = y + text.height() + 1.5 * PADDING;
    page.rectangle("inner", left, top, bodyWidth(), contentHeight(), 6);
    body.draw(page, left + PADDING, top + PADDING);
    double right = left + bodyWidth() + BETWEEN;
    double level = top + Math.min(ERROR_HEIGHT, handler.height() / 2);
    handler.draw(page, right, top);
    new FlowLine(List.of(new FlowPoint(left + bodyWidth(), level), new FlowPoint(right, level)))
        .draw(page, "caught");
    page.close();
  }
}
