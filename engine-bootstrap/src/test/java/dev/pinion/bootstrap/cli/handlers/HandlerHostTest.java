package dev.pinion.bootstrap.cli.handlers;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.config.HandlerProvider;
import dev.pinion.handlers.config.HandlerProvider.RemoteHandlerRequest;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.Step;
import dev.pinion.handlers.remote.HostSettings;
import dev.pinion.handlers.remote.RemoteHandlerProvider;
import dev.pinion.handlers.remote.RemoteSettings;
import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.protocol.RemoteTimeouts;
import dev.pinion.handlers.remote.transport.NatsTransport;
import dev.pinion.handlers.remote.transport.StoreLimits;
import dev.pinion.handlers.run.Chain;
import dev.pinion.handlers.run.Outcome;
import dev.pinion.handlers.run.WorkerPool;
import dev.pinion.handlers.run.WorkerSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code pinion handler-host} as a program. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class HandlerHostTest {
  /** Without kills, a slow machine does not make hosts count as lost. */
  private static final RemoteTimeouts PATIENT =
      new RemoteTimeouts(
          RemoteTimeouts.DEFAULTS.answer(),
          RemoteTimeouts.DEFAULTS.probe(),
          RemoteTimeouts.DEFAULTS.heartbeat(),
          Duration.ofMinutes(1),
          RemoteTimeouts.DEFAULTS.late());

  @TempDir private Path folder;

  private String kinds() throws Exception {
    return HostProcess.kinds(folder, Bookings.Check.class).toString();
  }

  private HostProcess host(NatsServerProcess server, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of("--nats", server.url(), "--handlers-path", kinds()));
    all.addAll(List.of(options));
    return HostProcess.start(all.toArray(String[]::new));
  }

  @Test
  void shouldLoseNothingWhenItIsToldToEnd() throws Exception {
    try (NatsServerProcess server = NatsServerProcess.start();
        NatsTransport transport = NatsTransport.connect(server.url(), "engine");
        RemoteHandlerProvider places = places(transport);
        WorkerPool workers = new WorkerPool(WorkerSettings.parked(2, 0), Clock.system());
        Chain chain = chain(places, workers);
        HostProcess leaving = host(server, "--workers", "1").awaitReady();
        HostProcess staying = host(server, "--json", "--workers", "1", "--handlers", "check")) {
      JsonNode ready =
          new ObjectMapper().readTree(staying.awaitLine(line -> line.contains("ready")));
      assertEquals("check", ready.at("/kinds/0").asText());
      assertEquals(1, ready.at("/workers").asInt());
      assertEquals(256, ready.at("/window").asInt());

      await().until(() -> places.health().hosts() == 2);
      assertTrue(places.health().connected());

      // when one of two is asked to end among messages
      List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        if (i == 200) {
          leaving.terminate();
        }
        outcomes.add(enter(chain, i));
        if (i >= 32) {
          outcomes.get(i - 32).get(1, TimeUnit.MINUTES);
        }
      }

      // then all are answered, and it reports that and ends
      for (CompletableFuture<Outcome> each : outcomes) {
        assertInstanceOf(Outcome.Proceed.class, each.get(1, TimeUnit.MINUTES));
      }
      assertEquals(0, leaving.exit(), leaving::err);
      String last = leaving.out().getLast();
      assertTrue(last.matches("drained [0-9a-f-]{36}: 0 under way, [1-9]\\d* done, .*"), last);
      staying.terminate();
      assertEquals(0, staying.exit(), staying::err);
      JsonNode end = new ObjectMapper().readTree(staying.out().getLast());
      assertEquals("drained", end.path("event").asText());
      await().until(() -> places.health().hosts() == 0); // both have announced their end
      assertEquals(0, places.health().statistics().lostHosts());
      int elsewhere = Integer.parseInt(last.replaceAll(".* (\\d+) done, .*", "$1"));
      assertEquals(400, elsewhere + end.at("/statistics/done").asInt(), "each was done once");
    }
  }

  @Test
  void shouldCountAndRefuseWhatIsNoFrame() throws Exception {
    try (NatsServerProcess server = NatsServerProcess.start();
        NatsTransport transport = NatsTransport.connect(server.url(), "anybody");
        HostProcess host = host(server, "--health-interval", "1").awaitReady()) {
      for (String each :
          List.of("", "PH", "nonsense", "PH\1\3 and so on, for more than a header")) {
        transport.send(
            HostSettings.PREFIX + ".kind.check", each.getBytes(StandardCharsets.ISO_8859_1));
      }

      String health = host.awaitLine(line -> line.startsWith("health") && line.contains("4 malf"));

      assertTrue(
          health.matches("health [0-9a-f-]{36}: 0 under way, 0 done, .*, 4 malformed"), health);
      host.terminate();
      assertEquals(0, host.exit(), host::err);
    }
  }

  @Test
  void shouldEndWithoutAServer() throws Exception {
    String nowhere = "nats://127.0.0.1:" + NatsServerProcess.freePort();
    try (HostProcess host = HostProcess.start("--nats", nowhere, "--handlers-path", kinds())) {
      assertEquals(69, host.exit(), host::err);
      assertTrue(
          host.err().contains("expected a NATS server at the address of --nats"), host.err());
    }
  }

  @Test
  void shouldTellWhereAHandlerIsBetterRun() throws Exception {
    try (NatsServerProcess server = NatsServerProcess.start();
        HostProcess host = host(server)) {
      host.awaitReady();
      Path chains =
          Files.writeString(
              folder.resolve("chains.yaml"),
              """
              chains:
              - name: placed
                handlers:
                - {name: far, use: check, place: remote}
                - {name: free, use: check, place: auto}
                - {name: near, use: check}
              """);
      List<String> common = List.of(chains.toString(), "--messages", "20");

      String told = explained(server, common);
      assertTrue(told.matches("(?s).*far +remote +here: [0-9.]+ us here is less than .*"), told);
      assertTrue(told.matches("(?s).*free +auto +here: [0-9.]+ us here is less than .*"), told);
      assertFalse(told.matches("(?s).*near +(auto|remote).*"), told);

      List<String> json = new ArrayList<>(common);
      json.add("--json");
      JsonNode measured = new ObjectMapper().readTree(explained(server, json)).at("/0/places/0");
      assertEquals("far", measured.path("name").asText());
      assertFalse(measured.at("/measured/away").asBoolean(), measured::toString);
      host.terminate();
      assertEquals(0, host.exit(), host::err);
      double way = measured.at("/measured/wayNanos").asDouble();
      assertTrue(way > measured.at("/measured/hereNanos").asDouble(), measured::toString);
      assertTrue(measured.at("/measured/wayByteNanos").asDouble() >= 0, measured::toString);
    }
  }

  private String explained(NatsServerProcess server, List<String> options) throws Exception {
    List<String> all = new ArrayList<>(List.of("explain", "--nats", server.url()));
    all.addAll(options);
    try (HostProcess command =
        HostProcess.command(folder, "handlers", all.toArray(String[]::new))) {
      assertEquals(0, command.exit(), command::err);
      return String.join("\n", command.out());
    }
  }

  private static RemoteHandlerProvider places(NatsTransport transport) {
    return new RemoteHandlerProvider(
        transport,
        HostSettings.PREFIX,
        EngineLimits.defaults(),
        new RemoteSettings(RemoteLimits.DEFAULTS, PATIENT, StoreLimits.DEFAULTS),
        Clock.system());
  }

  private static Chain chain(RemoteHandlerProvider places, WorkerPool workers) {
    Handler local = new Bookings.Check().create(new Settings(Payload.EMPTY_OBJECT, ""));
    Handler remote =
        places.provide(
            new RemoteHandlerRequest(
                "program",
                "check",
                "check",
                Payload.EMPTY_OBJECT,
                local,
                local.declaration(),
                HandlerProvider.Placement.DIRECT));
    Step step = new Step("check", "check", remote, local.declaration(), null);
    ChainOptions chainOptions = new ChainOptions(null, 32, ChainOptions.SideBySide.AUTO);
    return new Chain(
        ChainPlan.inOrder("program", List.of(step), chainOptions),
        workers,
        EngineLimits.defaults());
  }

  private static CompletableFuture<Outcome> enter(Chain chain, int number) {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    chain.enter(
        Message.of(new MessageId(3, number), Point.REQUEST_IN, Map.of(), Body.EMPTY),
        outcome,
        (context, end) -> context.complete(end));
    return outcome;
  }
}
