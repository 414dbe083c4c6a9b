package dev.pinion.bootstrap.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.InMemoryDefinitionStore;
import dev.pinion.core.engine.Engine;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.StageLayout;
import dev.pinion.handlers.ChainDocuments;
import dev.pinion.handlers.ChainInterceptor;
import dev.pinion.handlers.ChainRegistry;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.HandlerKinds;
import dev.pinion.handlers.run.WorkerPool;
import dev.pinion.handlers.run.WorkerSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chains of a document around the requests and calls of whole engines. */
class AttachedChainsTest {
  private static final String CHAINS =
      """
      chains:
      - {name: in, at: request-in, handlers: [{use: gate, timeout: PT0.3S}]}
      - {name: out, at: response-out, handlers: [{use: stamp}]}
      - {name: before, at: before-call, handlers: [{use: sign}]}
      - {name: after, at: after-call, handlers: [{use: unwrap}]}
      - {name: extra, byClients: true, handlers: [{use: shout}]}
      """;

  private static final String CALLS =
      """
      document: { dsl: '1.0.0', namespace: test, name: calls, version: '1.0.0' }
      do:
        - call:
            call: http
            with: { method: post, endpoint: 'URL', body: '${ . }' }
      """;

  private final CountDownLatch never = new CountDownLatch(1);
  private final AtomicInteger closed = new AtomicInteger();

  @TempDir Path folder;

  /** Behaviour of one kind of handlers. */
  private interface Step {
    Verdict handle(View message) throws Exception;
  }

  private HandlerFactory kind(String name, Step step) {
    Declaration declaration =
        Declaration.NOTHING
            .reading(Slot.property("*"), Slot.bytes())
            .writing(Slot.property("*"), Slot.bytes())
            .stopping()
            .mandatory();
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
        return new Handler() {
          @Override
          public Declaration declaration() {
            return declaration;
          }

          @Override
          public Verdict handle(View message) throws Exception {
            return step.handle(message);
          }

          @Override
          public void close() {
            closed.incrementAndGet();
          }
        };
      }
    };
  }

  private HandlerKinds kinds() {
    return HandlerKinds.of(
        List.of(
            kind("gate", this::gate),
            kind(
                "stamp",
                message ->
                    Verdict.goOn(
                        Changes.NONE.property(
                            "header.x-status", message.property("http.status", "none")))),
            kind(
                "sign",
                message ->
                    Verdict.goOn(
                        Changes.NONE
                            .property("header.x-signed", message.property("definition", ""))
                            .body(
                                Body.of(("<" + text(message) + ">").getBytes(UTF), "text/plain")))),
            kind(
                "unwrap",
                message ->
                    Verdict.goOn(
                        Changes.NONE
                            .withoutProperty("header.content-encoding")
                            .body(
                                Body.of(
                                    ("\"" + text(message).replace('"', '\'') + "!\"").getBytes(UTF),
                                    "application/json")))),
            kind(
                "shout",
                message ->
                    Verdict.goOn(
                        Changes.NONE.body(json(text(message).replace("\"loud\"", "\"LOUD\"")))))));
  }

  private static final Charset UTF = StandardCharsets.UTF_8;

  private static String text(View message) {
    return new String(message.bytes(), UTF);
  }

  private static Body json(String text) {
    return Body.of(text.getBytes(UTF), "application/json");
  }

  private Verdict gate(View message) throws Exception {
    return switch (message.property("header.x-do", "")) {
      case "refuse" -> Verdict.refuse("urn:key", "No key", 401, "expected a key, found none");
      case "answer" -> Verdict.Answer.of(299, Map.of("x-by", "gate"), Body.of(Payload.of(1)));
      case "throw" -> throw new IllegalStateException("as asked");
      case "hang" -> {
        never.await();
        yield Verdict.UNCHANGED;
      }
      case "xml" -> Verdict.goOn(Changes.NONE.body(json("{\"input\":\"" + text(message) + "\"}")));
      default -> Verdict.UNCHANGED;
    };
  }

  /** An engine with chains, and a service that returns its request in a separate coding. */
  private final class Rig implements AutoCloseable {
    final Path document = folder.resolve("chains.yaml");
    final HttpServer service =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    final Engine engine;
    final HttpClient client = HttpClient.newHttpClient();

    Rig(String layout) throws Exception {
      service.createContext(
          "/",
          exchange -> {
            String got = new String(exchange.getRequestBody().readAllBytes(), UTF);
            String signed = exchange.getRequestHeaders().getFirst("x-signed");
            byte[] answer = (got + " " + signed).getBytes(UTF);
            exchange.getResponseHeaders().set("Content-Encoding", "private");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
          });
      service.start();
      Files.writeString(document, CHAINS);
      EngineLimits limits = EngineLimits.defaults();
      DefinitionRegistry registry = new DefinitionRegistry(limits, new InMemoryDefinitionStore());
      String url = "http://127.0.0.1:" + service.getAddress().getPort() + "/";
      registry.deploy(CALLS.replace("URL", url).getBytes(UTF), "application/yaml", null, false);
      WorkerPool pool = new WorkerPool(WorkerSettings.parked(2, 4), Clock.system());
      engine =
          Engine.start(
              EngineSettings.of(registry)
                  .withStageLayout(StageLayout.parse(layout))
                  .withInterceptor(
                      new ChainInterceptor(
                          new ChainRegistry(new ChainReader(kinds(), limits, null), pool, limits),
                          new ChainDocuments(document, limits.handlers().maxDocumentBytes()),
                          new PayloadCodec(limits.json()),
                          List.of(pool),
                          List::of)));
    }

    HttpResponse<String> send(String method, String path, String body, String... fields)
        throws Exception {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(
                  URI.create("http://127.0.0.1:" + engine.address().getPort() + path))
              .method(method, HttpRequest.BodyPublishers.ofString(body));
      if (fields.length > 0) {
        request.headers(fields);
      }
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> start(String body, String... fields) throws Exception {
      return send("POST", "/v1/namespaces/test/definitions/calls/instances", body, fields);
    }

    @Override
    public void close() {
      engine.close();
      service.stop(0);
      client.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fused:1", "fused:2", "pipelined:1+1+1"})
  void shouldTakeRequestsAnswersAndCallsThroughTheirChains(String layout) throws Exception {
    try (Rig rig = new Rig(layout)) {
      HttpResponse<String> done = rig.start("loud", "x-do", "xml", "content-type", "text/xml");
      assertEquals(200, done.statusCode(), done.body());
      assertEquals("200", done.headers().firstValue("x-status").orElse(""));
      assertTrue(done.body().contains("\"output\":\"<'loud'> test/calls/1.0.0!\""), done.body());

      HttpResponse<String> refused = rig.start("", "x-do", "refuse");
      assertEquals(401, refused.statusCode());
      assertEquals("401", refused.headers().firstValue("x-status").orElse(""));
      HttpResponse<String> answered = rig.start("", "x-do", "answer");
      assertEquals(299, answered.statusCode());
      assertEquals("gate", answered.headers().firstValue("x-by").orElse(""));
      assertEquals("1", answered.body());
      assertTrue(rig.start("", "x-do", "throw").statusCode() >= 500);
      assertTrue(rig.start("", "x-do", "hang").statusCode() >= 500);
      assertEquals(200, rig.start("", "x-do", "").statusCode());
    }
    assertEquals(5, closed.get(), "each handler is closed once");
  }

  @Test
  void shouldRunAChainThatTheClientNamesBehindTheAttachedOne() throws Exception {
    try (Rig rig = new Rig("fused:1")) {
      String[] named = {"pinion-handlers", "extra", "x-do", "xml", "content-type", "text/xml"};
      assertTrue(rig.start("loud", named).body().contains("LOUD"));
      named[3] = "refuse";
      assertEquals(
          401, rig.start("loud", named).statusCode(), "the attached one cannot be avoided");
      for (String name : List.of("out", "none")) {
        HttpResponse<String> refused = rig.start("", "pinion-handlers", name);
        assertEquals(400, refused.statusCode());
        assertTrue(refused.body().contains(name), refused.body());
      }
    }
  }

  @Test
  void shouldReadChainsAgainAndKeepTheOldOnesWhenTheyAreWrong() throws Exception {
    try (Rig rig = new Rig("fused:1")) {
      String listed = rig.send("GET", "/v1/handlers", "").body();
      assertTrue(listed.contains("\"name\":\"before\""), listed);
      Files.writeString(rig.document, "chains: [{name: in, at: request-inn, handlers: []}]");
      HttpResponse<String> refused = rig.send("POST", "/v1/handlers/reload", "");
      assertEquals(422, refused.statusCode());
      assertTrue(refused.body().contains("/chains/0/at"), refused.body());
      assertEquals(401, rig.start("", "x-do", "refuse").statusCode());
      Files.writeString(rig.document, "chains: []");
      assertEquals(200, rig.send("POST", "/v1/handlers/reload", "").statusCode());
      HttpResponse<String> done =
          rig.start("{}", "x-do", "refuse", "content-type", "application/json");
      assertFalse(done.headers().firstValue("x-status").isPresent());
      assertTrue(done.body().contains("instance-fault") || done.statusCode() == 200, done.body());
    }
  }
}
