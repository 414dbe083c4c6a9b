package dev.pinion.bootstrap.diagram;

import dev.pinion.core.diagram.Caption;

/** A choice of a way: a diamond with its caption to the right. */
record GatewayFigure(Caption caption, CaptionBlock text) implements DiagramFigure {
  private static final double SIZE = 40;
  private static final double GAP = 4;

  static GatewayFigure of(Caption caption) {
    return new GatewayFigure(caption, CaptionBlock.withoutKind(caption));
  }

  @Override
  public double width() {
    return SIZE + GAP + text.width();
  }

  @Override
  public double height() {
    return Math.max(SIZE, text.height());
  }

  @Override
  public double axis() {
    return SIZE / 2;
  }

  @Override
  public void draw(SvgPage page, double x, double y) {
    page.open(caption);
    page.path("event", x, y, "M20 0L40 20L20 40L0 20Z");
    page.path("mark bold", x + axis(), y + SIZE / 2, "M-6 -6L6 6M-6 6L6 -6");
    text.draw(page, x + SIZE + GAP, y);
    if (height() > SIZE) {
      page.path("flow", x + axis(), y + SIZE, "M0 0V" + SvgPage.number(height() - SIZE));
    }
    page.close();
  }
}
