package dev.pinion.benchmarks.chart;

import java.util.Locale;

/** An SVG element under construction. */
final class SvgElement {
  private final StringBuilder body = new StringBuilder();
  private final int width;
  private final int height;

  /** An empty drawing of a size in pixels. */
  SvgElement(int width, int height) {
    this.width = width;
    this.height = height;
  }

  void line(String style, double x1, double y1, double x2, double y2) {
    body.append(
        "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>\n"
            .formatted(
                style,
                TickLabels.pixels(x1),
                TickLabels.pixels(y1),
                TickLabels.pixels(x2),
                TickLabels.pixels(y2)));
  }

  /**
   * Writes a text.
   *
   * @param anchor {@code start}, {@code middle} or {@code end}
   */
  void text(String style, String anchor, double x, double y, String text) {
    body.append(
        "<text class=\"%s\" text-anchor=\"%s\" x=\"%s\" y=\"%s\">%s</text>\n"
            .formatted(style, anchor, TickLabels.pixels(x), TickLabels.pixels(y), escaped(text)));
  }

  /** Writes a text upwards. */
  void upwards(double x, double y, String text) {
    body.append(
        "<text text-anchor=\"middle\" transform=\"translate(%s %s) rotate(-90)\">%s</text>\n"
            .formatted(TickLabels.pixels(x), TickLabels.pixels(y), escaped(text)));
  }

  /** Adds elements created elsewhere. */
  void add(String elements) {
    body.append(elements).append('\n');
  }

  /** A mark of a series, with its value as a tooltip. */
  void mark(int series, double x, double y, String says) {
    body.append("<g><title>").append(escaped(says)).append("</title>");
    body.append(Palette.mark(series, x, y)).append("</g>\n");
  }

  /**
   * The element.
   *
   * @param description the drawing in words, for readers who cannot see it
   */
  String svg(String title, String description) {
    return String.format(
        Locale.ROOT,
        """
        <svg class="plot" role="img" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d">
        <title>%s</title>
        <desc>%s</desc>
        %s</svg>
        """,
        width,
        height,
        width,
        escaped(title),
        escaped(description),
        body);
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
