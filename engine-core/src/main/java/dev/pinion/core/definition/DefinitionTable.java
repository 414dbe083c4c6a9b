package dev.pinion.core.definition;

import dev.pinion.core.ir.ProcessGraph;
import dev.pinion.core.model.DefinitionInfo;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.SemanticVersion;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is deployed at one moment. Immutable. */
final class DefinitionTable {
  /** A definition and its compiled form. */
  record Entry(DefinitionInfo info, ProcessGraph graph) {}

  private record Name(String namespace, String name) {}

  private static final Comparator<DefinitionKey> ORDER =
      Comparator.comparing(DefinitionKey::namespace)
          .thenComparing(DefinitionKey::name)
          .thenComparing(DefinitionTable::version);

  static final DefinitionTable EMPTY = new DefinitionTable(new TreeMap<>(ORDER));

  private final SortedMap<DefinitionKey, Entry> ordered;
  private final Map<DefinitionKey, Entry> byKey;
  private final Map<Name, Entry> latest = new HashMap<>();

  private DefinitionTable(SortedMap<DefinitionKey, Entry> ordered) {
    this.ordered = Collections.unmodifiableSortedMap(ordered);
    this.byKey = new HashMap<>(ordered);
    ordered.forEach((key, entry) -> latest.put(new Name(key.namespace(), key.name()), entry));
  }

  private static SemanticVersion version(DefinitionKey key) {
    return Objects.requireNonNull(SemanticVersion.parse(key.version()), key::toString);
  }

  /** This table with more definitions. */
  DefinitionTable with(List<Entry> added) {
    SortedMap<DefinitionKey, Entry> copy = new TreeMap<>(ordered);
    added.forEach(entry -> copy.put(entry.info().key(), entry));
    return new DefinitionTable(copy);
  }

  int size() {
    return byKey.size();
  }

  @Nullable Entry find(DefinitionKey key) {
    return byKey.get(key);
  }

  @Nullable Entry latest(String namespace, String name) {
    return latest.get(new Name(namespace, name));
  }

  List<DefinitionInfo> list(@Nullable String namespace, @Nullable String name) {
    return ordered.values().stream()
        .map(Entry::info)
        .filter(info -> namespace == null || info.key().namespace().equals(namespace))
        .filter(info -> name == null || info.key().name().equals(name))
        .toList();
  }
}
