package dev.pinion.core.settings;

import dev.pinion.core.model.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Durability of instances, and the place of the journal.
 *
 * @param defaultLevel for definitions without a level
 * @param directory folder of the journal of this replica; null for none, and then nothing survives,
 *     whatever the definitions state
 * @param onFailure is notified, on any thread, that the journal cannot be written any more: nothing
 *     is acknowledged from then on, and the process must end
 */
public record SafeStoreSettings(
    Durability defaultLevel, @Nullable Path directory, Consumer<IOException> onFailure) {
  /** Everything in memory. */
  public static final SafeStoreSettings NONE =
      new SafeStoreSettings(Durability.NONE, null, failure -> {});
}
