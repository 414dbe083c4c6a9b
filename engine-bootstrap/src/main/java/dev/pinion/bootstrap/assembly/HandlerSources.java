package dev.pinion.bootstrap.assembly;

import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.SettingKey;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Sources of the handlers of a replica.
 *
 * @param documents document of chains, or folder of such documents; null for no handlers
 * @param nats NATS servers of handler hosts, perhaps with passwords; empty for none
 */
record HandlerSources(@Nullable Path documents, String nats) {
  /** No handlers. */
  static final HandlerSources NONE = new HandlerSources(null, "");

  static HandlerSources of(EffectiveSettings settings) {
    return new HandlerSources(
        settings.get(SettingKey.HANDLERS).orElse(null), settings.get(SettingKey.HANDLERS_NATS));
  }
}
