package dev.pinion.bootstrap.diagram;

import dev.pinion.core.diagram.Flow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Figures in one column, in the order of the definition. Flows that do not lead to the next one run
 * in lanes beside it: to the right those that lead down, to the left those that lead back. For
 * sections that are too large for a better layout: its time grows with their size only.
 */
final class LanesFigure implements DiagramFigure {
  private static final double GAP = 34;
  private static final double LANE = 12;
  private static final double JOG = 10;

  /** Most lanes of a side; further flows share them. */
  private static final int MAX_LANES = 64;

  private final List<DiagramFigure> figures;
  private final double[] tops;
  private final List<PlacedFlow> placed = new ArrayList<>();
  private final List<Flow> straight;
  private final double axis;
  private final double width;
  private final double height;

  /** A flow with the place of its lane. */
  private record PlacedFlow(Flow flow, double lane, double level) {}

  LanesFigure(List<DiagramFigure> figures, List<Flow> flows) {
    this.figures = List.copyOf(figures);
    this.straight = flows.stream().filter(flow -> !isAside(flow)).toList();
    this.tops = new double[figures.size()];
    int[] leaving = new int[figures.size()];
    flows.stream().filter(LanesFigure::isAside).forEach(flow -> leaving[flow.from()]++);
    double y = 0;
    double left = 0;
    double right = 0;
    for (int i = 0; i < tops.length; i++) {
      tops[i] = y;
      y += figures.get(i).height() + GAP + leaving[i] * FlowLabel.HEIGHT;
      left = Math.max(left, figures.get(i).axis());
      right = Math.max(right, figures.get(i).width() - figures.get(i).axis());
    }
    this.height = y;
    double labels =
        flows.stream().mapToDouble(flow -> FlowLabel.width(flow.label())).max().orElse(0);
    double back = place(flows, false, -Math.max(left, labels));
    double forward = place(flows, true, Math.max(right, labels));
    this.axis = -back;
    this.width = forward - back;
  }

  private static boolean isAside(Flow flow) {
    return flow.to() != flow.from() + 1 || !flow.label().isEmpty();
  }

  /** Places the flows of one side; returns the farthest place, from the axis. */
  private double place(List<Flow> flows, boolean down, double nearest) {
    List<Flow> side =
        flows.stream()
            .filter(flow -> isAside(flow) && flow.to() > flow.from() == down)
            .sorted(Comparator.comparingInt(flow -> Math.min(flow.from(), flow.to())))
            .toList();
    int[] ends = new int[MAX_LANES];
    Arrays.fill(ends, -1);
    int[] levels = new int[figures.size()];
    int used = 0;
    for (Flow flow : side) {
      int lane = freeLane(ends, Math.min(flow.from(), flow.to()));
      ends[lane] = Math.max(flow.from(), flow.to());
      used = Math.max(used, lane + 1);
      double x = nearest + Math.signum(nearest) * LANE * (lane + 1);
      placed.add(new PlacedFlow(flow, x, levels[flow.from()]++ * FlowLabel.HEIGHT));
    }
    return nearest + Math.signum(nearest) * LANE * (used + 1);
  }

  private static int freeLane(int[] ends, int begin) {
    int soonest = 0;
    for (int lane = 0; lane < ends.length; lane++) {
      if (ends[lane] < begin) {
        return lane;
      }
      soonest = ends[lane] < ends[soonest] ? lane : soonest;
    }
    return soonest;
  }

  @Override
  public double width() {
    return width;
  }

  @Override
  public double height() {
    return height;
  }

  @Override
  public double axis() {
    return axis;
  }

  @Override
  public void draw(SvgPage page, double x, double y) {
    double middle = x + axis;
    for (Flow flow : straight) {
      double bottom = tops[flow.from()] + figures.get(flow.from()).height();
      FlowLine.straight(middle, y + bottom, y + top(flow.to())).draw(page, style(flow));
    }
    placed.forEach(each -> drawAside(page, each, middle, y));
    for (int i = 0; i < figures.size(); i++) {
      DiagramFigure figure = figures.get(i);
      figure.draw(page, middle - figure.axis(), y + tops[i]);
    }
  }

  /** Where flows to a figure end. */
  private double top(int figure) {
    return tops[figure] + figures.get(figure).inset();
  }

  private void drawAside(SvgPage page, PlacedFlow placedFlow, double middle, double y) {
    Flow flow = placedFlow.flow();
    double bottom = y + tops[flow.from()] + figures.get(flow.from()).height();
    double level = bottom + JOG + placedFlow.level();
    double target = y + tops[flow.to()];
    double lane = middle + placedFlow.lane();
    new FlowLine(
            List.of(
                new FlowPoint(middle, bottom),
                new FlowPoint(middle, level),
                new FlowPoint(lane, level),
                new FlowPoint(lane, target - JOG),
                new FlowPoint(middle, target - JOG),
                new FlowPoint(middle, y + top(flow.to()))))
        .draw(page, style(flow));
    if (!flow.label().isEmpty()) {
      double label = FlowLabel.width(flow.label());
      double left = placedFlow.lane() < 0 ? middle - label - JOG : middle + JOG;
      FlowLabel.draw(page, left, level - FlowLabel.HEIGHT / 2, flow.label());
    }
  }

  /** The style of the line of a flow. */
  static String style(Flow flow) {
    return flow.kind() == Flow.Kind.ERROR ? "caught" : "flow";
  }
}
