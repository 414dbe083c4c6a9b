package dev.pinion.bootstrap.diagram;

import dev.pinion.bootstrap.svg.SvgText;
import dev.pinion.core.diagram.Caption;
import java.util.List;
import java.util.Locale;

/** The elements of an SVG document, in the order in which they are drawn. */
final class SvgPage {
  private final StringBuilder out = new StringBuilder();

  /** Begins the elements of a shape: the pointer of its task is their id. */
  void open(Caption caption) {
    out.append("<g id=\"")
        .append(SvgText.escaped(PointerFragment.of(caption.id())))
        .append("\"><title>")
        .append(SvgText.escaped(title(caption)))
        .append("</title>\n");
  }

  private static String title(Caption caption) {
    String head = (caption.kind() + " " + caption.name()).strip();
    return caption.details().isEmpty() ? head : head + ": " + String.join("; ", caption.details());
  }

  /** Ends the elements of a shape. */
  void close() {
    out.append("</g>\n");
  }

  void rectangle(String style, double x, double y, double width, double height, double corner) {
    out.append("<rect class=\"").append(style).append('"');
    attribute("x", x);
    attribute("y", y);
    attribute("width", width);
    attribute("height", height);
    if (corner > 0) {
      attribute("rx", corner);
    }
    out.append("/>\n");
  }

  void circle(String style, double x, double y, double radius) {
    out.append("<circle class=\"").append(style).append('"');
    attribute("cx", x);
    attribute("cy", y);
    attribute("r", radius);
    out.append("/>\n");
  }

  /**
   * Draws a path.
   *
   * @param commands letters of commands and numbers, with the origin at {@code x} and {@code y}
   */
  void path(String style, double x, double y, String commands) {
    out.append("<path class=\"").append(style).append("\" transform=\"translate(");
    out.append(number(x)).append(' ').append(number(y));
    out.append(")\" d=\"").append(commands).append("\"/>\n");
  }

  /** Draws a line through points. */
  void line(String style, List<FlowPoint> points) {
    out.append("<path class=\"").append(style).append("\" d=\"M");
    for (int i = 0; i < points.size(); i++) {
      FlowPoint point = points.get(i);
      out.append(i == 0 ? "" : "L");
      out.append(number(point.x())).append(' ').append(number(point.y()));
    }
    out.append("\"/>\n");
  }

  /** Writes a text whose line begins at a place. */
  void text(String style, double x, double baseline, String text) {
    out.append("<text class=\"").append(style).append('"');
    attribute("x", x);
    attribute("y", baseline);
    out.append('>').append(SvgText.escaped(text)).append("</text>\n");
  }

  private void attribute(String name, double value) {
    out.append(' ').append(name).append("=\"").append(number(value)).append('"');
  }

  /** A number with at most one decimal, the same everywhere. */
  static String number(double value) {
    long tenths = Math.round(value * 10);
    return tenths % 10 == 0
        ? Long.toString(tenths / 10)
        : String.format(Locale.ROOT, "%.1f", tenths / 10.0);
  }

  /** The elements so far. */
  @Override
  public String toString() {
    return out.toString();
  }
}
