package dev.pinion.core.definition;

import dev.pinion.core.model.DefinitionKey;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A store that does what another one does, for tests that change some of it. */
class ForwardingDefinitionStore implements DefinitionStore {
  private final DefinitionStore store;

  ForwardingDefinitionStore(DefinitionStore store) {
    this.store = store;
  }

  @Override
  public List<StoredDefinition> load() {
    return store.load();
  }

  @Override
  public @Nullable StoredDefinition find(DefinitionKey key) {
    return store.find(key);
  }

  @Override
  public @Nullable StoredDefinition save(StoredDefinition definition) {
    return store.save(definition);
  }

  @Override
  public boolean delete(StoredDefinition definition, long fingerprint) {
    return store.delete(definition, fingerprint);
  }

  @Override
  public List<DeletedDefinition> deleted() {
    return store.deleted();
  }

  @Override
  public boolean setEnabled(DefinitionKey key, boolean enabled) {
    return store.setEnabled(key, enabled);
  }

  @Override
  public boolean isEnabled(DefinitionKey key) {
    return store.isEnabled(key);
  }

  @Override
  public Set<DefinitionKey> disabled() {
    return store.disabled();
  }

  @Override
  public String location(StoredDefinition definition) {
    return store.location(definition);
  }
}
