package dev.pinion.bootstrap.diagram;

import dev.pinion.core.diagram.Flow;
import dev.pinion.core.diagram.Section;
import java.util.ArrayList;
import java.util.List;

/**
 * The shapes of a section in chains, within which each leads to the next one and to nothing else,
 * and the flow among the chains: what a layout has to place.
 *
 * @param chains numbers of shapes; each shape is in one chain
 * @param flows flow from the end of one chain to the beginning of another
 */
record Chains(List<List<Integer>> chains, List<Flow> flows) {
  static Chains of(Section section) {
    int size = section.shapes().size();
    int[] leaving = new int[size];
    int[] entering = new int[size];
    boolean[] plain = new boolean[size]; // leads to the next one without a condition
    for (Flow flow : section.flows()) {
      leaving[flow.from()]++;
      entering[flow.to()]++;
      plain[flow.from()] |= flow.to() == flow.from() + 1 && flow.label().isEmpty();
    }
    List<List<Integer>> chains = new ArrayList<>();
    int[] chainOf = new int[size];
    for (int i = 0; i < size; i++) {
      boolean continues = i > 0 && plain[i - 1] && leaving[i - 1] == 1 && entering[i] == 1;
      if (!continues) {
        chains.add(new ArrayList<>());
      }
      chains.getLast().add(i);
      chainOf[i] = chains.size() - 1;
    }
    List<Flow> flows =
        section.flows().stream()
            .filter(flow -> isBetween(flow, chainOf, chains))
            .map(
                flow ->
                    new Flow(chainOf[flow.from()], chainOf[flow.to()], flow.label(), flow.kind()))
            .toList();
    return new Chains(chains, flows);
  }

  /** Whether a flow is not that within a chain: it leaves the last one of its chain. */
  private static boolean isBetween(Flow flow, int[] chainOf, List<List<Integer>> chains) {
    return chains.get(chainOf[flow.from()]).getLast() == flow.from();
  }
}
