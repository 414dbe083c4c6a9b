package dev.pinion.bootstrap.diagram;

import dev.pinion.core.diagram.Caption;
import dev.pinion.core.diagram.Shape.Symbol;

/** An event: a circle with its caption to the right. */
record EventFigure(Caption caption, Symbol symbol, CaptionBlock text) implements DiagramFigure {
  private static final double GAP = 8;
  private static final double RADIUS = 16;
  private static final double END_RADIUS = 11;
  private static final double PLACE_RADIUS = 5;

  static EventFigure of(Caption caption, Symbol symbol) {
    return new EventFigure(caption, symbol, CaptionBlock.withoutKind(caption));
  }

  private double radius() {
    return switch (symbol) {
      case START, END, TERMINATE -> END_RADIUS;
      case ENTRY, EXIT -> PLACE_RADIUS;
      default -> RADIUS;
    };
  }

  @Override
  public double width() {
    return 2 * radius() + (text.height() == 0 ? 0 : GAP + text.width());
  }

  @Override
  public double height() {
    return Math.max(2 * radius(), text.height());
  }

  @Override
  public double axis() {
    return radius();
  }

  @Override
  public void draw(SvgPage page, double x, double y) {
    page.open(caption);
    double radius = radius();
    circles(page, x + radius, y + radius);
    text.draw(page, x + 2 * radius + GAP, y);
    if (height() > 2 * radius) { // flow leaves at the bottom
      page.path(
          "flow", x + radius, y + 2 * radius, "M0 0V" + SvgPage.number(height() - 2 * radius));
    }
    page.close();
  }

  private void circles(SvgPage page, double x, double y) {
    switch (symbol) {
      case START, ENTRY -> page.circle("inner", x, y, radius());
      case END, EXIT -> page.circle("inner bold", x, y, radius());
      case TERMINATE -> {
        page.circle("inner bold", x, y, radius());
        page.circle("solid", x, y, radius() / 2);
      }
      case ERROR -> {
        page.circle("error bold", x, y, radius());
        page.path("mark", x, y, "M-7 7L-3 -6L3 3L7 -7");
      }
      case TIMER -> {
        page.circle("event", x, y, radius());
        page.circle("event", x, y, radius() - 3);
        page.path("mark", x, y, "M0 -9V0L5 4");
      }
      case EMIT -> {
        page.circle("event", x, y, radius());
        page.path("solid", x, y, "M-8 -5H8V6H-8Z");
        page.path("event", x, y, "M-8 -5L0 1L8 -5");
      }
      default -> {
        page.circle("event", x, y, radius());
        page.circle("event", x, y, radius() - 3);
        page.path("mark", x, y, "M-7 -4H7V5H-7ZM-7 -4L0 1L7 -4");
      }
    }
  }
}
