package dev.pinion.core.definition;

import dev.pinion.core.model.DefinitionKey;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Durable storage of definitions. Called by one thread at a time; may block.
 *
 * <p>Failures of the medium are {@link java.io.UncheckedIOException}s.
 */
public interface DefinitionStore {
  /** Every definition that was saved, in no particular order. */
  List<StoredDefinition> load();

  /** The definition of a key, or null when it was not saved. */
  @Nullable StoredDefinition find(DefinitionKey key);

  /**
   * Saves a definition unless its key has one; when this returns, it survives a loss of power.
   * Other processes may save at the same time.
   *
   * @return the definition that the key already had, or null when the definition was saved
   */
  @Nullable StoredDefinition save(StoredDefinition definition);

  /**
   * Deletes a definition, and keeps its content for instances that were started before; when this
   * returns, the deletion survives a loss of power. Does nothing when the definition does not
   * exist.
   *
   * @param definition the definition under its key
   * @param fingerprint fingerprint of its content
   * @return false when the store has another text under its key, which is left unchanged
   */
  boolean delete(StoredDefinition definition, long fingerprint);

  /** The deleted definitions, in no particular order. */
  List<DeletedDefinition> deleted();

  /**
   * Disables or enables a definition; when this returns, that survives a loss of power. A new
   * definition is enabled.
   *
   * @return false when the store has no definition under the key
   */
  boolean setEnabled(DefinitionKey key, boolean enabled);

  /** Whether a definition is not disabled. */
  boolean isEnabled(DefinitionKey key);

  /** The keys of disabled definitions. */
  Set<DefinitionKey> disabled();

  /** The place where a definition is stored, for messages. */
  String location(StoredDefinition definition);
}
