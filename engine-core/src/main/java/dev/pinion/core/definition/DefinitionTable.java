package dev.pinion.core.definition;

import dev.pinion.core.definition.StandingDefinition.Compiled;
import dev.pinion.core.model.DefinitionInfo;
import dev.pinion.core.model.DefinitionKey;
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
  private record Name(String namespace, String name) {}

  static final DefinitionTable EMPTY = new DefinitionTable(new TreeMap<>(DefinitionKey.ORDER));

  private final SortedMap<DefinitionKey, StandingDefinition> ordered;
  private final Map<DefinitionKey, StandingDefinition> byKey;
  private final Map<Name, StandingDefinition> latest = new HashMap<>();

  private DefinitionTable(SortedMap<DefinitionKey, StandingDefinition> ordered) {
    this.ordered = Collections.unmodifiableSortedMap(ordered);
    this.byKey = new HashMap<>(ordered);
    ordered.forEach((key, entry) -> latest.put(new Name(key.namespace(), key.name()), entry));
  }

  /** This table with more definitions. */
  DefinitionTable with(List<StandingDefinition> added) {
    SortedMap<DefinitionKey, StandingDefinition> copy = new TreeMap<>(ordered);
    added.forEach(entry -> copy.put(entry.key(), entry));
    return new DefinitionTable(copy);
  }

  /** This table without a definition. */
  DefinitionTable without(DefinitionKey key) {
    SortedMap<DefinitionKey, StandingDefinition> copy = new TreeMap<>(ordered);
    copy.remove(key);
    return new DefinitionTable(copy);
  }

  int size() {
    return byKey.size();
  }

  @Nullable StandingDefinition find(DefinitionKey key) {
    return byKey.get(key);
  }

  @Nullable StandingDefinition latest(String namespace, String name) {
    return latest.get(new Name(namespace, name));
  }

  List<DefinitionInfo> list(@Nullable String namespace, @Nullable String name) {
    List<DefinitionInfo> found = new ArrayList<>();
    for (StandingDefinition definition : ordered.values()) {
      DefinitionKey key = definition.key();
      boolean asked =
          (namespace == null || key.namespace().equals(namespace))
              && (name == null || key.name().equals(name));
      Compiled compiled = asked ? definition.compiled() : null;
      if (compiled != null) {
        found.add(compiled.info());
      }
    }
    return List.copyOf(found);
  }
}
