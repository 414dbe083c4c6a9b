package dev.pinion.bootstrap.brokerd.behaviour;

import dev.pinion.broker.model.ProcessNode;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.SemanticVersion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.TreeMap;

/**
 * The behavioural model of all that is deployed: a choice between the latest versions of the
 * definitions that name abstract services, all equally likely. Services that only earlier versions
 * name form a separate branch that is hardly ever taken: such versions may still be started, and
 * their calls need a service. The last branch invokes nothing: it stands for requests that run
 * other definitions, whose number is zero until they are observed.
 *
 * @param process an empty sequence when no definition names an abstract service
 * @param definitions the definitions in it, as {@code namespace/name/version}
 */
public record BehaviourModel(ProcessNode process, List<String> definitions) {
  /** Share of requests for which the services of earlier versions are planned. */
  public static final double EARLIER = 0.001;

  /** Most nodes of a definition's tree; a larger one is replaced by its services in sequence. */
  public static final int MAX_NODES = 2_000;

  /**
   * Greatest depth of a definition's tree; a deeper one is replaced by its services in sequence.
   */
  public static final int MAX_DEPTH = 64;

  /**
   * Most nodes of all trees; those of further definitions are replaced by their services likewise.
   */
  public static final int MAX_ALL_NODES = 50_000;

  private static final String ID = "definitions";

  /** Copies the list. */
  public BehaviourModel {
    definitions = List.copyOf(definitions);
  }

  /** The model of all deployed definitions, by the trees of {@link ProcessGraphModel}. */
  public static BehaviourModel of(Map<DefinitionKey, ProcessNode> deployed) {
    Map<String, List<DefinitionKey>> byName = new TreeMap<>();
    for (DefinitionKey each : deployed.keySet()) {
      String name = each.namespace() + "/" + each.name();
      byName.computeIfAbsent(name, _ -> new ArrayList<>()).add(each);
    }
    List<ProcessNode> trees = new ArrayList<>();
    List<String> definitions = new ArrayList<>();
    SequencedSet<String> earlier = new LinkedHashSet<>();
    int nodes = 0;
    for (List<DefinitionKey> versions : byName.values()) {
      versions.sort(Comparator.comparing(BehaviourModel::version));
      for (DefinitionKey each : versions) {
        ProcessNode whole = deployed.getOrDefault(each, ProcessTrees.NOTHING);
        ProcessNode tree = bounded(whole, MAX_ALL_NODES - nodes);
        if (!each.equals(versions.getLast())) {
          earlier.addAll(ProcessTrees.tasks(tree));
        } else if (!ProcessTrees.isNothing(tree)) {
          trees.add(tree);
          nodes += ProcessTrees.size(tree);
          definitions.add(each.toString());
        }
      }
    }
    trees.forEach(tree -> earlier.removeAll(ProcessTrees.tasks(tree)));
    return new BehaviourModel(choice(trees, sequence(earlier)), definitions);
  }

  private static SemanticVersion version(DefinitionKey key) {
    return Objects.requireNonNull(SemanticVersion.parse(key.version()), key::toString);
  }

  private static ProcessNode bounded(ProcessNode tree, int left) {
    boolean fits =
        ProcessTrees.size(tree) <= Math.min(MAX_NODES, left)
            && ProcessTrees.depth(tree) <= MAX_DEPTH;
    return fits ? tree : sequence(ProcessTrees.tasks(tree));
  }

  private static ProcessNode sequence(Collection<String> tasks) {
    List<ProcessNode> children = new ArrayList<>();
    tasks.forEach(each -> children.add(new ProcessNode.Task(each)));
    return ProcessTrees.sequence(children);
  }

  private static ProcessNode choice(List<ProcessNode> latest, ProcessNode earlier) {
    if (latest.isEmpty() && ProcessTrees.isNothing(earlier)) {
      return ProcessTrees.NOTHING;
    }
    double rest = ProcessTrees.isNothing(earlier) ? 0 : EARLIER;
    List<ProcessNode> children = new ArrayList<>(latest);
    List<Double> probabilities =
        new ArrayList<>(Collections.nCopies(latest.size(), (1 - rest) / latest.size()));
    if (rest > 0) {
      children.add(earlier);
      probabilities.add(rest);
    }
    children.add(ProcessTrees.NOTHING);
    probabilities.add(latest.isEmpty() ? 1 - rest : 0);
    return new ProcessNode.Choice(ID, children, probabilities);
  }
}
