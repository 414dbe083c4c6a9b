package dev.pinion.bootstrap.diagram;

import dev.pinion.core.diagram.Caption;
import dev.pinion.core.diagram.Shape.Repetition;

/**
 * A frame with a caption above its content.
 *
 * @param style form of the frame
 */
record FrameFigure(
    Caption caption, Repetition repetition, CaptionBlock text, DiagramFigure content, String style)
    implements DiagramFigure {
  private static final double PADDING = 14;
  private static final double ICON = 18;
  private static final double CORNER = 8;

  static FrameFigure of(
      Caption caption, Repetition repetition, DiagramFigure content, String style) {
    return new FrameFigure(caption, repetition, CaptionBlock.withKind(caption), content, style);
  }

  @Override
  public double width() {
    return Math.max(text.width() + ICON, content.width()) + 2 * PADDING;
  }

  @Override
  public double height() {
    return text.height() + content.height() + 2.5 * PADDING;
  }

  @Override
  public double axis() {
    return width() / 2;
  }

  @Override
  public void draw(SvgPage page, double x, double y) {
    page.open(caption);
    page.rectangle(style, x, y, width(), height(), CORNER);
    text.draw(page, x + PADDING, y + PADDING / 2);
    if (repetition != Repetition.ONCE) {
      page.path("mark", x + width() - ICON - PADDING / 2, y + PADDING / 2, icon());
    }
    content.draw(page, x + (width() - content.width()) / 2, y + text.height() + 1.5 * PADDING);
    page.close();
  }

  /** An arrow in a circle, three bars, or a letter. */
  private String icon() {
    return switch (repetition) {
      case LOOP -> "M14 8A6 6 0 1 1 11 3M11 0V4H7";
      case PARALLEL -> "M3 2V14M8 2V14M13 2V14";
      default -> "M1 3H15V13H1ZM1 3L8 9L15 3";
    };
  }
}
