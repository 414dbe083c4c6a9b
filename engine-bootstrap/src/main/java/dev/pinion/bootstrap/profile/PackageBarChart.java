package dev.pinion.bootstrap.profile;

import dev.pinion.bootstrap.svg.SvgText;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Shares of CPU time by package, of one profile or of two, as bars in SVG: for papers and for pages
 * without scripts. A full bar is the exclusive share of a package, the pale one behind it the share
 * including callees.
 */
public final class PackageBarChart {
  /** Most packages drawn, the largest first. */
  static final int MAX_BARS = 20;

  private static final int WIDTH = 760;
  private static final int LABELS = 270;
  private static final int RIGHT = 105;
  private static final int TOP = 60;
  private static final int BAR = 12;
  private static final int GAP = 8;
  private static final int BELOW = 40;
  private static final int LABEL_CHARACTERS = 42;
  private static final String HEAD =
      "CPU time by package, platform folded into callers: by itself (full, first number), with what"
          + " it called (pale)";
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double LEAST_SCALE = 0.05;

  private static final String STYLE =
      """
      :root{--ink:#1c2126;--faint:#6b7580;--line:#d5dade;--ground:#ffffff;--b0:#0072b2;--b1:#d55e00}
      @media (prefers-color-scheme:dark){:root{--ink:#e8eaed;--faint:#a3adb8;--line:#3a424b;--ground:#16191d;--b0:#56b4e9;--b1:#ff9a52}}
      svg{max-width:100%;height:auto;font:12px system-ui,sans-serif}
      text{fill:#1c2126;fill:var(--ink)}
      .head{font-weight:bold}
      .tick{fill:#6b7580;fill:var(--faint)}
      .grid{stroke:#d5dade;stroke:var(--line)}
      .ground{fill:#ffffff;fill:var(--ground)}
      .b0{fill:#0072b2;fill:var(--b0)}
      .b1{fill:#d55e00;fill:var(--b1)}
      .all{opacity:.3}
      """;

  private final List<Profile> profiles;
  private final List<ComparedShare> shares;
  private final double scale;
  private final StringBuilder body = new StringBuilder();

  private PackageBarChart(List<Profile> profiles, List<ComparedShare> shares) {
    this.profiles = profiles;
    this.shares = shares;
    double largest =
        shares.stream().flatMap(each -> each.inclusive().stream()).reduce(LEAST_SCALE, Math::max);
    this.scale = Math.ceil(largest / step(largest)) * step(largest);
  }

  /**
   * Draws the bars.
   *
   * @param profiles one, or the earlier and the later one
   * @param level parts of package names that are kept; packages of the platform are folded into
   *     their callers
   */
  public static String of(List<Profile> profiles, int level) {
    ProfileSelection cpu =
        ProfileSelection.of(profiles, profileRow -> profileRow.place().kind() == ProfileKind.CPU);
    List<ComparedShare> shares =
        ProfileTables.packages(cpu, new PackageGrouping(level, true)).stream()
            .filter(ComparedShare::isVisible)
            .limit(MAX_BARS)
            .toList();
    return new PackageBarChart(profiles, shares).document();
  }

  private String document() {
    int rowHeight = BAR * profiles.size() + GAP;
    int bottom = TOP + rowHeight * shares.size();
    drawHead();
    for (double tick = 0; tick <= scale + step(scale) / 2; tick += step(scale)) {
      drawTick(tick, bottom);
    }
    for (int i = 0; i < shares.size(); i++) {
      drawRow(shares.get(i), TOP + i * rowHeight);
    }
    return String.format(
        Locale.ROOT,
        """
        <svg role="img" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d">
        <title>CPU time by package</title>
        <desc>%s</desc>
        <style>
        %s</style>
        <rect class="ground" width="100%%" height="100%%"/>
        %s</svg>
        """,
        WIDTH,
        bottom + BELOW,
        WIDTH,
        shares.stream().map(PackageBarChart::label).collect(Collectors.joining("; ")),
        STYLE,
        body);
  }

  private void drawHead() {
    text("head", "start", 10, 20, HEAD);
    for (int i = 0; i < profiles.size(); i++) {
      Profile profile = profiles.get(i);
      int x = 10 + i * WIDTH / 2;
      body.append(
          String.format(
              Locale.ROOT,
              "<rect class=\"b%d\" x=\"%d\" y=\"31\" width=\"10\" height=\"10\"/>\n",
              i,
              x));
      text(
          "",
          "start",
          x + 16,
          40,
          String.format(
              Locale.ROOT,
              "%s: %.2f s of CPU time in %.0f s",
              profile.header().label(),
              profile.total(ProfileKind.CPU) / NANOS_PER_SECOND,
              profile.header().seconds()));
    }
  }

  private void drawTick(double share, int bottom) {
    double x = at(share);
    body.append(
        String.format(
            Locale.ROOT,
            "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n",
            x,
            TOP - 4,
            x,
            bottom));
    text("tick", "middle", x, bottom + 17, String.format(Locale.ROOT, "%.0f %%", 100 * share));
  }

  private void drawRow(ComparedShare share, int y) {
    String name = share.name();
    text(
        "",
        "end",
        LABELS - 8,
        y + BAR * profiles.size() / 2.0 + 4,
        name.length() <= LABEL_CHARACTERS
            ? name
            : "…" + name.substring(name.length() - LABEL_CHARACTERS + 1));
    body.append("<g><title>").append(label(share)).append("</title>\n");
    for (int i = 0; i < profiles.size(); i++) {
      int top = y + i * BAR;
      bar("all b" + i, share.inclusive().get(i), top);
      bar("b" + i, share.exclusive().get(i), top);
      text("", "start", at(share.inclusive().get(i)) + 5, top + 10, both(share, i));
    }
    body.append("</g>\n");
  }

  private void bar(String style, double share, int y) {
    body.append(
        String.format(
            Locale.ROOT,
            "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n",
            style,
            LABELS,
            y,
            at(share) - LABELS,
            BAR - 1));
  }

  private void text(String style, String anchor, double x, double y, String text) {
    body.append(
        String.format(
            Locale.ROOT,
            "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
            style,
            anchor,
            x,
            y,
            SvgText.escaped(text)));
  }

  private double at(double share) {
    return LABELS + share / scale * (WIDTH - LABELS - RIGHT);
  }

  private static double step(double largest) {
    if (largest > 0.5) {
      return 0.2;
    }
    return largest > 0.1 ? 0.1 : 0.01;
  }

  private static String both(ComparedShare share, int profile) {
    return String.format(
        Locale.ROOT,
        "%.1f / %.1f %%",
        100 * share.exclusive().get(profile),
        100 * share.inclusive().get(profile));
  }

  private static String label(ComparedShare share) {
    return SvgText.escaped(share.name())
        + IntStream.range(0, share.exclusive().size())
            .mapToObj(
                i ->
                    String.format(
                        Locale.ROOT,
                        "%.1f %% by itself, %.1f %% with what it called",
                        100 * share.exclusive().get(i),
                        100 * share.inclusive().get(i)))
            .collect(Collectors.joining(", then ", ": ", ""));
  }
}
