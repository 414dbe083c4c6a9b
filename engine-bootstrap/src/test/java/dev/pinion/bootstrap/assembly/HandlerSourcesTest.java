package dev.pinion.bootstrap.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.settings.SettingLines;
import dev.pinion.handlers.remote.RemoteSettings;
import dev.pinion.handlers.remote.transport.NatsSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Settings of handlers as a replica receives them. */
class HandlerSourcesTest {
  @Test
  void shouldBeNoneByDefault() throws IOException {
    HandlerSources sources = sources(EffectiveSettings.defaults(Path.of("data")));

    assertNull(sources.documents());
    assertNull(sources.nats());
    assertEquals(RemoteSettings.DEFAULTS, sources.remote());
  }

  // Replicas used default limits, and no credentials, whatever was set.
  @Test
  void shouldKeepLimitsAndCredentialsOfNatsServers() throws IOException {
    Map<String, Integer> limits =
        Map.of(
            "kernel.maxCalls", 5,
            "handlers.remote.maxInFlight", 7,
            "handlers.remote.lateMillis", 1_000,
            "handlers.remote.storedMaxMebibytes", 3);

    HandlerSources sources =
        sources(
            EffectiveSettings.defaults(Path.of("data"))
                .put(SettingKey.HANDLERS, "/chains.yaml")
                .put(SettingKey.HANDLERS_NATS, "tls://a,tls://b")
                .put(SettingKey.HANDLERS_NATS_CREDENTIALS, "/user.creds")
                .put(SettingKey.HANDLERS_NATS_TRUST, "/issuers.pem")
                .limits(limits));

    assertEquals(Path.of("/chains.yaml"), sources.documents());
    assertEquals(
        new NatsSettings("tls://a,tls://b", Path.of("/user.creds"), Path.of("/issuers.pem")),
        sources.nats());
    assertEquals(7, sources.remote().limits().maxInFlight());
    assertEquals(1_000, sources.remote().times().late().toMillis());
    assertEquals(3, sources.remote().store().maxMebibytes());
  }

  private static HandlerSources sources(EffectiveSettings.Builder settings) throws IOException {
    String lines = settings.build().lines() + "\n";
    return HandlerSources.of(
        Objects.requireNonNull(SettingLines.read(new BufferedReader(new StringReader(lines)))));
  }
}
