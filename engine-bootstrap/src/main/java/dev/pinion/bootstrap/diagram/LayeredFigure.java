package dev.pinion.bootstrap.diagram;

import dev.pinion.core.diagram.Flow;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.elk.alg.layered.LayeredLayoutProvider;
import org.eclipse.elk.alg.layered.options.CycleBreakingStrategy;
import org.eclipse.elk.alg.layered.options.LayeredMetaDataProvider;
import org.eclipse.elk.alg.layered.options.LayeredOptions;
import org.eclipse.elk.alg.layered.options.OrderingStrategy;
import org.eclipse.elk.core.data.LayoutMetaDataService;
import org.eclipse.elk.core.options.CoreOptions;
import org.eclipse.elk.core.options.Direction;
import org.eclipse.elk.core.options.EdgeRouting;
import org.eclipse.elk.core.options.PortConstraints;
import org.eclipse.elk.core.options.PortSide;
import org.eclipse.elk.core.util.BasicProgressMonitor;
import org.eclipse.elk.graph.ElkEdge;
import org.eclipse.elk.graph.ElkEdgeSection;
import org.eclipse.elk.graph.ElkLabel;
import org.eclipse.elk.graph.ElkNode;
import org.eclipse.elk.graph.ElkPort;
import org.eclipse.elk.graph.util.ElkGraphUtil;

/**
 * Figures in layers, with few crossings, by the layered layout of Eclipse ELK. The order of the
 * definition is kept where nothing speaks against it.
 */
final class LayeredFigure implements DiagramFigure {
  private static final double BETWEEN_LAYERS = 34;
  private static final double BETWEEN_FIGURES = 28;

  static {
    LayoutMetaDataService.getInstance()
        .registerLayoutMetaDataProviders(new LayeredMetaDataProvider());
  }

  private final List<DiagramFigure> figures;
  private final List<Flow> flows;
  private final ElkNode graph = ElkGraphUtil.createGraph();
  private final List<ElkNode> nodes = new ArrayList<>();
  private final List<ElkEdge> edges = new ArrayList<>();

  LayeredFigure(List<DiagramFigure> figures, List<Flow> flows) {
    this.figures = List.copyOf(figures);
    this.flows = List.copyOf(flows);
    graph.setProperty(CoreOptions.DIRECTION, Direction.DOWN);
    graph.setProperty(CoreOptions.EDGE_ROUTING, EdgeRouting.ORTHOGONAL);
    graph.setProperty(CoreOptions.RANDOM_SEED, 1);
    graph.setProperty(CoreOptions.SPACING_NODE_NODE, BETWEEN_FIGURES);
    graph.setProperty(LayeredOptions.SPACING_NODE_NODE_BETWEEN_LAYERS, BETWEEN_LAYERS);
    graph.setProperty(LayeredOptions.CYCLE_BREAKING_STRATEGY, CycleBreakingStrategy.MODEL_ORDER);
    graph.setProperty(
        LayeredOptions.CONSIDER_MODEL_ORDER_STRATEGY, OrderingStrategy.NODES_AND_EDGES);
    figures.forEach(this::add);
    flows.forEach(this::add);
    new LayeredLayoutProvider().layout(graph, new BasicProgressMonitor());
  }

  private void add(DiagramFigure figure) {
    ElkNode node = ElkGraphUtil.createNode(graph);
    node.setDimensions(figure.width(), figure.height());
    node.setProperty(CoreOptions.PORT_CONSTRAINTS, PortConstraints.FIXED_POS);
    port(node, PortSide.NORTH).setLocation(figure.axis(), 0);
    port(node, PortSide.SOUTH).setLocation(figure.axis(), figure.height());
    nodes.add(node);
  }

  private static ElkPort port(ElkNode node, PortSide side) {
    ElkPort port = ElkGraphUtil.createPort(node);
    port.setProperty(CoreOptions.PORT_SIDE, side);
    return port;
  }

  private void add(Flow flow) {
    ElkEdge edge =
        ElkGraphUtil.createSimpleEdge(
            nodes.get(flow.from()).getPorts().getLast(),
            nodes.get(flow.to()).getPorts().getFirst());
    if (!flow.label().isEmpty()) {
      ElkLabel label = ElkGraphUtil.createLabel(flow.label(), edge);
      label.setDimensions(FlowLabel.width(flow.label()), FlowLabel.HEIGHT);
    }
    edges.add(edge);
  }

  @Override
  public double width() {
    return graph.getWidth();
  }

  @Override
  public double height() {
    return graph.getHeight();
  }

  @Override
  public double axis() {
    return nodes.getFirst().getX() + figures.getFirst().axis();
  }

  @Override
  public void draw(SvgPage page, double x, double y) {
    for (int i = 0; i < edges.size(); i++) {
      String style = LanesFigure.style(flows.get(i));
      for (ElkEdgeSection section : edges.get(i).getSections()) {
        line(section, figures.get(flows.get(i).to()).inset()).moved(x, y).draw(page, style);
      }
    }
    for (ElkEdge edge : edges) {
      for (ElkLabel label : edge.getLabels()) {
        FlowLabel.draw(page, x + label.getX(), y + label.getY(), label.getText());
      }
    }
    for (int i = 0; i < figures.size(); i++) {
      figures.get(i).draw(page, x + nodes.get(i).getX(), y + nodes.get(i).getY());
    }
  }

  private static FlowLine line(ElkEdgeSection section, double inset) {
    List<FlowPoint> points = new ArrayList<>();
    points.add(new FlowPoint(section.getStartX(), section.getStartY()));
    section.getBendPoints().forEach(bend -> points.add(new FlowPoint(bend.getX(), bend.getY())));
    points.add(new FlowPoint(section.getEndX(), section.getEndY() + inset));
    return new FlowLine(points);
  }
}
