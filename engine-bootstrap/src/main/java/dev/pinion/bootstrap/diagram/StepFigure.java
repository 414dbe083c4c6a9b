package dev.pinion.bootstrap.diagram;

import dev.pinion.core.diagram.Caption;
import dev.pinion.core.diagram.Shape.Symbol;

/** A step: a box with its caption. */
record StepFigure(Caption caption, Symbol symbol, CaptionBlock text) implements DiagramFigure {
  private static final double PADDING = 10;
  private static final double ICON = 16;
  private static final double LEAST_WIDTH = 110;
  private static final double CORNER = 6;

  static StepFigure of(Caption caption, Symbol symbol) {
    return new StepFigure(caption, symbol, CaptionBlock.withKind(caption));
  }

  @Override
  public double width() {
    return Math.max(LEAST_WIDTH, text.width() + ICON + 2 * PADDING);
  }

  @Override
  public double height() {
    return text.height() + PADDING + PADDING / 2;
  }

  @Override
  public double axis() {
    return width() / 2;
  }

  @Override
  public void draw(SvgPage page, double x, double y) {
    page.open(caption);
    page.rectangle("step", x, y, width(), height(), CORNER);
    page.path("mark", x + width() - ICON - PADDING / 2, y + PADDING / 2 + 1, icon());
    text.draw(page, x + PADDING, y + PADDING / 2);
    page.close();
  }

  /** An arrow that leaves a box, a prompt of programs, or lines of data. */
  private String icon() {
    return switch (symbol) {
      case CALL -> "M5 3H1V13H11V9M6 8L13 1M8 1H13V6";
      case RUN -> "M1 2H14V13H1ZM4 5L7 7.5L4 10M8 10H11";
      default -> "M2 3H13M2 7H13M2 11H9";
    };
  }
}
