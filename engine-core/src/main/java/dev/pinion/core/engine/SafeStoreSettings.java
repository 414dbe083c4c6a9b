package dev.pinion.core.engine;

import dev.pinion.core.model.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What of instances survives a crash, and where it is kept.
 *
 * @param defaultLevel for definitions that do not say
 * @param directory where the journal of this replica is; null for none, and then nothing survives
 *     whatever definitions say
 * @param onFailure hears, on any thread, that the journal cannot be written any more: nothing is
 *     acknowledged from then on, and the process has to end
 * @param bounds the sizes of the journal
 */
public record SafeStoreSettings(
    Durability defaultLevel,
    @Nullable Path directory,
    Consumer<IOException> onFailure,
    JournalBounds bounds) {
  /** Everything in memory. */
  public static final SafeStoreSettings NONE =
      new SafeStoreSettings(Durability.NONE, null, failure -> {});

  /** With a journal of the usual sizes. */
  public SafeStoreSettings(
      Durability defaultLevel, @Nullable Path directory, Consumer<IOException> onFailure) {
    this(defaultLevel, directory, onFailure, JournalBounds.DEFAULTS);
  }
}
