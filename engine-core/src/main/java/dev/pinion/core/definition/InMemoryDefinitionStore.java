package dev.pinion.core.definition;

import dev.pinion.core.model.DefinitionKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Keeps definitions for the life of the process, for tests and one-shot runs. */
public final class InMemoryDefinitionStore implements DefinitionStore {
  private final List<StoredDefinition> saved = new ArrayList<>();
  private final List<DeletedDefinition> deleted = new ArrayList<>();
  private final Set<DefinitionKey> disabled = new HashSet<>();

  @Override
  public synchronized List<StoredDefinition> load() {
    return List.copyOf(saved);
  }

  @Override
  public synchronized @Nullable StoredDefinition find(DefinitionKey key) {
    for (StoredDefinition standing : saved) {
      if (standing.key().equals(key)) {
        return standing;
      }
    }
    return null;
  }

  @Override
  public synchronized @Nullable StoredDefinition save(StoredDefinition definition) {
    StoredDefinition standing = find(definition.key());
    if (standing == null) {
      saved.add(definition);
    }
    return standing;
  }

  @Override
  public synchronized boolean delete(StoredDefinition definition, long fingerprint) {
    if (saved.removeIf(standing -> standing.key().equals(definition.key()))) {
      deleted.add(new DeletedDefinition(definition, fingerprint));
      disabled.remove(definition.key());
    }
    return true;
  }

  @Override
  public synchronized List<DeletedDefinition> deleted() {
    return List.copyOf(deleted);
  }

  @Override
  public synchronized boolean setEnabled(DefinitionKey key, boolean enabled) {
    if (saved.stream().noneMatch(standing -> standing.key().equals(key))) {
      return false;
    }
    boolean _ = enabled ? disabled.remove(key) : disabled.add(key);
    return true;
  }

  @Override
  public synchronized boolean isEnabled(DefinitionKey key) {
    return !disabled.contains(key);
  }

  @Override
  public synchronized Set<DefinitionKey> disabled() {
    return Set.copyOf(disabled);
  }

  @Override
  public String location(StoredDefinition definition) {
    return definition.key() + " in memory";
  }
}
