package dev.pinion.core.kernel;

import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DefinitionName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Definitions of a test; the latest of a name is the one that was put last. */
public final class DeployedGraphs implements GraphSource {
  private final SequencedMap<DefinitionKey, ProcessGraph> graphs = new LinkedHashMap<>();
  private final Map<DefinitionKey, ProcessGraph> former = new HashMap<>();
  private final Map<String, ProcessGraph> latest = new HashMap<>();
  private final Set<DefinitionKey> disabled = new HashSet<>();
  private Map<DefinitionName, ProcessGraph> schedules = Map.of();
  private boolean scheduling = true;

  /** Whether all are known. */
  public boolean complete = true;

  /** Whether all are compiled. */
  public boolean prepared = true;

  public void put(ProcessGraph graph) {
    graphs.putLast(graph.key(), graph);
    latest.put(graph.key().namespace() + "/" + graph.key().name(), graph);
    schedule();
  }

  /** Makes a definition unknown. */
  public void remove(DefinitionKey key) {
    ProcessGraph removed = graphs.remove(key);
    if (removed != null) {
      former.put(key, removed);
    }
    latest.remove(key.namespace() + "/" + key.name());
    disabled.remove(key);
    schedule();
  }

  /** A definition that is known, or was. */
  public @Nullable ProcessGraph knownOnce(DefinitionKey key) {
    ProcessGraph graph = graphs.get(key);
    return graph == null ? former.get(key) : graph;
  }

  /** Has no definition keep a schedule any more. */
  public void withoutSchedules() {
    complete = true;
    prepared = true;
    scheduling = false;
    schedule();
  }

  /** Makes another map of schedules. */
  private void schedule() {
    Map<DefinitionName, ProcessGraph> found = new HashMap<>();
    for (ProcessGraph graph : graphs.values()) {
      DefinitionName name = DefinitionName.of(graph.key());
      ProcessGraph schedule = graph.schedule();
      if (!scheduling || disabled.contains(graph.key())) {
        continue;
      }
      if (schedule == null) {
        found.remove(name);
      } else {
        found.put(name, schedule);
      }
    }
    schedules = Map.copyOf(found);
  }

  @Override
  public Map<DefinitionName, ProcessGraph> schedules() {
    return schedules;
  }

  @Override
  public @Nullable ProcessGraph graph(DefinitionKey key) {
    return graphs.get(key);
  }

  @Override
  public @Nullable ProcessGraph latestGraph(String namespace, String name) {
    return latest.get(namespace + "/" + name);
  }

  /** Lets no more instances of a definition start. */
  public void disable(DefinitionKey key) {
    disabled.add(key);
    schedule();
  }

  /** Lets instances of a definition start again. */
  public void enable(DefinitionKey key) {
    disabled.remove(key);
    schedule();
  }

  @Override
  public boolean isEnabled(DefinitionKey key) {
    return !disabled.contains(key);
  }

  @Override
  public boolean isPrepared(String namespace, String name, @Nullable String version) {
    return prepared;
  }

  @Override
  public boolean knowsAll() {
    return complete;
  }
}
