package dev.pinion.bootstrap.assembly;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.pinion.bootstrap.handlerhost.NatsProcess;
import dev.pinion.core.binding.BindingRules;
import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.BoundService;
import dev.pinion.core.binding.CallerRule;
import dev.pinion.core.binding.ServiceCandidates;
import dev.pinion.core.binding.ServiceEndpoint;
import dev.pinion.core.binding.UnservedRule;
import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.InMemoryDefinitionStore;
import dev.pinion.core.definition.StoredDefinition;
import dev.pinion.core.engine.Engine;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.StageLayout;
import dev.pinion.core.spi.ProfilingHook;
import dev.pinion.core.stage.ThreadSetup;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.config.HandlerKinds;
import dev.pinion.handlers.remote.HandlerHost;
import dev.pinion.handlers.remote.HostSettings;
import dev.pinion.handlers.remote.RemoteSettings;
import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.protocol.RemoteTimeouts;
import dev.pinion.handlers.remote.transport.NatsSettings;
import dev.pinion.handlers.remote.transport.NatsTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which chain a message goes through, and who may choose it, in whole engines over HTTP. */
class ChosenChainsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String CHAINS =
      """
      chains:
      - {name: everyone, at: request-in, handlers: [{use: tell, settings: {text: everyone}}]}
      - {name: special, at: request-in, definition: no/body, handlers: [{use: tell, settings: {text: special}}]}
      - {name: hidden, handlers: [{use: tell, settings: {text: hidden}}]}
      - {name: offered, byClients: true, handlers: [{use: tell, settings: {text: offered}}]}
      - {name: all, at: before-call, handlers: [{use: mark, settings: {text: all}}]}
      - {name: signed, at: before-call, definition: no/body, handlers: [{use: mark, settings: {text: signed}}]}
      - {name: stamped, handlers: [{use: mark, settings: {text: stamped}}]}
      """;

  private static final String DEFINITION =
      """
      document:
        dsl: '1.0.0'
        namespace: test
        name: NAME
        version: '1.0.0'
        metadata: { pinion: { handlers: HANDLERS } }
      do:
        - call: { call: http, with: { method: post, endpoint: 'URL', body: '${ . }' } }
      """;

  @TempDir Path folder;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Semaphore held = new Semaphore(0);
  private final InMemoryDefinitionStore store = new InMemoryDefinitionStore();
  private HttpServer service;
  private String serviceUrl = "";
  private @Nullable NatsSettings nats;
  private Path document;
  private BindingRules rules = BindingRules.OPEN;
  private @Nullable Engine engine;

  @BeforeEach
  void startService() throws IOException {
    document = folder.resolve("chains.yaml");
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    serviceUrl = "http://127.0.0.1:" + service.getAddress().getPort();
    service.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          String mark =
              Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("x-mark"), "");
          byte[] answer = ("\"" + mark + '"').getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("content-type", "application/json");
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    service.start();
  }

  @AfterEach
  void stop() {
    if (engine != null) {
      engine.close();
    }
    service.stop(0);
    client.close();
  }

  /** Behaviour of one kind of handlers with a configured text. */
  private interface Step {
    Verdict handle(View message, String text) throws Exception;
  }

  private static HandlerFactory kind(String name, Step step) {
    return new HandlerFactory() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public String summary() {
        return name;
      }

      @Override
      public Handler create(Settings settings) {
        String text = settings.text("text");
        return new Handler() {
          @Override
          public Declaration declaration() {
            return Declaration.NOTHING
                .reading(Slot.property("*"))
                .writing(Slot.property("*"))
                .stopping()
                .mandatory();
          }

          @Override
          public Verdict handle(View message) throws Exception {
            return step.handle(message, text);
          }
        };
      }
    };
  }

  private HandlerKinds kinds() {
    return HandlerKinds.of(
        List.of(
            kind("mark", (message, text) -> Verdict.goOn(mark(text))),
            kind(
                "know",
                (message, text) ->
                    Verdict.goOn(
                        Changes.NONE.property(
                            "auth.subject", message.property("header.x-key", text)))),
            kind(
                "tell",
                (message, text) ->
                    message.property("header.x-ask", "").equals(text)
                        ? Verdict.Answer.of(299, Map.of(), Body.of(bytes(text), "text/plain"))
                        : Verdict.UNCHANGED),
            kind(
                "hold",
                (message, text) -> {
                  held.acquire();
                  return Verdict.UNCHANGED;
                })));
  }

  private static Changes mark(String text) {
    return Changes.NONE.property("header.x-mark", text);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void start(String layout, String chains, Map<String, Integer> changed) throws Exception {
    Files.writeString(document, chains);
    EngineLimits limits = EngineLimits.defaults().with(changed);
    Interceptor interceptor =
        HandlerAssembly.around(
            new HandlerSources(document, nats, RemoteSettings.DEFAULTS),
            limits,
            kinds(),
            new HandlerCpus(Set.of(), ""),
            ThreadSetup.NONE);
    ServiceEndpoint one = ServiceEndpoint.of("one", serviceUrl);
    ServiceCandidates pair =
        new ServiceCandidates(
            ServiceCandidates.Pattern.PARALLEL,
            List.of(one, ServiceEndpoint.of("two", serviceUrl)));
    Map<String, BoundService> bound =
        Map.of(
            "seats",
            BoundService.single(one),
            "pairs",
            new BoundService(false, Map.of(), () -> pair));
    BindingTable table =
        new BindingTable(
            1,
            "basic",
            Map.of("basic", bound, "gold", bound),
            Map.of("ann", List.of("gold", "basic")));
    BindingSource bindings =
        new BindingSource() {
          @Override
          public BindingTable current() {
            return table;
          }

          @Override
          public BindingRules rules() {
            return rules;
          }
        };
    engine =
        Engine.start(
            EngineSettings.of(new DefinitionRegistry(limits, store, interceptor))
                .withLimits(limits)
                .withStageLayout(StageLayout.parse(layout))
                .withInterceptor(interceptor)
                .withBindings(bindings));
  }

  private HttpResponse<String> send(String path, String type, String body, String... fields)
      throws Exception {
    return sendAsync(path, type, body, fields).get();
  }

  private CompletableFuture<HttpResponse<String>> sendAsync(
      String path, String type, String body, String... fields) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:"
                        + Objects.requireNonNull(engine).address().getPort()
                        + path))
            .header("content-type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (fields.length > 0) {
      request.headers(fields);
    }
    return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String definition(String name, String url, String handlers) {
    return DEFINITION.replace("NAME", name).replace("URL", url).replace("HANDLERS", handlers);
  }

  private HttpResponse<String> deploy(String name, String url, String handlers) throws Exception {
    return send("/v1/definitions", "application/yaml", definition(name, url, handlers));
  }

  private void deployed(String name, String url, String handlers) throws Exception {
    HttpResponse<String> answer = deploy(name, url, handlers);
    assertEquals(201, answer.statusCode(), answer.body());
  }

  private static String instances(String name) {
    return "/v1/namespaces/test/definitions/" + name + "/instances";
  }

  private HttpResponse<String> run(String name, String body, String... fields) throws Exception {
    return send(instances(name), "application/json", body, fields);
  }

  private void assertMarked(String mark, HttpResponse<String> answer) {
    assertEquals(200, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("\"output\":\"" + mark + '"'), answer.body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"fused:1", "pipelined:1+1+1"})
  void shouldGoByTheChainsThatADefinitionNames(String layout) throws Exception {
    start(layout, CHAINS, Map.of());
    deployed("plain", serviceUrl + "/", "{}");
    deployed(
        "named",
        serviceUrl + "/",
        "{request-in: special, before-call: stamped, response-out: stamped}");
    deployed("silent", serviceUrl + "/", "{request-in: none, before-call: none}");

    assertEquals(299, run("plain", "{}", "x-ask", "everyone").statusCode());
    assertMarked("all", run("plain", "{}", "x-ask", "special"));
    assertEquals("special", run("named", "{}", "x-ask", "special").body());
    HttpResponse<String> named = run("named", "{}", "x-ask", "everyone");
    assertMarked("stamped", named);
    assertEquals("stamped", named.headers().firstValue("x-mark").orElse(""));
    assertMarked("", run("silent", "{}", "x-ask", "everyone"));
  }

  @Test
  void shouldRefuseDefinitionsThatNameChainsWhichAreNotThere() throws Exception {
    start("fused:1", CHAINS, Map.of());
    HttpResponse<String> refused =
        deploy(
            "wrong",
            serviceUrl + "/",
            "{request-in: specal, before-call: everyone, after-cal: all, response-out: 7}");
    assertEquals(422, refused.statusCode());
    for (String expected :
        List.of(
            "/document/metadata/pinion/handlers/request-in",
            "found \\\"specal\\\"",
            "\"suggestion\":\"special\"",
            "found \\\"everyone\\\", which is for request-in",
            "\"suggestion\":\"after-call\"",
            "expected a string as \\\"response-out\\\"",
            "\"line\":6")) {
      assertTrue(refused.body().contains(expected), expected + " in " + refused.body());
    }
    assertEquals(404, run("wrong", "{}").statusCode());
  }

  @Test
  void shouldRefuseAReloadThatTakesAwayAChainWhichADefinitionNames() throws Exception {
    start("fused:1", CHAINS, Map.of());
    deployed("named", serviceUrl + "/", "{request-in: special, before-call: stamped}");
    String without = CHAINS.replace("name: special", "name: other");
    Files.writeString(
        document, without.replace("{name: stamped,", "{name: stamped, at: after-call,"));
    HttpResponse<String> refused = send("/v1/handlers/reload", "application/json", "");
    assertEquals(422, refused.statusCode(), refused.body());
    for (String expected :
        List.of(
            "found \\\"special\\\", which the definition test/named/1.0.0 names",
            "found \\\"stamped\\\", which is for after-call, which the definition test/named/1.0.0")) {
      assertTrue(refused.body().contains(expected), expected + " in " + refused.body());
    }
    assertEquals("special", run("named", "{}", "x-ask", "special").body(), "nothing has changed");

    Files.writeString(document, CHAINS.replace("text: special", "text: better"));
    assertEquals(200, send("/v1/handlers/reload", "application/json", "").statusCode());
    assertEquals("better", run("named", "{}", "x-ask", "better").body());
  }

  @Test
  void shouldServeADefinitionLeftToItsFirstUseOnceItsChainIsThere() throws Exception {
    String named = definition("named", serviceUrl + "/", "{before-call: stamped}");
    DefinitionKey key = new DefinitionKey("test", "named", "1.0.0");
    store.save(new StoredDefinition(key, "application/yaml", named));
    String without = CHAINS.replace("name: stamped", "name: other");
    start("fused:1", without, Map.of("start.compileAhead", 0));
    assertEquals(404, run("named", "{}").statusCode(), "its chain is missing");
    assertEquals(200, send("/v1/handlers/reload", "application/json", "").statusCode());
    assertEquals(404, run("named", "{}").statusCode(), "still missing");

    Files.writeString(document, CHAINS);
    assertEquals(200, send("/v1/handlers/reload", "application/json", "").statusCode());
    assertMarked("stamped", run("named", "{}"));

    Files.writeString(document, without);
    assertEquals(422, send("/v1/handlers/reload", "application/json", "").statusCode());
    assertMarked("stamped", run("named", "{}"));
  }

  @Test
  void shouldLetClientsChooseAmongTheChainsThatAreForThem() throws Exception {
    start("fused:1", CHAINS, Map.of());
    deployed("plain", serviceUrl + "/", "{}");
    deployed("silent", serviceUrl + "/", "{request-in: none}");
    for (String name : List.of("plain", "silent")) {
      assertEquals(
          "offered",
          run(name, "{}", "pinion-handlers", "offered", "x-ask", "offered").body(),
          name);
    }
    for (String refused : List.of("hidden", "special", "stamped", "none", "offered, hidden", "")) {
      HttpResponse<String> answer =
          run("plain", "{}", "pinion-handlers", refused, "x-ask", "hidden");
      assertEquals(400, answer.statusCode(), refused + ": " + answer.body());
    }
  }

  /** As after the removal of a chain that a client still names. */
  @Test
  void shouldRefuseTheChoiceOfAClientWhereNobodyMayChoose() throws Exception {
    start(
        "fused:1",
        "chains: [{name: hidden, handlers: [{use: tell, settings: {text: x}}]}]",
        Map.of());
    deployed("plain", serviceUrl + "/", "{}");
    deployed("silent", serviceUrl + "/", "{request-in: none}");
    for (String name : List.of("plain", "silent")) {
      HttpResponse<String> answer = run(name, "{}", "pinion-handlers", "offered");
      assertEquals(400, answer.statusCode(), answer.body());
      assertTrue(answer.body().contains("offered"), answer.body());
      assertMarked("", run(name, "{}"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "handlers.chain, hidden",
    "handlers.document, 'chains: [{name: x, handlers: [{use: tell, settings: {text: hidden}}]}]'",
    "header.handlers.chain, hidden",
    "definition, no/body",
    "service.class, gold"
  })
  void shouldNeverMakePropertiesThatChooseAChainOfWhatAClientSends(String name, String value)
      throws Exception {
    start(
        "fused:1",
        CHAINS
            + "- {name: gold, at: before-call, serviceClass: gold, handlers: [{use: mark,"
            + " settings: {text: gold}}]}\n",
        Map.of());
    deployed("plain", serviceUrl + "/", "{}");
    String input = "{\"input\":{\"" + name + "\":\"" + value + "\"}}";
    for (String ask : List.of("hidden", "special")) {
      assertMarked("all", run("plain", input, name, value, "x-ask", ask));
    }
    assertEquals(
        "everyone", run("plain", input, name, value, "x-ask", "everyone").body(), "as always");
  }

  @ParameterizedTest
  @CsvSource({
    "plain,  '', all",
    "plain,  gold, G",
    "seats,  '', S",
    "seats,  gold, SG",
    "seats,  iron, S",
    "pairs,  gold, G",
    "listed, gold, D"
  })
  void shouldChooseByDefinitionServiceAndServiceClassOfACall(
      String definition, String serviceClass, String mark) throws Exception {
    String chain =
        "- {name: %s, at: before-call, %s, handlers: [{use: mark, settings: {text: %s}}]}\n";
    start(
        "fused:1",
        CHAINS
            + chain.formatted("g", "serviceClass: gold", "G")
            + chain.formatted("s", "service: seats", "S")
            + chain.formatted("sg", "service: seats, serviceClass: gold", "SG")
            + chain.formatted("d", "definition: test/listed", "D"),
        Map.of());
    String url =
        switch (definition) {
          case "plain" -> serviceUrl + "/";
          case "pairs" -> "svc://pairs/";
          default -> "svc://seats/";
        };
    deployed(definition, url, "{}");
    String labels = serviceClass.isEmpty() ? "" : "\"pinion.class\":\"" + serviceClass + '"';
    assertMarked(mark, run(definition, "{\"input\":1,\"labels\":{" + labels + "}}"));
  }

  @Test
  void shouldGiveCallersThatHandlersKnowTheClassOfTheirContract() throws Exception {
    rules = new BindingRules(CallerRule.CONTRACT_ONLY, "", UnservedRule.WARN);
    start(
        "fused:1",
        """
        chains:
        - {name: known, at: request-in, handlers: [{use: know, settings: {text: nobody}}]}
        - {name: all, at: before-call, handlers: [{use: mark, settings: {text: all}}]}
        - {name: g, at: before-call, serviceClass: gold, handlers: [{use: mark, settings: {text: G}}]}
        """,
        Map.of());
    deployed("plain", "svc://seats/", "{}");
    assertMarked("G", run("plain", "{}", "x-key", "ann"));
    String basic = "{\"labels\":{\"pinion.class\":\"basic\"}}";
    assertMarked("all", run("plain", basic, "x-key", "ann"));
    assertEquals(403, run("plain", "{}").statusCode());
    assertEquals(
        403, run("plain", basic.replace("basic", "platinum"), "x-key", "ann").statusCode());
  }

  @Test
  void shouldTellAProfilerTheClassOfTheContractThatAnInstanceWorksUnder() throws Exception {
    rules = new BindingRules(CallerRule.CONTRACT_ONLY, "", UnservedRule.WARN);
    start(
        "fused:1",
        """
        chains:
        - {name: known, at: request-in, handlers: [{use: know, settings: {text: nobody}}]}
        - {name: all, at: before-call, handlers: [{use: mark, settings: {text: all}}]}
        """,
        Map.of());
    deployed("plain", "svc://seats/", "{}");
    Set<String> heard = ConcurrentHashMap.newKeySet();
    ProfilingHook.attach(
        (component, _, task, serviceClass, _) -> heard.add(component + " of " + serviceClass));
    AtomicBoolean over = new AtomicBoolean();
    Thread looks = new Thread(() -> lookUntil(over), "profile");
    looks.start();
    try {
      Set<String> wanted =
          Set.of("REQUEST of gold", "KERNEL of gold", "INVOKER of gold", "HANDLERS of gold");
      await()
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(1))
          .until(
              () -> {
                assertEquals(200, run("plain", "{}", "x-key", "ann").statusCode());
                return heard.containsAll(wanted);
              });
      assertFalse(heard.contains("INVOKER of "), heard + "");
      assertFalse(heard.contains("KERNEL of "), heard + "");
    } finally {
      over.set(true);
      looks.join();
      ProfilingHook.detach();
    }
  }

  private static void lookUntil(AtomicBoolean over) {
    while (!over.get()) {
      ProfilingHook.tick();
      LockSupport.parkNanos(1_000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fused:1", "pipelined:1+1+1"})
  void shouldAnswer503WithRetryAfterWhenTheQueueOfAChainIsFull(String layout) throws Exception {
    start(
        layout,
        "chains: [{name: slow, at: request-in, window: 1,"
            + " handlers: [{use: hold, settings: {text: x}}]}]",
        Map.of("handlers.maxQueued", 2));
    deployed("plain", serviceUrl + "/", "{}");
    List<CompletableFuture<HttpResponse<String>>> taken =
        List.of(
            sendAsync(instances("plain"), "application/json", "{}"),
            sendAsync(instances("plain"), "application/json", "{}"),
            sendAsync(instances("plain"), "application/json", "{}"),
            sendAsync(instances("plain"), "application/json", "{}"));
    CountDownLatch refused = new CountDownLatch(1);
    taken.forEach(
        each -> {
          CompletableFuture<Void> _ = each.thenRun(refused::countDown);
        });
    refused.await(); // one more than window and queue can hold
    List<HttpResponse<String>> ended =
        taken.stream().filter(CompletableFuture::isDone).map(CompletableFuture::join).toList();
    assertEquals(1, ended.size(), "the window has one, the queue two");
    assertEquals(503, ended.getFirst().statusCode());
    assertTrue(ended.getFirst().body().contains("handlers.maxQueued"), ended.getFirst().body());
    assertTrue(ended.getFirst().headers().firstValue("retry-after").isPresent());

    held.release(3);
    assertEquals(
        3, taken.stream().filter(each -> each.join().statusCode() == 200).count(), "the others");
  }

  @Test
  void shouldHaveHandlersRunInHostsBehindANatsServer() throws Exception {
    try (NatsProcess server = NatsProcess.start();
        NatsTransport transport = NatsTransport.connect(server.url(), "host");
        HandlerHost host =
            new HandlerHost(
                new HostSettings(
                    HostSettings.PREFIX, 1, null, RemoteLimits.DEFAULTS, RemoteTimeouts.DEFAULTS),
                HandlerKinds.of(
                        List.of(
                            kind("mark", (message, text) -> Verdict.goOn(mark("host " + text)))))
                    .byName(),
                transport,
                EngineLimits.defaults(),
                Clock.system());
        ScheduledExecutorService turns = Executors.newSingleThreadScheduledExecutor()) {
      ScheduledFuture<?> turning =
          turns.scheduleWithFixedDelay(host::tick, 0, 10, TimeUnit.MILLISECONDS);
      nats = NatsSettings.of(server.url());
      start(
          "fused:1",
          "chains: [{name: far, at: before-call,"
              + " handlers: [{use: mark, place: remote, settings: {text: far}}]}]",
          Map.of());
      deployed("plain", serviceUrl + "/", "{}");
      assertMarked("host far", run("plain", "{}"));
      turning.cancel(false);
    }
  }

  @Test
  void shouldNotStartWithoutTheNatsServerThatItIsToldOf() throws Exception {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nats = NatsSettings.of("nats://ann:hush@127.0.0.1:" + free.getLocalPort());
    }
    IOException refusal =
        assertThrows(IOException.class, () -> start("fused:1", "chains: []", Map.of()));
    assertTrue(String.valueOf(refusal.getMessage()).contains("--handlers-nats"), refusal::toString);
    assertFalse(refusal.toString().contains("hush"), refusal::toString);
  }

  @Test
  void shouldNotStartWithCredentialsForTheNatsServerThatCannotBeRead() {
    nats = new NatsSettings("nats://127.0.0.1:1", folder.resolve("none.creds"), null);

    IOException refusal =
        assertThrows(IOException.class, () -> start("fused:1", "chains: []", Map.of()));

    assertTrue(String.valueOf(refusal.getMessage()).contains("none.creds"), refusal::toString);
  }
}
