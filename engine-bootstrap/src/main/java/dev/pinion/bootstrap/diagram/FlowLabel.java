package dev.pinion.bootstrap.diagram;

/** The condition of a flow, on a plate that hides what is behind it. */
final class FlowLabel {
  /** Height of a label. */
  static final double HEIGHT = PictureStyle.LINE;

  private static final double PADDING = 3;

  private FlowLabel() {}

  static double width(String text) {
    return TextWidth.of(text, PictureStyle.SMALL) + 2 * PADDING;
  }

  static void draw(SvgPage page, double x, double y, String text) {
    page.rectangle("plate", x, y, width(text), HEIGHT, 3);
    page.text("label", x + PADDING, y + 0.78 * HEIGHT, text);
  }
}
