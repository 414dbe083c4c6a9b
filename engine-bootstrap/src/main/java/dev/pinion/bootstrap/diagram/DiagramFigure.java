package dev.pinion.bootstrap.diagram;

/** A part of a picture of known size. Flow enters at the top and leaves at the bottom. */
interface DiagramFigure {
  double width();

  double height();

  /** Where flow enters and leaves, from the left edge. */
  double axis();

  /** How far below the top edge a flow that enters ends. */
  default double inset() {
    return 0;
  }

  /**
   * Draws it.
   *
   * @param x its left edge
   * @param y its top edge
   */
  void draw(SvgPage page, double x, double y);
}
