package dev.pinion.benchmarks.report;

import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.chart.Palette;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** A self-contained HTML page: it loads no script, font or address. */
final class HtmlPage {
  private static final String STYLE =
      """
      body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground);max-width:62rem;margin:2rem auto;\
      padding:0 1rem}
      h1{font-size:1.7rem;margin-bottom:.2rem}
      h2{font-size:1.25rem;margin-top:2.2rem;border-bottom:1px solid var(--line)}
      figure{margin:1.4rem 0}
      figcaption{font-weight:600;margin-bottom:.3rem}
      .wide{overflow-x:auto}
      table{border-collapse:collapse;font-size:13px}
      caption{text-align:left;font-weight:600;padding:.4rem 0}
      th,td{padding:.2rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
      td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
      .note{border-left:4px solid var(--c1);padding:.3rem .9rem;margin:.8rem 0}
      .machine{background:#fff;max-width:100%}
      """;

  private final StringBuilder body = new StringBuilder();
  private final String title;

  HtmlPage(String title) {
    this.title = title;
    body.append("<h1>").append(escaped(title)).append("</h1>\n");
  }

  HtmlPage heading(String text) {
    body.append("<h2>").append(escaped(text)).append("</h2>\n");
    return this;
  }

  HtmlPage paragraph(String text) {
    if (!text.isEmpty()) {
      body.append("<p>").append(escaped(text)).append("</p>\n");
    }
    return this;
  }

  HtmlPage note(String text) {
    body.append("<p class=\"note\" role=\"note\">").append(escaped(text)).append("</p>\n");
    return this;
  }

  HtmlPage list(List<String> items) {
    body.append("<ul>\n");
    items.forEach(item -> body.append("<li>").append(escaped(item)).append("</li>\n"));
    body.append("</ul>\n");
    return this;
  }

  HtmlPage figure(Figure figure) {
    body.append("<figure>\n<figcaption>").append(escaped(figure.title()));
    body.append("</figcaption>\n").append(figure.svg()).append("</figure>\n");
    return this;
  }

  /**
   * A picture with its own styles.
   *
   * @param says description of the picture
   */
  HtmlPage picture(String svg, String says) {
    String data = Base64.getEncoder().encodeToString(svg.getBytes(StandardCharsets.UTF_8));
    body.append("<p><img class=\"machine\" alt=\"").append(escaped(says));
    body.append("\" src=\"data:image/svg+xml;base64,").append(data).append("\"></p>\n");
    return this;
  }

  /**
   * A table.
   *
   * @param firstNumber first column of numbers
   * @param lastNumber last column of numbers
   */
  HtmlPage table(
      String caption, List<String> head, List<List<String>> rows, int firstNumber, int lastNumber) {
    body.append("<div class=\"wide\"><table><caption>").append(escaped(caption));
    body.append("</caption>\n<thead><tr>");
    head.forEach(cell -> body.append("<th scope=\"col\">").append(escaped(cell)).append("</th>"));
    body.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : rows) {
      body.append("<tr>");
      for (int i = 0; i < row.size(); i++) {
        body.append(i >= firstNumber && i <= lastNumber ? "<td class=\"n\">" : "<td>");
        body.append(escaped(row.get(i))).append("</td>");
      }
      body.append("</tr>\n");
    }
    body.append("</tbody></table></div>\n");
    return this;
  }

  /** The whole document. */
  String html() {
    return """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width,initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>%s</title>
        <style>
        %s%s</style>
        </head>
        <body>
        <main>
        %s</main>
        </body>
        </html>
        """
        .formatted(escaped(title), Palette.css(), STYLE, body);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
