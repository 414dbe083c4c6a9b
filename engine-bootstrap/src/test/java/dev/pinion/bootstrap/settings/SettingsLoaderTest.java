package dev.pinion.bootstrap.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.placement.IdleStrategies;
import dev.pinion.bootstrap.placement.Pinning;
import dev.pinion.bootstrap.placement.PlacementSettings;
import dev.pinion.bootstrap.placement.ReplicaPolicy;
import dev.pinion.bootstrap.protocol.BrokerMode;
import dev.pinion.bootstrap.protocol.DispatchMode;
import dev.pinion.core.settings.StageLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SettingsLoaderTest {
  private static final Map<String, String> HOME = Map.of("HOME", "/home/someone");

  @TempDir private Path folder;

  @Test
  void shouldReadWhetherABrokerRuns() {
    assertEquals(BrokerMode.AUTO, load(Map.of()).get(BrokerKey.MODE));
    assertEquals(BrokerMode.ON, load(Map.of(BrokerKey.MODE, "on")).get(BrokerKey.MODE));
    assertFalse(load(Map.of()).get(BrokerKey.STANDBY));
    assertTrue(load(Map.of(BrokerKey.STANDBY, "true")).get(BrokerKey.STANDBY));
    AssertionError e =
        assertThrows(AssertionError.class, () -> load(Map.of(BrokerKey.MODE, "yes")));
    assertTrue(String.valueOf(e.getMessage()).contains("[auto, on, off]"), e::getMessage);
  }

  @Test
  void shouldReadWhatIsMadeOfCallersAndDefinitions() {
    assertBinding(load(Map.of()), "label", "", "warn", "", "report");
    Map<SettingKey<?>, String> all =
        Map.of(
            BrokerKey.CALLERS,
            "contract-only",
            BrokerKey.CALLER_HEADER,
            "X-User",
            BrokerKey.UNSERVED,
            "refuse",
            BrokerKey.CALLBACK_URL,
            "https://engine.example/pinion",
            BrokerKey.THROTTLE,
            "refuse");
    assertBinding(
        load(all), "contract-only", "X-User", "refuse", "https://engine.example/pinion", "refuse");
    for (Map<SettingKey<?>, String> wrong :
        List.<Map<SettingKey<?>, String>>of(
            Map.of(BrokerKey.CALLERS, "anybody"),
            Map.of(BrokerKey.UNSERVED, "ignore"),
            Map.of(BrokerKey.THROTTLE, "on"),
            Map.of(BrokerKey.CALLBACK_URL, "engine.example"),
            Map.of(BrokerKey.CALLBACK_URL, "http://engine.example/"),
            Map.of(BrokerKey.CALLBACK_URL, "http://engine.example?x=1"),
            Map.of(BrokerKey.CALLERS, "contract", BrokerKey.CALLER_HEADER, "X User"),
            Map.of(BrokerKey.CALLER_HEADER, "X-User"))) {
      AssertionError e = assertThrows(AssertionError.class, () -> load(wrong));
      assertTrue(String.valueOf(e.getMessage()).contains("expected"), e::getMessage);
    }
  }

  private static void assertBinding(
      EffectiveSettings settings,
      String callers,
      String header,
      String unserved,
      String callback,
      String throttle) {
    assertEquals(callers, settings.get(BrokerKey.CALLERS).label());
    assertEquals(header, settings.get(BrokerKey.CALLER_HEADER));
    assertEquals(unserved, settings.get(BrokerKey.UNSERVED).label());
    assertEquals(callback, settings.get(BrokerKey.CALLBACK_URL));
    assertEquals(throttle, settings.get(BrokerKey.THROTTLE).label());
  }

  @Test
  void shouldReadWhichSinksGetLifecycleEvents() {
    assertEquals(List.of(), load(Map.of()).get(SettingKey.LIFECYCLE_EVENTS));
    Map<SettingKey<?>, String> both =
        Map.of(
            SettingKey.EVENT_SINKS, "audit=http://a,shop=http://s",
            SettingKey.LIFECYCLE_EVENTS, "audit:task@Orders");
    assertEquals(
        LifecycleSinkSpec.parse("audit:task@Orders"), load(both).get(SettingKey.LIFECYCLE_EVENTS));
    assertRefused("found \"audit\"", Map.of(SettingKey.LIFECYCLE_EVENTS, "audit"));
    assertRefused(
        "did you mean \"audit\"?",
        Map.of(SettingKey.EVENT_SINKS, "audit=http://a", SettingKey.LIFECYCLE_EVENTS, "audti"));
    assertRefused(
        "expected a history",
        Map.of(
            SettingKey.HISTORY, "none",
            SettingKey.EVENT_SINKS, "audit=http://a",
            SettingKey.LIFECYCLE_EVENTS, "audit"));
    assertEquals(
        "none", load(Map.of(SettingKey.HISTORY, "none")).get(SettingKey.HISTORY), "without them");
  }

  private static void assertRefused(String says, Map<SettingKey<?>, String> options) {
    AssertionError e = assertThrows(AssertionError.class, () -> load(options));
    assertTrue(String.valueOf(e.getMessage()).contains(says), e::getMessage);
  }

  @Test
  void shouldHaveDefaults() throws SettingsException {
    EffectiveSettings settings =
        SettingsLoader.load(Map.of(), Map.of("HOME", "/home/someone"), null);

    assertEquals("127.0.0.1", settings.get(SettingKey.HOST));
    assertEquals(8080, settings.get(SettingKey.PORT));
    assertEquals(Path.of("/home/someone/.local/share/pinion"), settings.get(SettingKey.DATA));
    assertEquals(PlacementSettings.AUTO, settings.placement());
    assertNull(settings.placement().layout());
    assertNull(settings.placement().heapBytes());
    assertEquals(Duration.ofSeconds(25), settings.get(SettingKey.SHUTDOWN_TIMEOUT));
    assertEquals(List.of(), settings.get(SettingKey.JVM_OPTIONS));
    assertEquals(Optional.empty(), settings.get(SettingKey.READY_FILE));
    assertEquals(Map.of(), settings.limits());
  }

  // Field fault 19: data ended up in ./.local of the folder in which the engine was started
  @Test
  void shouldAskForAFolderWhereTheEnvironmentNamesNone() throws SettingsException {
    for (Map<String, String> environment :
        List.of(
            Map.<String, String>of(),
            Map.of("HOME", ""),
            Map.of("HOME", "home", "XDG_DATA_HOME", "data"))) {
      SettingsException refusal =
          assertThrows(
              SettingsException.class, () -> SettingsLoader.load(Map.of(), environment, null));
      assertTrue(
          refusal.problems().getFirst().contains("expected a folder for data, found none: pass"),
          refusal.problems().toString());
    }
    assertEquals(
        Path.of("/h/.local/share/pinion"),
        SettingsLoader.load(Map.of(), Map.of("HOME", "/h", "XDG_DATA_HOME", "data"), null)
            .get(SettingKey.DATA));
  }

  @Test
  void shouldKeepDataWhereTheDesktopSays() throws SettingsException {
    EffectiveSettings settings =
        SettingsLoader.load(Map.of(), Map.of("XDG_DATA_HOME", "/data"), null);

    assertEquals(Path.of("/data/pinion"), settings.get(SettingKey.DATA));
  }

  @Test
  void shouldPreferOptionsToEnvironmentToFile() throws Exception {
    // given
    Path file = write("pinion.yaml", "port: 1\nheap: 1g\nwaiting: spin\n");
    Map<String, String> environment = Map.of("HOME", "/h", "PINION_PORT", "2", "PINION_HEAP", "2g");
    Map<SettingKey<?>, String> options = Map.of(SettingKey.PORT, "3");

    // when
    EffectiveSettings settings = SettingsLoader.load(options, environment, file);

    // then
    assertEquals(3, settings.get(SettingKey.PORT));
    assertEquals(2L << 30, settings.placement().heapBytes());
    assertEquals(IdleStrategies.all(IdleStrategies.IdleMode.SPIN), settings.placement().waiting());
  }

  /** A misspelt variable is refused, like a misspelt name in a file. */
  @Test
  void shouldRefuseVariablesThatAreNoSetting() throws SettingsException {
    Map<String, String> misspelt = Map.of("HOME", "/h", "PINION_PROT", "1", "PINION_", "x");
    SettingsException refusal =
        assertThrows(SettingsException.class, () -> SettingsLoader.load(Map.of(), misspelt, null));
    assertEquals(2, refusal.problems().size(), refusal.problems().toString());
    assertTrue(
        refusal.problems().getFirst().startsWith("unknown environment variable \"PINION_\""));
    assertEquals(
        "unknown environment variable \"PINION_PROT\"; did you mean \"PINION_PORT\"?",
        refusal.problems().getLast());

    Map<String, String> ofOthers =
        Map.of(
            "HOME",
            "/h",
            "PINION_SECRET_ANY_THING",
            "s3cret",
            "PINION_URL",
            "http://127.0.0.1:1",
            "PINION_ADMIN",
            "http://127.0.0.1:2",
            "PINION_AOT",
            "off",
            "PINION_HISTORY_USER",
            "someone",
            "PINION_HISTORY_PASSWORD",
            "secret",
            "PINIONS",
            "x");
    assertEquals(8080, SettingsLoader.load(Map.of(), ofOthers, null).get(SettingKey.PORT));
  }

  @Test
  void shouldAddUpLimitsOfAllSources() throws Exception {
    Path file = write("pinion.yaml", "set:\n  kernel:\n    maxCalls: 7\n  json.maxDepth: 100\n");

    EffectiveSettings settings =
        SettingsLoader.load(
            Map.of(SettingKey.SET, "kernel.maxCalls=9,request.maxListed=5"),
            Map.of("HOME", "/h", "PINION_SET", "kernel.maxCalls=8"),
            file);

    assertEquals(
        Map.of("kernel.maxCalls", 9, "json.maxDepth", 100, "request.maxListed", 5),
        settings.limits());
  }

  @Test
  void shouldReadPropertiesAndJson() throws Exception {
    Path properties = write("a.properties", "port=5\nset.kernel.maxCalls=6\n");
    Path json = write("a.json", "{\"port\": 7}");

    assertEquals(5, SettingsLoader.load(Map.of(), HOME, properties).get(SettingKey.PORT));
    assertEquals(
        Map.of("kernel.maxCalls", 6), SettingsLoader.load(Map.of(), HOME, properties).limits());
    assertEquals(7, SettingsLoader.load(Map.of(), HOME, json).get(SettingKey.PORT));
  }

  @Test
  void shouldTellAllProblemsWithTheirOrigins() throws IOException {
    // given
    Path file = write("pinion.yaml", "prot: 1\nheap: much\n");
    Map<String, String> environment = Map.of("HOME", "/h", "PINION_PORT", "70000");
    Map<SettingKey<?>, String> options =
        Map.of(
            PlacementKey.WAITING,
            "sleep",
            SettingKey.HOST,
            "0.0.0.0",
            SettingKey.SET,
            "kernel.maxCall=1,x");

    // when
    SettingsException refusal =
        assertThrows(
            SettingsException.class, () -> SettingsLoader.load(options, environment, file));

    // then
    String all = String.valueOf(refusal.getMessage());
    assertEquals(7, refusal.problems().size(), all);
    assertTrue(all.contains("unknown setting \"prot\"; did you mean \"port\"?"), all);
    assertTrue(all.contains(file + ": expected a size such as 512m or 2g, found \"much\""), all);
    assertTrue(
        all.contains("PINION_PORT: expected a number from 0 to 65535, found \"70000\""), all);
    assertTrue(
        all.contains("--waiting: expected park, yield or spin, or each stage once as in"), all);
    assertTrue(all.contains("--host: expected a loopback address, found \"0.0.0.0\""), all);
    assertTrue(all.contains("did you mean \"kernel.maxCalls\"?"), all);
    assertTrue(all.contains("--set: expected a limit such as kernel.maxCalls=1000"), all);
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1,true", "127.9.9.9,true", "localhost,true", "::1,true", "10.0.0.1,false"})
  void shouldAcceptLoopbackOnly(String host, boolean accepted) {
    Map<SettingKey<?>, String> options = Map.of(SettingKey.HOST, host);
    if (accepted) {
      assertTrue(load(options).get(SettingKey.HOST).equals(host));
    } else {
      assertThrows(AssertionError.class, () -> load(options));
    }
  }

  @Test
  void shouldReadLayouts() {
    assertEquals(
        new StageLayout.Pipelined(1, 1, 2),
        load(Map.of(PlacementKey.LAYOUT, "pipelined:1+1+2")).placement().layout());
    assertEquals(
        new StageLayout.Fused(3),
        load(Map.of(PlacementKey.LAYOUT, "fused:3")).placement().layout());
    assertNull(load(Map.of(PlacementKey.LAYOUT, "fused")).placement().layout());
  }

  @Test
  void shouldReadPlacement() {
    Map<SettingKey<?>, String> options =
        Map.of(
            PlacementKey.REPLICAS, "1..3",
            PlacementKey.PINNING, "group",
            PlacementKey.SYSTEM_CPUS, "2",
            PlacementKey.WAITING, "kernel=yield");

    assertEquals(
        new PlacementSettings(
            new ReplicaPolicy.Between(1, 3),
            null,
            null,
            new IdleStrategies(
                IdleStrategies.IdleMode.PARK,
                IdleStrategies.IdleMode.YIELD,
                IdleStrategies.IdleMode.PARK),
            Pinning.GROUP,
            2),
        load(options).placement());
  }

  @Test
  void shouldSplitJvmOptions() {
    assertEquals(
        List.of("-Xlog:gc", "-Da=b"),
        load(Map.of(SettingKey.JVM_OPTIONS, " -Xlog:gc  -Da=b ")).get(SettingKey.JVM_OPTIONS));
  }

  @Test
  void shouldRefuseFileThatIsMissingOrTooLongOrNoMapping() throws IOException {
    Path tooLong = write("long.yaml", "#".repeat((int) SettingsFile.MAX_BYTES + 1));
    Path list = write("list.yaml", "- 1\n");
    Path broken = write("broken.yaml", "a: [\n");

    for (Path file : List.of(folder.resolve("missing.yaml"), tooLong, list, broken)) {
      SettingsException refusal =
          assertThrows(SettingsException.class, () -> SettingsLoader.load(Map.of(), HOME, file));
      assertTrue(refusal.problems().getFirst().startsWith("cannot read " + file));
    }
  }

  @Test
  void shouldTellWhereATextCeasesToBeYaml() throws IOException {
    Path file = write("broken.yaml", "port: 1\nheap: [1, 2\nhost: x\n");

    SettingsException refusal =
        assertThrows(SettingsException.class, () -> SettingsLoader.load(Map.of(), HOME, file));

    assertEquals(
        List.of("cannot read " + file + ": expected YAML at line 3, column 5, found \"host: x\""),
        refusal.problems());
  }

  @Test
  void shouldReadDispatchAndAdminPort() {
    assertEquals(DispatchMode.HANDOVER, load(Map.of()).get(SettingKey.DISPATCH));
    assertEquals(
        DispatchMode.LEAST_LOADED,
        load(Map.of(SettingKey.DISPATCH, "least-loaded")).get(SettingKey.DISPATCH));
    assertThrows(AssertionError.class, () -> load(Map.of(SettingKey.DISPATCH, "direct")));
    assertEquals(Optional.of(AdminPort.AUTO), load(Map.of()).get(SettingKey.ADMIN_PORT));
    assertEquals(
        Optional.of(new AdminPort(0, false)),
        load(Map.of(SettingKey.ADMIN_PORT, "0")).get(SettingKey.ADMIN_PORT));
    assertEquals(
        Optional.empty(), load(Map.of(SettingKey.ADMIN_PORT, "none")).get(SettingKey.ADMIN_PORT));
  }

  @Test
  void shouldReadWhereTheHistoryIsKept() {
    assertEquals("sqlite", load(Map.of()).get(SettingKey.HISTORY));
    assertFalse(load(Map.of(SettingKey.HISTORY, "none")).keepsHistory());
    String url = "jdbc:postgresql://localhost/history";
    EffectiveSettings settings =
        load(
            Map.of(
                SettingKey.HISTORY,
                url,
                SettingKey.HISTORY_USER,
                "clio",
                SettingKey.HISTORY_PASSWORD,
                "hush-hush"));
    assertEquals("clio", settings.get(SettingKey.HISTORY_USER));
    assertEquals("hush-hush", settings.get(SettingKey.HISTORY_PASSWORD));
    for (String wrong : List.of("mysql", url + "?password=hush", "jdbc:postgresql://a:hush@b/c")) {
      AssertionError e =
          assertThrows(AssertionError.class, () -> load(Map.of(SettingKey.HISTORY, wrong)));
      assertFalse(String.valueOf(e.getMessage()).contains("hush"), e.getMessage());
    }
  }

  @Test
  void shouldReadWhereHandlersComeFrom() {
    assertEquals(Optional.empty(), load(Map.of()).get(SettingKey.HANDLERS));
    assertEquals("", load(Map.of()).get(SettingKey.HANDLERS_NATS));
    assertEquals(List.of(), load(Map.of()).get(SettingKey.HANDLERS_PATH));
    String nats = "nats://ann:hush@a:4222,tls://b";
    EffectiveSettings settings =
        load(Map.of(SettingKey.HANDLERS, "chains", SettingKey.HANDLERS_NATS, nats));
    assertEquals(
        Optional.of(Path.of("chains").toAbsolutePath()), settings.get(SettingKey.HANDLERS));
    assertEquals(nats, settings.get(SettingKey.HANDLERS_NATS));
    assertThrows(AssertionError.class, () -> load(Map.of(SettingKey.HANDLERS_NATS, nats)));
    assertThrows(
        AssertionError.class,
        () ->
            load(
                Map.of(
                    SettingKey.HANDLERS,
                    "chains",
                    SettingKey.HANDLERS_NATS,
                    "nats://a,,nats://b")));
  }

  @Test
  void shouldReadCredentialsForNatsServersOnlyBesideTheirAddresses() {
    Map<SettingKey<?>, String> options = new HashMap<>();
    options.put(SettingKey.HANDLERS, "chains");
    options.put(SettingKey.HANDLERS_NATS_CREDENTIALS, "user.creds");
    options.put(SettingKey.HANDLERS_NATS_TRUST, "/etc/issuers.pem");
    AssertionError e = assertThrows(AssertionError.class, () -> load(options));
    assertTrue(
        String.valueOf(e.getMessage())
            .contains("(--handlers-nats) beside --handlers-nats-credentials, found none"),
        e::getMessage);

    options.put(SettingKey.HANDLERS_NATS, "tls://a");
    EffectiveSettings settings = load(options);

    assertEquals(
        Optional.of(Path.of("user.creds").toAbsolutePath()),
        settings.get(SettingKey.HANDLERS_NATS_CREDENTIALS));
    assertEquals(
        Optional.of(Path.of("/etc/issuers.pem")), settings.get(SettingKey.HANDLERS_NATS_TRUST));
  }

  @Test
  void shouldReadLimitsOfHandlerHostsLikeThoseOfTheEngine() {
    EffectiveSettings settings =
        load(Map.of(SettingKey.SET, "handlers.remote.maxInFlight=7,kernel.maxCalls=5"));

    assertEquals(Map.of("handlers.remote.maxInFlight", 7), settings.remoteLimits());
    assertEquals(Map.of("kernel.maxCalls", 5), settings.limits());
    for (String wrong : List.of("handlers.remote.maxInFlight=0", "handlers.remote.maxInFligt=7")) {
      AssertionError e =
          assertThrows(AssertionError.class, () -> load(Map.of(SettingKey.SET, wrong)));
      assertTrue(
          String.valueOf(e.getMessage()).contains("handlers.remote.maxInFlight"), e::getMessage);
    }
  }

  @Test
  void shouldReadWhereFurtherKindsOfHandlersAre(@TempDir Path jars) {
    EffectiveSettings settings =
        load(Map.of(SettingKey.HANDLERS, "chains", SettingKey.HANDLERS_PATH, jars + ":" + jars));
    assertEquals(List.of(jars, jars), settings.get(SettingKey.HANDLERS_PATH));
    assertThrows(
        AssertionError.class, () -> load(Map.of(SettingKey.HANDLERS_PATH, jars.toString())));
    for (String wrong : List.of(jars + ":", jars.resolve("none.jar").toString())) {
      assertThrows(
          AssertionError.class,
          () -> load(Map.of(SettingKey.HANDLERS, "chains", SettingKey.HANDLERS_PATH, wrong)));
    }
  }

  @Test
  void shouldReadHowManyPublishSubjectToLimitsByName() {
    assertEquals(Map.of(), load(Map.of()).limits());
    Map<SettingKey<?>, String> four = Map.of(SettingKey.PUBLISHERS, "4");
    assertEquals(Map.of("publish.publishers", 4), load(four).limits());
    assertEquals(
        Map.of("publish.publishers", 64), load(Map.of(SettingKey.PUBLISHERS, "64")).limits());
    for (String wrong : List.of("0", "65", "many")) {
      assertThrows(AssertionError.class, () -> load(Map.of(SettingKey.PUBLISHERS, wrong)));
    }
  }

  @Test
  void shouldReadWhereResultsMayBeSentTo() {
    assertEquals("guarded", load(Map.of()).get(SettingKey.SINKS).toString());
    String hosts = "example.com,*.example.org";
    assertEquals(hosts, load(Map.of(SettingKey.SINKS, hosts)).get(SettingKey.SINKS).toString());
    assertThrows(AssertionError.class, () -> load(Map.of(SettingKey.SINKS, "http://a/path")));
  }

  @ParameterizedTest
  @MethodSource("dev.pinion.bootstrap.settings.SettingKey#all")
  void shouldTakeEachKeyFromTheEnvironment(SettingKey<?> settingKey) {
    Map<String, String> environment = Map.of("HOME", "/h", settingKey.variable(), "\0");
    if (settingKey == SettingKey.JVM_OPTIONS) {
      return; // any text is an option
    }
    SettingsException refusal =
        assertThrows(
            SettingsException.class, () -> SettingsLoader.load(Map.of(), environment, null));
    assertTrue(refusal.problems().getFirst().contains(settingKey.variable()), refusal.toString());
  }

  private static EffectiveSettings load(Map<SettingKey<?>, String> options) {
    try {
      return SettingsLoader.load(options, HOME, null);
    } catch (SettingsException e) {
      throw new AssertionError(e);
    }
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
