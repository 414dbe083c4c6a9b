package dev.pinion.bootstrap.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.protocol.DispatchMode;
import dev.pinion.core.settings.StageLayout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a child gets of the parent's settings. */
class EffectiveSettingsTest {
  private static final Path DATA = Path.of("/data/\u00e9 \"quoted\"\n");

  @Test
  void shouldReachAChildUnchanged() throws Exception {
    Map<SettingKey<?>, String> options = new HashMap<>();
    options.put(SettingKey.DATA, DATA.toString());
    options.put(SettingKey.PORT, "0");
    options.put(SettingKey.PUBLIC_HOSTS, "engine.example,*.example.org");
    options.put(SettingKey.DURABILITY, "async");
    options.put(SettingKey.HISTORY, "jdbc:postgresql://localhost/history");
    options.put(SettingKey.HISTORY_USER, "clio");
    options.put(SettingKey.SINKS, "example.com,*.example.org");
    options.put(BrokerKey.CALLBACK_URL, "https://engine.example/pinion");
    options.put(SettingKey.HANDLERS, "chains");
    options.put(SettingKey.HANDLERS_NATS, "nats://ann:hush@a:4222,tls://b");
    options.put(SettingKey.TRUST, "certificates.pem");
    options.put(SettingKey.PUBLISHERS, "4");
    options.put(SettingKey.SET, "kernel.maxCalls=5");
    EffectiveSettings parent = SettingsLoader.load(options, Map.of(), null);

    EffectiveSettings child =
        sent(
            parent
                .change()
                .put(ReplicaKey.INDEX, 3)
                .put(ReplicaKey.SLOTS, 4)
                .put(ReplicaKey.ASSIGNMENT, "7 0 1 3 3")
                .put(ReplicaKey.DISPATCH, DispatchMode.HANDOVER.label())
                .put(ReplicaKey.PORT, 8080)
                .put(ReplicaKey.RUN_DIRECTORY, Path.of("/run/\u00e9"))
                .put(ReplicaKey.DATA_IDENTITY, "")
                .put(ReplicaKey.LAYOUT, "pipelined:1+1+1")
                .put(ReplicaKey.WAITING, "park")
                .put(ReplicaKey.PINS, SettingValues.text(Map.of("request-0", 1, "kernel-0", 2)))
                .put(ReplicaKey.ANCILLARY_CPUS, "0,2")
                .put(ReplicaKey.CPUS, "")
                .build());

    for (SettingKey<?> key : SettingKey.all()) {
      if (key != SettingKey.SET) {
        assertEquals(parent.get(key).toString(), child.get(key).toString(), key.label());
      }
    }
    assertEquals(DATA, child.get(SettingKey.DATA));
    assertEquals(Path.of("chains").toAbsolutePath(), child.get(SettingKey.HANDLERS).orElseThrow());
    assertEquals(Map.of("publish.publishers", 4, "kernel.maxCalls", 5), child.limits());
    assertEquals(3, child.get(ReplicaKey.INDEX));
    assertEquals(4, child.get(ReplicaKey.SLOTS));
    assertEquals("7 0 1 3 3", child.get(ReplicaKey.ASSIGNMENT));
    assertEquals(DispatchMode.HANDOVER, child.get(ReplicaKey.DISPATCH));
    assertEquals(8080, child.get(ReplicaKey.PORT));
    assertEquals("/run/\u00e9", child.get(ReplicaKey.RUN_DIRECTORY));
    assertEquals(Optional.empty(), child.get(ReplicaKey.DATA_IDENTITY));
    assertEquals(new StageLayout.Pipelined(1, 1, 1), child.get(ReplicaKey.LAYOUT));
    assertEquals(Map.of("request-0", 1, "kernel-0", 2), child.get(ReplicaKey.PINS));
    assertEquals("0,2", child.get(ReplicaKey.ANCILLARY_CPUS));
    assertEquals(Map.of(), child.get(ReplicaKey.CPUS));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " begins with a space",
        "ends ",
        "back\\slash",
        "#a!b=c:d",
        "\u00fcml\u00e4ut",
        ""
      })
  void shouldKeepEveryCharacterOfAPassword(String password) throws IOException {
    EffectiveSettings settings =
        EffectiveSettings.defaults(DATA).put(SettingKey.HISTORY_PASSWORD, password).build();

    assertEquals(password, sent(settings).get(SettingKey.HISTORY_PASSWORD));
    assertTrue(settings.lines().lines().noneMatch(String::isEmpty), "an empty line ends them");
  }

  @Test
  void shouldReadHowLongAReplicaMayWarmUp() {
    EffectiveSettings.Builder settings = EffectiveSettings.defaults(DATA);

    assertEquals(Duration.ZERO, settings.build().warmUp());
    assertEquals(
        Duration.ofSeconds(59),
        settings.limits(Map.of("start.warmUpMillis", 59_000)).build().warmUp());
  }

  @Test
  void shouldRefuseLinesThatAreNoSettings() {
    String lines = EffectiveSettings.defaults(DATA).build().lines();
    for (String wrong :
        List.of(
            "nonsense\n",
            lines.replace("replica.index=0\n", ""),
            lines.replace("replica.index=0\n", "replica.index=first\n"),
            lines + "replica.indx=0\n",
            lines + "set.kernel.maxCall=5\n",
            lines + "host=10.0.0.1\n")) {
      assertThrows(IOException.class, () -> read(wrong + "\n"), wrong);
    }
  }

  @Test
  void shouldBeNoneWhenTheParentEndsBeforeThey() throws IOException {
    assertNull(read(""));
    assertNull(read("host=127.0.0.1\n"));
  }

  private static EffectiveSettings sent(EffectiveSettings settings) throws IOException {
    return Objects.requireNonNull(read(settings.lines() + "\n"));
  }

  private static @Nullable EffectiveSettings read(String text) throws IOException {
    return SettingLines.read(new BufferedReader(new StringReader(text)));
  }
}
