package dev.pinion.core.definition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where definitions outlive the process. Called by one thread at a time; may block.
 *
 * <p>Failures of the medium are {@link java.io.UncheckedIOException}s.
 */
public interface DefinitionStore {
  /** Every definition that was saved, in no particular order. */
  List<StoredDefinition> load();

  /**
   * Saves a definition unless one stands under its key; when this returns, it is there after a loss
   * of power too. Other processes may save at the same time.
   *
   * @return what stood under the key already, or null when the definition was saved
   */
  @Nullable StoredDefinition save(StoredDefinition definition);

  /**
   * Deletes a definition, and keeps what it held for instances that were started before; when this
   * returns, it stays so after a loss of power too. Nothing when it is not there.
   *
   * @param definition what stands under its key
   * @param fingerprint of what it holds
   * @return false when the store has another text under its key, which is left as it is
   */
  boolean delete(StoredDefinition definition, long fingerprint);

  /** What was deleted, in no particular order. */
  List<DeletedDefinition> deleted();

  /** Where a definition is kept, for messages. */
  String place(StoredDefinition definition);
}
