package dev.pinion.bootstrap.assembly;

import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.handlers.remote.RemoteSettings;
import dev.pinion.handlers.remote.transport.NatsSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Sources of the handlers of a replica.
 *
 * @param documents document of chains, or folder of such documents; null for no handlers
 * @param nats NATS servers of handler hosts, perhaps with passwords; null for none
 * @param remote bounds and times of attempts at handler hosts
 */
record HandlerSources(
    @Nullable Path documents, @Nullable NatsSettings nats, RemoteSettings remote) {
  /** No handlers. */
  static final HandlerSources NONE = new HandlerSources(null, null, RemoteSettings.DEFAULTS);

  static HandlerSources of(EffectiveSettings settings) {
    return new HandlerSources(
        settings.get(SettingKey.HANDLERS).orElse(null),
        nats(settings),
        RemoteSettings.DEFAULTS.with(settings.remoteLimits()));
  }

  private static @Nullable NatsSettings nats(EffectiveSettings settings) {
    String servers = settings.get(SettingKey.HANDLERS_NATS);
    return servers.isEmpty()
        ? null
        : new NatsSettings(
            servers,
            settings.get(SettingKey.HANDLERS_NATS_CREDENTIALS).orElse(null),
            settings.get(SettingKey.HANDLERS_NATS_TRUST).orElse(null));
  }
}
