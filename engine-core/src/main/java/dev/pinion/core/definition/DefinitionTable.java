package dev.pinion.core.definition;

import dev.pinion.core.definition.InstalledDefinition.CompiledDefinition;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.DeployedDefinition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The definitions deployed at one moment. Immutable. */
final class DefinitionTable {
  static final DefinitionTable EMPTY = new DefinitionTable(new TreeMap<>(DefinitionKey.ORDER));

  private final SortedMap<DefinitionKey, InstalledDefinition> ordered;
  private final Map<DefinitionKey, InstalledDefinition> byKey;
  private final Map<DefinitionName, InstalledDefinition> latest = new HashMap<>();
  private final Map<DefinitionName, ProcessGraph> schedules;

  private DefinitionTable(SortedMap<DefinitionKey, InstalledDefinition> ordered) {
    this.ordered = Collections.unmodifiableSortedMap(ordered);
    this.byKey = new HashMap<>(ordered);
    ordered.forEach(
        (key, entry) -> latest.merge(DefinitionName.of(key), entry, DefinitionTable::preferred));
    Map<DefinitionName, ProcessGraph> scheduled = new HashMap<>();
    latest.forEach(
        (name, entry) -> {
          ProcessGraph schedule = entry.isEnabled() ? entry.schedule() : null;
          if (schedule != null) {
            scheduled.put(name, schedule);
          }
        });
    this.schedules = Collections.unmodifiableMap(scheduled); // a copy is not another one if empty
  }

  /** The newer version, unless it is disabled and the older one is not. */
  private static InstalledDefinition preferred(
      InstalledDefinition older, InstalledDefinition newer) {
    return older.isEnabled() && !newer.isEnabled() ? older : newer;
  }

  /** This table with more definitions. */
  DefinitionTable with(List<InstalledDefinition> added) {
    SortedMap<DefinitionKey, InstalledDefinition> copy = new TreeMap<>(ordered);
    added.forEach(entry -> copy.put(entry.key(), entry));
    return new DefinitionTable(copy);
  }

  /** This table without a definition. */
  DefinitionTable without(DefinitionKey key) {
    SortedMap<DefinitionKey, InstalledDefinition> copy = new TreeMap<>(ordered);
    copy.remove(key);
    return new DefinitionTable(copy);
  }

  int size() {
    return byKey.size();
  }

  @Nullable InstalledDefinition find(DefinitionKey key) {
    return byKey.get(key);
  }

  @Nullable InstalledDefinition latest(String namespace, String name) {
    return latest.get(new DefinitionName(namespace, name));
  }

  /** Graphs of schedules by the names whose newest enabled version has one. */
  Map<DefinitionName, ProcessGraph> schedules() {
    return schedules;
  }

  List<DeployedDefinition> list(@Nullable String namespace, @Nullable String name) {
    List<DeployedDefinition> found = new ArrayList<>();
    for (InstalledDefinition definition : ordered.values()) {
      DefinitionKey key = definition.key();
      boolean asked =
          (namespace == null || key.namespace().equals(namespace))
              && (name == null || key.name().equals(name));
      CompiledDefinition compiledDefinition = asked ? definition.compiled() : null;
      if (compiledDefinition != null) {
        found.add(compiledDefinition.info());
      }
    }
    return List.copyOf(found);
  }
}
