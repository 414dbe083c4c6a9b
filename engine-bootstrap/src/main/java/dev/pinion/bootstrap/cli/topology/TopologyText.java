package dev.pinion.bootstrap.cli.topology;

import dev.pinion.bootstrap.cli.ByteSizes;
import dev.pinion.bootstrap.cli.topology.CpuRole.Use;
import dev.pinion.bootstrap.placement.PlacementPlan;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.Topology;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Draws a machine as text: packages, which contain NUMA nodes, which contain caches, which contain
 * cores; each CPU with its replica and its use, in the colour of the replica where colours can be
 * shown.
 */
final class TopologyText {
  /** CPUs drawn on a line. */
  private static final int CPUS_PER_LINE = 8;

  /** Backgrounds of the 256-colour palette on which white text is readable. */
  private static final int[] COLOURS = {25, 130, 28, 90, 30, 124, 58, 54, 23, 94, 64, 60};

  private final Topology topology;
  private final PlacementPlan placementPlan;
  private final boolean coloured;
  private final Set<Use> uses = EnumSet.noneOf(Use.class);
  private final StringBuilder text = new StringBuilder();

  /**
   * A drawing.
   *
   * @param coloured whether it uses ANSI colours
   */
  TopologyText(Topology topology, PlacementPlan placementPlan, boolean coloured) {
    this.topology = topology;
    this.placementPlan = placementPlan;
    this.coloured = coloured;
  }

  /**
   * Draws the machine.
   *
   * @param name name of the machine
   * @param disagreements facts about which sources disagree
   */
  String draw(String name, List<String> disagreements) {
    line(name);
    line(
        String.format(
            Locale.ROOT,
            "%d CPUs online (%s), %d allowed (%s), %s of memory, %s allowed",
            topology.online().size(),
            topology.online(),
            topology.allowed().size(),
            topology.allowed(),
            ByteSizes.of(topology.memory().totalBytes()),
            ByteSizes.of(topology.memory().allowedBytes())));
    drawMore();
    line("");
    TopologyNode.packages(topology).forEach(each -> draw(each, "", true));
    drawLegend();
    line("");
    PlacementPlanText.lines(topology, placementPlan).forEach(this::line);
    drawNotes("Notes", topology.notes());
    drawNotes("Decisions", placementPlan.decisions());
    drawNotes("Cross-check", disagreements);
    return text.toString();
  }

  private void drawMore() {
    if (!topology.offline().isEmpty()) {
      line("CPUs offline: " + topology.offline());
    }
    topology.coreKinds().forEach(kind -> line("Cores " + kind.name() + ": CPUs " + kind.cpus()));
    if (topology.cpuQuota() != null) {
      line(
          String.format(
              Locale.ROOT, "CPU time is limited to that of %.2f CPUs", topology.cpuQuota()));
    }
  }

  private void draw(TopologyNode part, String indent, boolean top) {
    line(indent + (top ? "" : "─ ") + part.title() + "  CPUs " + part.cpus());
    String inner = indent + (top ? " " : "   ");
    if (part.kind() == TopologyNode.NodeKind.CACHE) {
      drawCores(part.parts(), inner);
    } else {
      part.parts().forEach(each -> draw(each, inner, false));
    }
  }

  private void drawCores(List<TopologyNode> cores, String indent) {
    List<String> row = new ArrayList<>();
    int cpus = 0;
    for (TopologyNode core : cores) {
      if (cpus > 0 && cpus + core.cpus().size() > CPUS_PER_LINE) {
        line(indent + String.join(" ", row));
        row.clear();
        cpus = 0;
      }
      row.add(core(core));
      cpus += core.cpus().size();
    }
    line(indent + String.join(" ", row));
  }

  private String core(TopologyNode core) {
    String inside = core.cpus().stream().mapToObj(this::cpu).collect(Collectors.joining(" "));
    return core.kind() == TopologyNode.NodeKind.LITTLE_CORE
        ? "(" + inside + ")"
        : "[" + inside + "]";
  }

  private String cpu(int cpu) {
    CpuRole role = CpuRole.of(cpu, topology, placementPlan);
    uses.add(role.use());
    String label =
        "%s:%s"
            .formatted(
                padded(Integer.toString(cpu), widest(topology.online())),
                role.label() + " ".repeat(labelWidth() - role.label().length()));
    return coloured ? colour(role) + label + "\u001b[0m" : label;
  }

  private int labelWidth() {
    return topology.online().stream()
        .map(cpu -> CpuRole.of(cpu, topology, placementPlan).label().length())
        .max()
        .orElse(0);
  }

  private static int widest(CpuSet cpus) {
    return cpus.stream().map(cpu -> Integer.toString(cpu).length()).max().orElse(1);
  }

  private static String padded(String number, int width) {
    return " ".repeat(width - number.length()) + number;
  }

  /**
   * Critical CPUs bright on their replica's colour, ancillary ones dim, those of no replica bare.
   */
  private static String colour(CpuRole role) {
    Integer replica = role.replica();
    if (replica == null) {
      return "\u001b[2m";
    }
    int background = COLOURS[replica % COLOURS.length];
    String weight = role.use() == Use.ANCILLARY ? "38;5;250" : "1;38;5;231";
    return "\u001b[48;5;" + background + ";" + weight + "m";
  }

  private void drawLegend() {
    line("");
    String meanings =
        uses.stream()
            .map(use -> use.letter() + " " + use.meaning())
            .collect(Collectors.joining(", "));
    line("A CPU reads NUMBER:REPLICA and its use: " + meanings + ".");
    if (!topology.coreKinds().isEmpty()) {
      line("Cores in [] are " + topology.coreKinds().getFirst().name() + ", those in () are not.");
    }
  }

  private void drawNotes(String title, List<String> notes) {
    if (!notes.isEmpty()) {
      line("");
      line(title);
      notes.forEach(note -> line("  - " + note));
    }
  }

  private void line(String line) {
    text.append(line.stripTrailing()).append('\n');
  }
}
