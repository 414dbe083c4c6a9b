package dev.pinion.benchmarks.chart;

import java.util.List;

/**
 * Styles of series: colours that people with any colour vision distinguish (most are of Okabe and
 * Ito, lighter on dark backgrounds), and a separate mark and dash, so that none needs its colour.
 */
public final class Palette {
  private static final List<String> LIGHT =
      List.of(
          "#0072b2", "#d55e00", "#009e73", "#aa3377", "#946200", "#3a6ea5", "#4d4d4d", "#000000");
  private static final List<String> DARK =
      List.of(
          "#56b4e9", "#ff9a52", "#3fd1a4", "#e6a0c8", "#f0c244", "#9ecbff", "#c4c4c4", "#ffffff");
  private static final List<String> DASHES = List.of("", "7 3", "2 3", "9 3 2 3", "12 4", "4 4");
  private static final String SHAPES = "csdtxp";

  private Palette() {}

  /**
   * Style rules of plots: light by default, dark where the reader's system is. Programs without CSS
   * variables, such as converters to pictures, use the light colour before each.
   */
  public static String css() {
    StringBuilder css = new StringBuilder();
    css.append(":root{--ink:#1c2126;--faint:#6b7580;--line:#d5dade;--ground:#ffffff;");
    css.append(colours(LIGHT)).append("}\n@media (prefers-color-scheme:dark){:root{");
    css.append("--ink:#e8eaed;--faint:#a3adb8;--line:#3a424b;--ground:#16191d;");
    css.append(colours(DARK)).append("}}\n");
    for (int i = 0; i < LIGHT.size(); i++) {
      String light = LIGHT.get(i);
      css.append("svg.plot .c" + i + "{stroke:" + light + ";fill:" + light);
      css.append(";stroke:var(--c" + i + ");fill:var(--c" + i + ")}\n");
    }
    return css.append(
            """
            svg.plot{max-width:100%;height:auto;font:12px system-ui,sans-serif}
            svg.plot text{fill:#1c2126;fill:var(--ink)}
            svg.plot .tick{fill:#6b7580;fill:var(--faint)}
            svg.plot .grid{stroke:#d5dade;stroke:var(--line);stroke-width:1}
            svg.plot .axis{stroke:#6b7580;stroke:var(--faint);stroke-width:1}
            svg.plot .line{fill:none;stroke-width:2}
            svg.plot .spread{stroke-width:1.5}
            """)
        .toString();
  }

  /** Class of the colour of a series. */
  static String colour(int series) {
    return "c" + series % LIGHT.size();
  }

  /** Dash of the line of a series. */
  static String dash(int series) {
    return DASHES.get(series % DASHES.size());
  }

  /** The mark of a series around a place. */
  static String mark(int series, double x, double y) {
    String attributes = " class=\"" + colour(series) + "\"";
    return switch (SHAPES.charAt(series % SHAPES.length())) {
      case 's' -> path("M-4-4h8v8h-8z", x, y, attributes);
      case 'd' -> path("M0-5.5l5.5 5.5l-5.5 5.5l-5.5-5.5z", x, y, attributes);
      case 't' -> path("M0-5.5l5 9h-10z", x, y, attributes);
      case 'x' -> path("M-4-4l8 8m0-8l-8 8", x, y, attributes + " stroke-width=\"2.5\"");
      case 'p' -> path("M-5 0h10m-5-5v10", x, y, attributes + " stroke-width=\"2.5\"");
      default ->
          "<circle cx=\"%s\" cy=\"%s\" r=\"4.2\"%s/>"
              .formatted(TickLabels.pixels(x), TickLabels.pixels(y), attributes);
    };
  }

  private static String path(String d, double x, double y, String attributes) {
    return "<path transform=\"translate(%s %s)\" d=\"%s\"%s/>"
        .formatted(TickLabels.pixels(x), TickLabels.pixels(y), d, attributes);
  }

  private static String colours(List<String> colours) {
    StringBuilder css = new StringBuilder();
    for (int i = 0; i < colours.size(); i++) {
      css.append("--c").append(i).append(':').append(colours.get(i)).append(';');
    }
    return css.toString();
  }
}
