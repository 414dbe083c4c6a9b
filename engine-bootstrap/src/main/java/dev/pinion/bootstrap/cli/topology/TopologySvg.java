package dev.pinion.bootstrap.cli.topology;

import dev.pinion.bootstrap.cli.ByteSizes;
import dev.pinion.bootstrap.cli.topology.CpuRole.Use;
import dev.pinion.bootstrap.placement.PlacementPlan;
import dev.pinion.bootstrap.svg.SvgText;
import dev.pinion.bootstrap.topology.Topology;
import dev.pinion.bootstrap.topology.Topology.CoreKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Draws a machine in SVG: boxes for packages, NUMA nodes, caches and cores, and in them the CPUs in
 * the colours of their replicas. Every colour is also written in words.
 */
public final class TopologySvg {
  private static final int MARGIN = 20;
  private static final int LEAST_WIDTH = 960;
  private static final int LINE_HEIGHT = 17;
  private static final double CHARACTER_WIDTH = 6.9;
  private static final int LEGEND_GAP = 24;

  /** Corners of CPUs: those of less powerful cores are round. */
  private static final int CORNER = 2;

  private static final int LITTLE_CORNER = 14;

  private static final String STYLE =
      """
      text { font-family: Helvetica, Arial, sans-serif; fill: #1c2126; }
      .head { font-size: 19px; font-weight: bold; }
      .text { font-size: 12px; }
      .mono { font-family: 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: 11px; }
      .title { font-size: 12px; font-weight: bold; }
      .cpu { font-size: 12px; font-weight: bold; text-anchor: middle; }
      .use { font-size: 9px; text-anchor: middle; }
      .package { fill: #eef1f4; stroke: #6d7883; stroke-width: 1.5; }
      .node { fill: #e0e7ee; stroke: #8a96a2; }
      .cache { fill: #ffffff; stroke: #aab4be; }
      .core { fill: #f6f7f9; stroke: #59626b; }
      .little { fill: #fdf3e1; stroke: #9a6b1f; stroke-width: 1.5; stroke-dasharray: 2 2; }
      """;

  private final Topology topology;
  private final PlacementPlan placementPlan;
  private final String name;
  private final StringBuilder body = new StringBuilder();
  private final Set<Use> uses = EnumSet.noneOf(Use.class);
  private int width;
  private int y = MARGIN;

  /**
   * A picture.
   *
   * @param name name of the machine
   */
  public TopologySvg(Topology topology, PlacementPlan placementPlan, String name) {
    this.topology = topology;
    this.placementPlan = placementPlan;
    this.name = name;
  }

  /** The document. */
  public String draw() {
    List<TopologyBox> packages = TopologyBox.row(TopologyNode.packages(topology));
    int right = packages.stream().mapToInt(TopologyBox::right).max().orElse(0);
    width = Math.max(LEAST_WIDTH, right + 2 * MARGIN);
    drawHead();
    body.append("<g transform=\"translate(" + MARGIN + " " + y + ")\">\n");
    packages.forEach(this::drawBox);
    body.append("</g>\n");
    y += packages.stream().mapToInt(TopologyBox::bottom).max().orElse(0) + MARGIN;
    drawLegend();
    drawLines("Plan", "mono", PlacementPlanText.lines(topology, placementPlan));
    drawLines("Decisions", "text", placementPlan.decisions());
    drawLines("Notes", "text", topology.notes());
    return document();
  }

  private String document() {
    return String.format(
        Locale.ROOT,
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title description" \
        width="%d" height="%d" viewBox="0 0 %d %d">
        <title id="title">%s and its replicas</title>
        <desc id="description">%s</desc>
        <style>
        %s</style>
        <rect width="100%%" height="100%%" fill="#ffffff"/>
        %s</svg>
        """,
        width,
        y,
        width,
        y,
        SvgText.escaped(name),
        SvgText.escaped(String.join("; ", PlacementPlanText.lines(topology, placementPlan))),
        STYLE,
        body);
  }

  private void drawHead() {
    y += 8;
    text(MARGIN, y, "head", name);
    y += LINE_HEIGHT + 3;
    String offline = topology.offline().isEmpty() ? "" : ", offline " + topology.offline();
    text(
        MARGIN,
        y,
        "text",
        String.format(
            Locale.ROOT,
            "%d CPUs online (%s)%s, allowed %s; memory %s, allowed %s",
            topology.online().size(),
            topology.online(),
            offline,
            topology.allowed(),
            ByteSizes.of(topology.memory().totalBytes()),
            ByteSizes.of(topology.memory().allowedBytes())));
    y += LINE_HEIGHT;
    for (CoreKind kind : topology.coreKinds()) {
      text(MARGIN, y, "text", "Cores " + kind.name() + ": CPUs " + kind.cpus());
      y += LINE_HEIGHT;
    }
  }

  private void drawBox(TopologyBox box) {
    body.append("<g transform=\"translate(" + box.x() + " " + box.y() + ")\">\n");
    drawFrame(style(box.part().kind()), box.width(), box.height());
    if (box.boxes().isEmpty()) {
      int x = TopologyBox.CORE_GAP;
      for (int cpu : box.part().cpus().stream().toArray()) {
        CpuRole role = CpuRole.of(cpu, topology, placementPlan);
        uses.add(role.use());
        drawCpu(x, Integer.toString(cpu), role, corner(box.part().kind()));
        x += TopologyBox.CPU_WIDTH + TopologyBox.CORE_GAP;
      }
    } else {
      text(8, 15, "title", box.part().title() + " · CPUs " + box.part().cpus());
      box.boxes().forEach(this::drawBox);
    }
    body.append("</g>\n");
  }

  private static int corner(TopologyNode.NodeKind nodeKind) {
    return nodeKind == TopologyNode.NodeKind.LITTLE_CORE ? LITTLE_CORNER : CORNER;
  }

  private static String style(TopologyNode.NodeKind nodeKind) {
    return switch (nodeKind) {
      case PACKAGE -> "package";
      case NODE -> "node";
      case CACHE -> "cache";
      case CORE -> "core";
      case LITTLE_CORE -> "little";
    };
  }

  private void drawFrame(String style, int frameWidth, int frameHeight) {
    body.append(
        String.format(
            Locale.ROOT,
            "<rect class=\"%s\" width=\"%d\" height=\"%d\" rx=\"4\"/>\n",
            style,
            frameWidth,
            frameHeight));
  }

  private void drawCpu(int x, String label, CpuRole role, int corner) {
    Colours colours = Colours.of(role);
    body.append(
        String.format(
            Locale.ROOT,
            "<g transform=\"translate(%d %d)\"><title>CPU %s: %s</title>",
            x,
            TopologyBox.CORE_GAP,
            label,
            words(role)));
    body.append(
        String.format(
            Locale.ROOT,
            "<rect width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"%s\" stroke=\"%s\"%s/>",
            TopologyBox.CPU_WIDTH,
            TopologyBox.CPU_HEIGHT,
            corner,
            colours.fill(),
            colours.line(),
            colours.dashed() ? " stroke-dasharray=\"3 2\"" : ""));
    if (role.use() == Use.BOTH) {
      // half of each: the lower band is the ancillary colour
      body.append(
          String.format(
              Locale.ROOT,
              "<rect x=\"1\" y=\"%d\" width=\"%d\" height=\"12\" rx=\"%d\" fill=\"%s\"/>",
              TopologyBox.CPU_HEIGHT - 13,
              TopologyBox.CPU_WIDTH - 2,
              corner,
              colours.band()));
    }
    int middle = TopologyBox.CPU_WIDTH / 2;
    body.append(
        String.format(
            Locale.ROOT,
            "<text class=\"cpu\" x=\"%d\" y=\"14\" style=\"fill:%s\">%s</text>",
            middle,
            colours.text(),
            label));
    body.append(
        String.format(
            Locale.ROOT,
            "<text class=\"use\" x=\"%d\" y=\"26\" style=\"fill:%s\">%s</text></g>\n",
            middle,
            role.use() == Use.BOTH ? "#1c2126" : colours.text(),
            role.replica() == null ? shortWord(role.use()) : role.label()));
  }

  private static String words(CpuRole role) {
    String owner = role.replica() == null ? "" : "replica " + role.replica() + ", ";
    return owner + role.use().meaning();
  }

  private static String shortWord(Use use) {
    return switch (use) {
      case SYSTEM -> "sys";
      case UNUSED -> "unused";
      case CRITICAL, ANCILLARY, BOTH, BARRED -> "–";
    };
  }

  /** Colours of a CPU. */
  private record Colours(String fill, String line, String text, String band, boolean dashed) {
    static Colours of(CpuRole role) {
      Integer replica = role.replica();
      if (replica == null) {
        return role.use() == Use.SYSTEM
            ? new Colours("#c9ced4", "#3d454d", "#1c2126", "", false)
            : new Colours("#ffffff", "#b4bcc4", "#5a646e", "", true);
      }
      ReplicaColour colour = ReplicaColour.of(replica);
      return role.use() == Use.ANCILLARY
          ? new Colours(colour.light(), colour.dark(), "#1c2126", "", true)
          : new Colours(colour.dark(), colour.dark(), "#ffffff", colour.light(), false);
    }
  }

  private void drawLegend() {
    int x = MARGIN;
    for (Use use : uses) {
      int itemWidth = legendWidth(use);
      if (x > MARGIN && x + itemWidth > width) {
        x = MARGIN;
        y += TopologyBox.CPU_HEIGHT + 8;
      }
      boolean owned = use == Use.CRITICAL || use == Use.ANCILLARY || use == Use.BOTH;
      body.append("<g transform=\"translate(" + x + " " + y + ")\">");
      drawCpu(0, "n", new CpuRole(use, owned ? 0 : null), CORNER);
      text(TopologyBox.CPU_WIDTH + 8, 20, "text", use.meaning());
      body.append("</g>\n");
      x += itemWidth;
    }
    y += TopologyBox.CPU_HEIGHT + MARGIN;
    if (!topology.coreKinds().isEmpty()) {
      text(
          MARGIN,
          y,
          "text",
          "Angular CPUs are on cores "
              + topology.coreKinds().getFirst().name()
              + ", round ones in a dotted frame on less powerful ones.");
      y += LINE_HEIGHT;
    }
  }

  /** Width of a colour and its meaning in the legend. */
  private static int legendWidth(Use use) {
    return TopologyBox.CPU_WIDTH
        + 8
        + (int) (use.meaning().length() * CHARACTER_WIDTH)
        + LEGEND_GAP;
  }

  private void drawLines(String title, String style, List<String> lines) {
    if (lines.isEmpty()) {
      return;
    }
    y += LINE_HEIGHT / 2;
    text(MARGIN, y, "title", title);
    y += LINE_HEIGHT;
    for (String line : lines) {
      for (String piece : wrapped(line)) {
        text(MARGIN, y, style, piece);
        y += LINE_HEIGHT;
      }
    }
  }

  /** A line in pieces that fit the width; later ones are indented. */
  private List<String> wrapped(String line) {
    int most = (int) ((width - 2 * MARGIN) / CHARACTER_WIDTH);
    List<String> pieces = new ArrayList<>();
    String rest = line;
    while (rest.length() > most) {
      int space = rest.lastIndexOf(' ', most);
      int cut = space > 8 ? space : most;
      pieces.add(rest.substring(0, cut));
      rest = "      " + rest.substring(cut).strip();
    }
    pieces.add(rest);
    return pieces;
  }

  private void text(int x, int atY, String style, String text) {
    body.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\" class=\"%s\" xml:space=\"preserve\">%s</text>\n",
            x,
            atY,
            style,
            SvgText.escaped(text)));
  }
}
