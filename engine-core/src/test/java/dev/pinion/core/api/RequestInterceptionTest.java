package dev.pinion.core.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.api.RawHttpClient.HttpReply;
import dev.pinion.core.interception.HttpMessage;
import dev.pinion.core.interception.InterceptionPoint;
import dev.pinion.core.interception.InterceptionVerdict;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.interception.MessageBody;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.WorkflowError;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestInterceptionTest {
  private static final String START = "/v1/namespaces/test/definitions/echo/instances";

  /** Decides on the loop, on another thread, or at a time chosen by the test. */
  private abstract static class At implements Interceptor {
    private final List<InterceptionPoint> points;
    final List<HttpMessage> seen = new ArrayList<>();

    At(InterceptionPoint... points) {
      this.points = List.of(points);
    }

    @Override
    public boolean handles(InterceptionPoint point, @Nullable DefinitionKey definition) {
      return points.contains(point);
    }

    abstract InterceptionVerdict decide(HttpMessage message);

    @Override
    public void handle(HttpMessage message, Continuation then) {
      seen.add(message);
      then.end(decide(message));
    }

    At elsewhere() {
      At here = this;
      return new At(points.toArray(InterceptionPoint[]::new)) {
        @Override
        InterceptionVerdict decide(HttpMessage message) {
          return here.decide(message);
        }

        @Override
        public void handle(HttpMessage message, Continuation then) {
          Thread.startVirtualThread(() -> here.handle(message, then));
        }
      };
    }
  }

  /** Keeps its messages until the test decides. */
  private static final class Held implements Interceptor {
    record Waiting(HttpMessage message, Continuation then) {}

    final BlockingQueue<Waiting> waiting = new LinkedBlockingQueue<>();
    private final InterceptionPoint point;

    Held(InterceptionPoint point) {
      this.point = point;
    }

    @Override
    public boolean handles(InterceptionPoint at, @Nullable DefinitionKey definition) {
      return at == point;
    }

    @Override
    public void handle(HttpMessage message, Continuation then) {
      waiting.add(new Waiting(message, then));
    }

    Waiting next() throws InterruptedException {
      Waiting next = waiting.poll(20, TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("expected a message within 20 s, found none");
      }
      return next;
    }
  }

  private static RequestHandlerServer served(Interceptor interceptor) {
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.interceptor = interceptor;
    return new RequestHandlerServer(options);
  }

  private static String text(HttpMessage message) {
    return new String(message.content().bytes(), StandardCharsets.UTF_8);
  }

  private static MessageBody json(String text) {
    return MessageBody.of(text.getBytes(StandardCharsets.UTF_8), "application/json");
  }

  private static SortedMap<String, String> and(
      SortedMap<String, String> fields, String name, String value) {
    SortedMap<String, String> more = new TreeMap<>(fields);
    more.put(name, value);
    return more;
  }

  @Test
  void shouldSeeARawRequestAndChangeItBeforeItIsParsed() throws Exception {
    At xml =
        new At(InterceptionPoint.REQUEST_IN) {
          @Override
          InterceptionVerdict decide(HttpMessage message) {
            return new InterceptionVerdict.Proceed(
                message.with(0, message.fields(), json("{\"input\":[7]}")));
          }
        };
    for (Interceptor interceptor : List.of(xml, xml.elsewhere())) {
      xml.seen.clear();
      try (RequestHandlerServer requestHandlerServer = served(interceptor);
          RawHttpClient client = requestHandlerServer.client()) {
        String fields = "Content-Type: application/xml\r\nContent-Encoding: br\r\nX-Key: k\r\n";
        HttpReply refused = client.ask("POST", START, fields, "<a>7</a>");
        assertEquals(415, refused.status(), "the coding is still told: " + refused.body());
        fields = "Content-Type: application/xml\r\nX-Key: k\r\nX-Key: l\r\n";
        HttpReply reply = client.ask("POST", START, fields, "<a>7</a>");
        assertEquals(200, reply.status(), reply.body());
        assertTrue(reply.body().endsWith("\"output\":[7]}"), reply.body());
        HttpMessage seen = xml.seen.getLast();
        assertEquals("POST", seen.method());
        assertEquals(START, seen.target());
        assertEquals("127.0.0.1", seen.client());
        assertEquals("k, l", seen.fields().get("x-key"));
        assertEquals("application/xml", seen.content().mediaType());
        assertEquals("<a>7</a>", text(seen));
        assertEquals(FakeDefinitionCatalog.KEY, seen.context().definition());
        assertFalse(seen.fields().containsKey("content-length"));
      }
    }
  }

  /** Field fault 28: also where handlers have read the body, which keep the last of two members. */
  @Test
  void shouldRefuseAMemberTwiceWhateverHandlersMakeOfIt() throws Exception {
    At rewriting =
        new At(InterceptionPoint.REQUEST_IN) {
          @Override
          InterceptionVerdict decide(HttpMessage message) {
            return new InterceptionVerdict.Proceed(
                message.with(0, message.fields(), json("{\"input\":[7]}")));
          }
        };
    try (RequestHandlerServer requestHandlerServer = served(rewriting);
        RawHttpClient client = requestHandlerServer.client()) {
      HttpReply refused = client.post(START, "{\"input\":{\"to\":1,\"to\":2}}");
      assertEquals(400, refused.status(), refused.body());
      assertTrue(refused.body().contains("found /input/to again"), refused.body());
      assertEquals(0, requestHandlerServer.kernels.starts.get());
      for (String other : List.of("{\"input\":{\"to\":1}}", "no JSON, {\"a\":1,\"a\":1}")) {
        assertEquals(200, client.post(START, other).status(), other);
      }
      String xml = "Content-Type: application/xml\r\n";
      assertEquals(200, client.ask("POST", START, xml, "{\"a\":1,\"a\":1}").status());
    }
  }

  @Test
  void shouldChangeStatusFieldsAndBodyOfAnAnswer() throws Exception {
    At out =
        new At(InterceptionPoint.RESPONSE_OUT) {
          @Override
          InterceptionVerdict decide(HttpMessage message) {
            return new InterceptionVerdict.Proceed(
                message.with(
                    203,
                    and(message.fields(), "x-of", Integer.toString(message.status())),
                    json("{\"was\":" + text(message) + "}")));
          }
        };
    for (Interceptor interceptor : List.of(out, out.elsewhere())) {
      try (RequestHandlerServer requestHandlerServer = served(interceptor);
          RawHttpClient client = requestHandlerServer.client()) {
        HttpReply reply = client.post(START, "{\"input\":1}");
        assertEquals(203, reply.status());
        assertEquals("200", reply.header("x-of"));
        assertTrue(reply.body().startsWith("{\"was\":{\"id\""), reply.body());
        HttpReply problem = client.post(START.replace("echo", "none"), "{}");
        assertEquals("404", problem.header("x-of"), "problems pass handlers as well");
        assertEquals(200, client.get("/livez").status(), "other routes do not");
      }
    }
  }

  @Test
  void shouldRefuseAnswerOrPutOffOnceAndNeverStart() throws Exception {
    WorkflowError error = new WorkflowError("urn:key", 401, "No key", "not today", null);
    At stopping =
        new At(InterceptionPoint.REQUEST_IN) {
          @Override
          InterceptionVerdict decide(HttpMessage message) {
            return switch (text(message)) {
              case "1" -> new InterceptionVerdict.Reject(error);
              case "2" ->
                  new InterceptionVerdict.Respond(
                      message.with(299, new TreeMap<>(Map.of("x-by", "me")), json("[2]")));
              default -> new InterceptionVerdict.Overloaded("handlers.maxQueued", 7);
            };
          }

          @Override
          public void handle(HttpMessage message, Continuation then) {
            super.handle(message, then);
            then.end(new InterceptionVerdict.Proceed(message));
          }
        };
    try (RequestHandlerServer requestHandlerServer = served(stopping);
        RawHttpClient client = requestHandlerServer.client()) {
      HttpReply refused = client.post(START, "1");
      assertEquals(401, refused.status());
      assertEquals("application/problem+json", refused.header("content-type"));
      assertTrue(refused.body().contains("not today"), refused.body());
      HttpReply answered = client.post(START, "2");
      assertEquals(299, answered.status());
      assertEquals("me", answered.header("x-by"));
      assertEquals("[2]", answered.body());
      HttpReply overloaded = client.post(START, "3");
      assertEquals(503, overloaded.status());
      assertEquals("7", overloaded.header("retry-after"));
      assertTrue(overloaded.body().contains("handlers.maxQueued"), overloaded.body());
      assertEquals(0, requestHandlerServer.kernels.starts.get());
      assertEquals(0, requestHandlerServer.handler.requests());
    }
  }

  @Test
  void shouldSurviveAPortThatFailsAndFieldsThatAreNone() throws Exception {
    At broken =
        new At(InterceptionPoint.REQUEST_IN) {
          @Override
          InterceptionVerdict decide(HttpMessage message) {
            SortedMap<String, String> none = new TreeMap<>(Map.of("x", "a\r\nb: c"));
            return switch (text(message)) {
              case "1" -> throw new IllegalStateException("secret");
              case "2" ->
                  new InterceptionVerdict.Respond(message.with(200, none, MessageBody.EMPTY));
              case "3" ->
                  new InterceptionVerdict.Respond(
                      message.with(101, new TreeMap<>(), MessageBody.EMPTY));
              default -> new InterceptionVerdict.Proceed(message.with(0, none, message.content()));
            };
          }
        };
    try (RequestHandlerServer requestHandlerServer = served(broken);
        RawHttpClient client = requestHandlerServer.client()) {
      for (String body : List.of("1", "2", "3", "4")) {
        HttpReply reply = client.post(START, body);
        assertEquals(500, reply.status(), body);
        assertFalse(reply.body().contains("secret"), reply.body());
      }
      assertEquals(0, requestHandlerServer.handler.requests());
    }
  }

  @Test
  void shouldKeepTheOrderOfAnswersAndServeOthersMeanwhile() throws Exception {
    Held held = new Held(InterceptionPoint.REQUEST_IN);
    try (RequestHandlerServer requestHandlerServer = served(held);
        RawHttpClient client = requestHandlerServer.client();
        RawHttpClient other = requestHandlerServer.client()) {
      String start =
          "POST "
              + START
              + " HTTP/1.1\r\n"
              + "Host: localhost\r\n"
              + "Content-Type: application/json\r\n"
              + "Content-Length: 11\r\n\r\n"
              + "{\"input\":1}";
      client.send(start + "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
      Held.Waiting waiting = held.next();
      assertEquals(200, other.get("/livez").status());
      assertEquals(1, requestHandlerServer.handler.requests());
      waiting.then().end(new InterceptionVerdict.Proceed(waiting.message()));
      assertTrue(client.read().body().endsWith("\"output\":1}"));
      assertTrue(client.read().body().contains("alive"));
    }
  }

  @Test
  void shouldForgetWhatHandlersHaveWhenTheClientGoes() throws Exception {
    Held held = new Held(InterceptionPoint.REQUEST_IN);
    try (RequestHandlerServer requestHandlerServer = served(held)) {
      Held.Waiting waiting;
      try (RawHttpClient client = requestHandlerServer.client()) {
        client.send("POST " + START + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
        waiting = held.next();
      }
      while (requestHandlerServer.handler.connections() > 0) {
        Thread.onSpinWait();
      }
      assertEquals(0, requestHandlerServer.handler.requests());
      waiting.then().end(new InterceptionVerdict.Proceed(waiting.message()));
      requestHandlerServer.onLoop(() -> 0);
      assertEquals(0, requestHandlerServer.kernels.starts.get());
    }
  }

  @Test
  void shouldAnswerThoseWithHandlersWhenTheTimeToDrainIsOver() throws Exception {
    for (InterceptionPoint point :
        List.of(InterceptionPoint.REQUEST_IN, InterceptionPoint.RESPONSE_OUT)) {
      Held held = new Held(point);
      try (RequestHandlerServer requestHandlerServer = served(held);
          RawHttpClient client = requestHandlerServer.client()) {
        client.send("POST " + START + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
        Held.Waiting waiting = held.next();
        requestHandlerServer.handler.drain();
        requestHandlerServer.pass(Duration.ofMillis(1));
        assertEquals(1, requestHandlerServer.handler.requests(), "draining waits for handlers");
        requestHandlerServer.handler.endWaits();
        requestHandlerServer.onLoop(() -> requestHandlerServer.handler.doWork(0, 0));
        HttpReply reply = client.read();
        assertEquals(503, reply.status());
        String code = point == InterceptionPoint.REQUEST_IN ? "draining" : "replica-lost";
        assertTrue(reply.body().contains("\"code\":\"" + code + "\""), reply.body());
        waiting.then().end(new InterceptionVerdict.Proceed(waiting.message()));
        requestHandlerServer.onLoop(() -> 0);
        assertEquals(0, requestHandlerServer.handler.requests());
      }
    }
  }

  @Test
  void shouldRefuseABodyThatHandlersMakeTooLarge() throws Exception {
    int most = 1 << 10;
    At growing =
        new At(InterceptionPoint.REQUEST_IN) {
          @Override
          InterceptionVerdict decide(HttpMessage message) {
            int size = Integer.parseInt(text(message));
            return new InterceptionVerdict.Proceed(
                message.with(
                    0, message.fields(), json("{\"input\":\"" + "x".repeat(size - 12) + "\"}")));
          }
        };
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.interceptor = growing;
    options.limits = Map.of("request.maxBodyBytes", most, "definition.maxBytes", most);
    try (RequestHandlerServer requestHandlerServer = new RequestHandlerServer(options);
        RawHttpClient client = requestHandlerServer.client()) {
      assertEquals(200, client.post(START, Integer.toString(most)).status());
      assertEquals(413, client.post(START, Integer.toString(most + 1)).status());
    }
  }

  @Test
  void shouldReadChainsAgainAndTellWhatIsWrong() throws Exception {
    List<Diagnostic> problems = new ArrayList<>();
    Interceptor interceptor =
        new Interceptor() {
          @Override
          public boolean handles(InterceptionPoint point, @Nullable DefinitionKey definition) {
            return false;
          }

          @Override
          public void handle(HttpMessage message, Continuation then) {
            throw new IllegalStateException("expected no message");
          }

          @Override
          public List<Diagnostic> reload() {
            return List.copyOf(problems);
          }
        };
    try (RequestHandlerServer requestHandlerServer = served(interceptor);
        RawHttpClient client = requestHandlerServer.client()) {
      assertEquals(200, client.ask("POST", "/v1/handlers/reload", "", "").status());
      problems.add(new Diagnostic("/chains/0/at", 0, 0, "expected a point", null));
      HttpReply reply = client.ask("POST", "/v1/handlers/reload", "", "");
      assertEquals(422, reply.status());
      assertTrue(reply.body().contains("/chains/0/at"), reply.body());
    }
  }
}
