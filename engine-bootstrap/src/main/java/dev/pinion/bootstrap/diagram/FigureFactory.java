package dev.pinion.bootstrap.diagram;

import dev.pinion.core.diagram.Caption;
import dev.pinion.core.diagram.Section;
import dev.pinion.core.diagram.Shape;
import dev.pinion.core.diagram.Shape.Repetition;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the figures of a diagram, from the inside out. Sections with branches and jumps get layers,
 * as long as neither the shapes nor the flows of all such sections exceed a bound; others get one
 * column.
 */
final class FigureFactory {
  /** Most figures, and most flows, in layers, over all sections: about a second of work. */
  static final int MAX_LAYERED = 1_000;

  private int layered;

  /** The figure of a section. */
  DiagramFigure section(Section section, boolean light) {
    List<DiagramFigure> figures =
        section.shapes().stream().map(shape -> figure(shape, light)).toList();
    Chains chains = Chains.of(section);
    List<DiagramFigure> stacked = new ArrayList<>();
    for (List<Integer> chain : chains.chains()) {
      stacked.add(
          chain.size() == 1
              ? figures.get(chain.getFirst())
              : new StackFigure(chain.stream().map(figures::get).toList()));
    }
    if (chains.flows().isEmpty() && stacked.size() == 1) {
      return stacked.getFirst();
    }
    int size = Math.max(stacked.size(), chains.flows().size());
    if (layered + size > MAX_LAYERED) {
      return new LanesFigure(figures, section.flows());
    }
    layered += size;
    return new LayeredFigure(stacked, chains.flows());
  }

  private DiagramFigure figure(Shape shape, boolean light) {
    return switch (shape) {
      case Shape.Node(var caption, var symbol) ->
          switch (symbol) {
            case TASK, CALL, RUN -> StepFigure.of(caption, symbol);
            case GATEWAY -> GatewayFigure.of(caption);
            default -> EventFigure.of(caption, symbol);
          };
      case Shape.Frame(var caption, var repetition, var body) ->
          FrameFigure.of(caption, repetition, section(body, !light), light ? "frame" : "inner");
      case Shape.Parallel(var caption, var compete, var branches) ->
          ParallelFigure.of(
              caption,
              compete,
              branches.stream()
                  .map(
                      branch ->
                          new ParallelFigure.BranchFigure(
                              figure(branch.shape(), light), branch.ends()))
                  .toList());
      case Shape.Guarded(var caption, var body, var handler, var handling) ->
          GuardedFigure.of(caption, section(body, true), handler(handler, handling));
    };
  }

  private DiagramFigure handler(Caption handler, Section handling) {
    DiagramFigure content =
        handling.isEmpty() ? new StackFigure(List.of()) : section(handling, true);
    return FrameFigure.of(handler, Repetition.ONCE, content, "handler");
  }
}
