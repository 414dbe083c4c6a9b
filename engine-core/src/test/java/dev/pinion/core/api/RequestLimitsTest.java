package dev.pinion.core.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.node.POJONode;
import dev.pinion.core.api.RawHttpClient.HttpReply;
import dev.pinion.core.api.port.CallerPolicies;
import dev.pinion.core.api.port.ExternalServices;
import dev.pinion.core.api.port.HistoryAccess;
import dev.pinion.core.api.port.KernelAccess;
import dev.pinion.core.api.port.LocalReplica;
import dev.pinion.core.api.port.Readiness;
import dev.pinion.core.api.port.RequestPorts;
import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.http.AllowedHosts;
import dev.pinion.core.http.ClientAccess;
import dev.pinion.core.http.ClientConnections;
import dev.pinion.core.http.ConnectionReturn;
import dev.pinion.core.http.IdleClientConnections;
import dev.pinion.core.http.PipelinedRequests;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.Tags;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.partition.StartPolicy;
import dev.pinion.core.peer.PeerAccess;
import dev.pinion.core.peer.PeerClient;
import dev.pinion.core.spi.BrokerGateway;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Stage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Every limit on data that arrives over HTTP, at its edge. */
class RequestLimitsTest {
  private static final String START = "/v1/namespaces/test/definitions/echo/instances";
  private static final String TYPE = "Content-Type: application/json\r\n";

  /** More than the socket buffers hold. */
  private static final int LARGE_BYTES = 1 << 20;

  private static String body(int length) {
    return "{\"input\":\"" + "x".repeat(length - "{\"input\":\"\"}".length()) + "\"}";
  }

  /** A spinning loop sleeps when there is no work: open connections are not work. */
  @Test
  void shouldHaveNoWorkWithOpenConnections() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      assertEquals(200, client.ask("GET", "/livez", "", "").status());
      requestHandlerServer.onLoop(
          () ->
              requestHandlerServer.handler.doWork(
                  requestHandlerServer.handler.nextDeadlineNanos(), 0));
      long next = requestHandlerServer.onLoop(requestHandlerServer.handler::nextDeadlineNanos);
      assertTrue(next < Stage.NO_DEADLINE, "it looks for connections whose time is up");
      assertEquals(
          0, requestHandlerServer.onLoop(() -> requestHandlerServer.handler.doWork(next, 0)));
      assertEquals(200, client.ask("GET", "/livez", "", "").status());
    }
  }

  @Test
  void shouldTakeABodyOfTheLimitAndNotAByteMore() throws Exception {
    Map<String, Integer> limits =
        Map.of("request.maxBodyBytes", 2_048, "definition.maxBytes", 1_024);
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.with(limits)) {
      try (RawHttpClient client = requestHandlerServer.client()) {
        assertEquals(200, client.post(START, body(2_048)).status());
        HttpReply reply = client.post(START, body(2_049));
        assertEquals(413, reply.status());
        assertTrue(client.isEnded());
      }
      try (RawHttpClient client = requestHandlerServer.client()) {
        client.send(
            "POST "
                + START
                + " HTTP/1.1\r\nHost: localhost\r\n"
                + TYPE
                + "Content-Length: 1073741824\r\n\r\n");
        assertEquals(413, client.read().status());
        assertTrue(client.isEnded());
      }
      try (RawHttpClient client = requestHandlerServer.client()) {
        client.send(
            "POST "
                + START
                + " HTTP/1.1\r\nHost: localhost\r\n"
                + TYPE
                + "Transfer-Encoding: chunked\r\n\r\n400\r\n"
                + "x".repeat(1_024)
                + "\r\n400\r\n"
                + "x".repeat(1_024)
                + "\r\n1\r\nx");
        assertEquals(413, client.read().status());
      }
      try (RawHttpClient client = requestHandlerServer.client()) {
        assertEquals(
            422,
            client.ask("POST", "/v1/definitions", TYPE, "\"" + "x".repeat(1_022) + "\"").status());
        assertEquals(
            413,
            client.ask("POST", "/v1/definitions", TYPE, "\"" + "x".repeat(1_023) + "\"").status());
      }
    }
  }

  /** Field fault 1: many bodies of 15 kB take the heap as a large one does. */
  @Test
  void shouldRefuseSmallBodiesThatTakeTheHeap() throws Exception {
    String list = "{\"input\":[" + "{\"a\":1},".repeat(1_900) + "1]}"; // 500 kB as a value
    try (RequestHandlerServer requestHandlerServer =
            RequestHandlerServer.with(Map.of("kernel.maxHeldBytes", 8 << 20));
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.script =
          message ->
              requestHandlerServer.kernels.reply(
                  ((Command.Start) message).replyTo(),
                  new Reply.Accepted(FakeKernels.ID, FakeDefinitionCatalog.KEY));
      int taken = 0;
      HttpReply reply = start(client, list);
      for (; reply.status() == 202 && taken < 500; taken++) {
        reply = start(client, list);
      }
      assertEquals(503, reply.status(), reply.body());
      assertTrue(taken > 10 && taken < 20, "taken " + taken);
      assertTrue(requestHandlerServer.heap.carriedBytes() >= 8 << 20);
      assertEquals(202, start(client, "{}").status(), "is left to the kernel");

      requestHandlerServer.heap.endTransfer(requestHandlerServer.heap.carriedBytes());
      assertEquals(202, start(client, list).status());
    }
  }

  private static HttpReply start(RawHttpClient client, String body) throws Exception {
    return client.ask("POST", START, TYPE + "Prefer: respond-async\r\n", body);
  }

  /**
   * Field fault 1: the output in an answer is counted until it is written or its client has gone.
   */
  @Test
  void shouldCountOutputsUntilTheyAreWritten() throws Exception {
    Payload output = Payload.of("x".repeat(1_000));
    InstanceView view =
        new InstanceView(
            FakeKernels.ID,
            FakeDefinitionCatalog.KEY,
            InstanceState.COMPLETED,
            1,
            2,
            3,
            output,
            null,
            Tags.NONE);
    String path = "/v1/instances/" + FakeKernels.ID;
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain()) {
      requestHandlerServer.kernels.byHand();
      try (RawHttpClient client = requestHandlerServer.client()) {
        client.send(RawHttpClient.request("GET", path, "", new byte[0]));
        Query.GetInstance query = requestHandlerServer.kernels.next(Query.GetInstance.class);
        requestHandlerServer.kernels.reply(
            query.replyTo(),
            new Reply.Ended(view, requestHandlerServer.heap.beginTransfer(output)));
        assertEquals(200, client.read().status());
        client.send(RawHttpClient.request("GET", path, "", new byte[0]));
      }
      Query.GetInstance query = requestHandlerServer.kernels.next(Query.GetInstance.class);
      await().until(() -> requestHandlerServer.handler.connections() == 0);
      requestHandlerServer.kernels.reply(
          query.replyTo(), new Reply.Ended(view, requestHandlerServer.heap.beginTransfer(output)));
      await().until(() -> requestHandlerServer.handler.lateReplies() == 1);
      assertEquals(0, requestHandlerServer.onLoop(requestHandlerServer.heap::carriedBytes));
    }
  }

  @Test
  void shouldTakeALineAndFieldsOfTheLimitAndNotAByteMore() throws Exception {
    Map<String, Integer> limits =
        Map.of("request.maxUriBytes", 256, "request.maxHeaderBytes", 300, "request.maxHeaders", 8);
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.with(limits)) {
      String path = "/" + "x".repeat(256 - "GET / HTTP/1.1".length());
      assertEquals(
          404,
          status(requestHandlerServer, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n"));
      assertEquals(
          414,
          status(requestHandlerServer, "GET " + path + "y HTTP/1.1\r\nHost: localhost\r\n\r\n"));
      assertEquals(414, status(requestHandlerServer, "G".repeat(300)));

      String fields =
          "Host: localhost\r\nX: "
              + "x".repeat(300 - "Host: localhost\r\nX: \r\n".length())
              + "\r\n";
      assertEquals(200, status(requestHandlerServer, "GET /livez HTTP/1.1\r\n" + fields + "\r\n"));
      assertEquals(431, status(requestHandlerServer, "GET /livez HTTP/1.1\r\nY" + fields + "\r\n"));

      String seven = "X: 1\r\n".repeat(7);
      assertEquals(
          200,
          status(
              requestHandlerServer, "GET /livez HTTP/1.1\r\nHost: localhost\r\n" + seven + "\r\n"));
      assertEquals(
          431,
          status(
              requestHandlerServer,
              "GET /livez HTTP/1.1\r\nHost: localhost\r\nX: 1\r\n" + seven + "\r\n"));
    }
  }

  private static int status(RequestHandlerServer requestHandlerServer, String message)
      throws Exception {
    try (RawHttpClient client = requestHandlerServer.client()) {
      return client.send(message).read().status();
    }
  }

  /** Field fault 2: beyond the limit no connection is accepted; clients wait in the backlog. */
  @Test
  void shouldAcceptNoMoreThanTheLimitUntilOneCloses() throws Exception {
    try (RequestHandlerServer requestHandlerServer =
            RequestHandlerServer.with(Map.of("request.maxConnections", 2));
        RawHttpClient first = requestHandlerServer.client();
        RawHttpClient second = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      first.send(RawHttpClient.request("POST", START, TYPE, body(100).getBytes(UTF_8)));
      second.send(RawHttpClient.request("POST", START, TYPE, body(100).getBytes(UTF_8)));
      await().until(() -> requestHandlerServer.handler.requests() == 2);
      try (RawHttpClient third = requestHandlerServer.client()) {
        third.send(RawHttpClient.request("GET", "/livez", "", new byte[0]));
        requestHandlerServer.pass(Duration.ofSeconds(1));
        assertEquals(
            2,
            requestHandlerServer.onLoop(requestHandlerServer.handler::connections),
            "both are busy");
        first.hangUp();
        assertEquals(200, third.read().status());
        assertEquals(2, requestHandlerServer.onLoop(requestHandlerServer.handler::connections));
      }
    }
  }

  /** Field fault 2: silent connections make room first, then those idle for longest. */
  @Test
  void shouldCloseIdleConnectionsSoThatNewClientsGetIn() throws Exception {
    try (RequestHandlerServer requestHandlerServer =
            RequestHandlerServer.with(Map.of("request.maxConnections", 3));
        RawHttpClient used = requestHandlerServer.client();
        RawHttpClient silent = requestHandlerServer.client()) {
      await()
          .until(() -> requestHandlerServer.onLoop(requestHandlerServer.handler::connections) == 2);
      assertEquals(200, used.get("/livez").status());
      try (RawHttpClient third = requestHandlerServer.client()) {
        assertEquals(200, third.get("/livez").status());
        requestHandlerServer.pass(Duration.ofMillis(IdleClientConnections.LEAST_IDLE_MILLIS + 100));
        assertTrue(silent.isEnded());
        assertEquals(200, used.get("/livez").status(), "it is not among the longest idle");
        try (RawHttpClient fourth = requestHandlerServer.client()) {
          assertEquals(200, fourth.get("/livez").status());
          requestHandlerServer.pass(
              Duration.ofMillis(IdleClientConnections.LEAST_IDLE_MILLIS + 100));
          assertTrue(third.isEnded());
          assertEquals(200, used.get("/livez").status());
        }
      }
      assertEquals(
          2, requestHandlerServer.onLoop(requestHandlerServer.handler.http()::evictedConnections));
    }
  }

  /** Field fault 2: silent connections make room for each other, however many come. */
  @Test
  void shouldKeepAnIdleConnectionInAFloodOfSilentOnes() throws Exception {
    int most = 32;
    List<RawHttpClient> flood = new ArrayList<>();
    try (RequestHandlerServer requestHandlerServer =
            RequestHandlerServer.with(Map.of("request.maxConnections", most));
        RawHttpClient used = requestHandlerServer.client()) {
      assertEquals(200, used.get("/livez").status());
      requestHandlerServer.pass(Duration.ofMillis(2 * IdleClientConnections.LEAST_IDLE_MILLIS));
      for (int i = 0; i < most; i++) {
        flood.add(requestHandlerServer.client());
      }
      await()
          .until(
              () ->
                  requestHandlerServer.onLoop(
                          requestHandlerServer.handler.http()::evictedConnections)
                      > 0);
      requestHandlerServer.pass(Duration.ofMillis(IdleClientConnections.LEAST_SILENT_MILLIS));

      assertTrue(flood.getFirst().isEnded());
      assertEquals(200, used.get("/livez").status());
      try (RawHttpClient anew = requestHandlerServer.client()) {
        assertEquals(200, anew.get("/livez").status());
      }
    } finally {
      for (RawHttpClient each : flood) {
        each.close();
      }
    }
  }

  /** Field fault 2: a connection about to close by itself does not block others. */
  @Test
  void shouldCloseASilentConnectionBehindOneThatIsClosing() throws Exception {
    try (RequestHandlerServer requestHandlerServer =
            RequestHandlerServer.with(Map.of("request.maxConnections", 2));
        RawHttpClient malformed = requestHandlerServer.client()) {
      await()
          .until(() -> requestHandlerServer.onLoop(requestHandlerServer.handler::connections) == 1);
      assertEquals(400, malformed.send("GET\r\n\r\n").read().status());
      try (RawHttpClient silent = requestHandlerServer.client();
          RawHttpClient anew = requestHandlerServer.client()) {
        anew.send(RawHttpClient.request("GET", "/livez", "", new byte[0]));
        await()
            .until(
                () -> requestHandlerServer.onLoop(requestHandlerServer.handler::connections) == 2);
        requestHandlerServer.pass(Duration.ofMillis(IdleClientConnections.LEAST_IDLE_MILLIS + 100));
        assertTrue(silent.isEnded());
        assertEquals(200, anew.read().status());
        assertEquals(
            2,
            requestHandlerServer.onLoop(requestHandlerServer.handler::connections),
            "the malformed one is there");
      }
    }
  }

  /** Field fault 6: requests that one client has sent ahead do not keep another one waiting. */
  @Test
  void shouldServeOtherClientsBetweenPipelinedRequests() throws Exception {
    int ahead = 300;
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient greedy = requestHandlerServer.client();
        RawHttpClient other = requestHandlerServer.client()) {
      CountDownLatch bothSent = new CountDownLatch(1);
      Future<?> held = requestHandlerServer.hold(bothSent);
      greedy.send(find("greedy").repeat(ahead));
      other.send(find("other"));
      bothSent.countDown();
      held.get();
      for (int i = 0; i < ahead; i++) {
        assertEquals(404, greedy.read().status());
      }
      assertEquals(404, other.read().status());
      int before = requestHandlerServer.definitions.sought.indexOf("other");
      assertTrue(before <= 2 * PipelinedRequests.ANSWERS_PER_TURN, "served after " + before);
    }
  }

  private static String find(String name) {
    return "GET /v1/namespaces/test/definitions/%s/versions/1.0.0 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        .formatted(name);
  }

  /** Field fault 6: one answer at most waits for a client that does not read. */
  @Test
  void shouldNotServeAClientFurtherThatDoesNotRead() throws Exception {
    int ahead = 40;
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient lazy = requestHandlerServer.client()) {
      lazy.send("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(ahead));
      await()
          .until(
              () ->
                  requestHandlerServer.onLoop(requestHandlerServer.handler.http()::unsentBytes)
                      > 0);
      requestHandlerServer.pass(Duration.ofSeconds(1));
      long held = requestHandlerServer.onLoop(requestHandlerServer.handler.http()::unsentBytes);
      int answer = 0;
      for (int i = 0; i < ahead; i++) {
        RawHttpClient.HttpReply reply = lazy.read();
        assertEquals(200, reply.status());
        answer = reply.body().length();
      }
      assertTrue(held < answer + (128 << 10), held + " bytes of answers of " + answer);
      assertEquals(
          0,
          requestHandlerServer.onLoop(requestHandlerServer.handler.http()::slowConnections),
          "one alone may be slow");
    }
  }

  /** Field fault 6: all bytes for slow clients are bounded; the slowest are disconnected. */
  @Test
  void shouldHangUpOnTheSlowestWhenTooMuchWaits() throws Exception {
    try (RequestHandlerServer requestHandlerServer =
            RequestHandlerServer.with(Map.of("request.maxUnsentBytes", 1 << 10));
        RawHttpClient slowest = requestHandlerServer.client();
        RawHttpClient slow = requestHandlerServer.client();
        RawHttpClient good = requestHandlerServer.client()) {
      for (RawHttpClient each : List.of(slowest, slow)) {
        each.send("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(40));
        await()
            .until(
                () ->
                    requestHandlerServer.onLoop(
                        () ->
                            requestHandlerServer.handler.http().unsentBytes() > 0
                                && (each == slowest
                                    || requestHandlerServer.handler.http().slowConnections() > 0)));
      }
      assertEquals(
          1, requestHandlerServer.onLoop(requestHandlerServer.handler.http()::slowConnections));
      assertEquals(200, good.get("/livez").status());
      for (int i = 0; i < 40; i++) {
        assertEquals(200, slow.read().status());
      }
    }
  }

  /** Field fault 6: the bound is the replica's; the handler with the least share closes nothing. */
  @Test
  void shouldBoundWhatWaitsOfAllHandlersTogether() throws Exception {
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.limits = Map.of("request.maxUnsentBytes", 4 * LARGE_BYTES);
    ClientConnections clients = new ClientConnections(100);
    options.clients = clients;
    try (RequestHandlerServer greedy = new RequestHandlerServer(options);
        RequestHandlerServer modest = new RequestHandlerServer(options);
        RawHttpClient _ = unread(greedy);
        RawHttpClient two = unread(greedy);
        RawHttpClient three = unread(greedy);
        RawHttpClient other = unread(modest);
        RawHttpClient another = unread(modest)) {
      await()
          .until(
              () -> {
                greedy.pass(Duration.ofMillis(250));
                return greedy.handler.slowConnections() > 0;
              });
      await().until(() -> clients.unsentBytes() <= 4 * LARGE_BYTES);
      assertEquals(1, greedy.handler.slowConnections());
      assertEquals(0, modest.handler.slowConnections());
      for (RawHttpClient kept : List.of(two, three, other, another)) {
        assertEquals(LARGE_BYTES + 2, kept.read().body().length());
      }
      await().until(() -> clients.unsentBytes() == 0);
      assertEquals(0, greedy.onLoop(greedy.handler.http()::unsentBytes));
    }
  }

  /** Field fault 6: thousands of answers may be made in one cycle. */
  @Test
  void shouldKeepTheBoundWithinACycle() throws Exception {
    int count = 4;
    List<Long> closed = new ArrayList<>();
    List<RawHttpClient> clients = new ArrayList<>();
    try (RequestHandlerServer requestHandlerServer =
        RequestHandlerServer.with(Map.of("request.maxUnsentBytes", 2 * LARGE_BYTES))) {
      requestHandlerServer.kernels.byHand();
      byte[] ask =
          RawHttpClient.request(
              "GET", "/v1/instances/" + FakeKernels.ID + "/output", "", new byte[0]);
      List<ReplyAddress<?>> asked = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        clients.add(requestHandlerServer.client().send(ask));
        asked.add(requestHandlerServer.kernels.next(Query.GetInstance.class).replyTo());
      }
      Payload last = whenWritten(() -> closed.add(requestHandlerServer.handler.slowConnections()));
      CountDownLatch allReplied = new CountDownLatch(1);
      Future<?> held = requestHandlerServer.hold(allReplied);
      for (int i = 0; i < count; i++) {
        InstanceView view = i == count - 1 ? withOutput(last) : large();
        requestHandlerServer.kernels.reply(asked.get(i), new Reply.InstanceFound(view));
      }
      allReplied.countDown();
      held.get();
      assertEquals(200, clients.getLast().read().status());
      assertEquals(List.of(1L), closed, "hung up on before the last answer was made");
    } finally {
      for (RawHttpClient client : clients) {
        client.close();
      }
    }
  }

  /** A value with a side effect when it is written as JSON. */
  private static Payload whenWritten(Runnable does) {
    return Payload.of(
        new POJONode(
            new JsonSerializable.Base() {
              @Override
              public void serialize(JsonGenerator to, SerializerProvider by) throws IOException {
                does.run();
                to.writeString("written");
              }

              @Override
              public void serializeWithType(
                  JsonGenerator to, SerializerProvider by, TypeSerializer type) throws IOException {
                serialize(to, by);
              }
            }));
  }

  /** A client that asks for a large answer, which it does not read yet. */
  private static RawHttpClient unread(RequestHandlerServer requestHandlerServer) throws Exception {
    requestHandlerServer.kernels.script =
        message ->
            requestHandlerServer.kernels.reply(
                ((Query.GetInstance) message).replyTo(), new Reply.InstanceFound(large()));
    RawHttpClient client = requestHandlerServer.client();
    long before = requestHandlerServer.onLoop(requestHandlerServer.handler.http()::unsentBytes);
    client.send(
        RawHttpClient.request(
            "GET", "/v1/instances/" + FakeKernels.ID + "/output", "", new byte[0]));
    await()
        .until(
            () ->
                requestHandlerServer.onLoop(requestHandlerServer.handler.http()::unsentBytes)
                    > before);
    return client;
  }

  /** Field fault 6: without room for an answer a connection ends, but not the event loop. */
  @Test
  void shouldServeOthersWhenThereIsNoMemoryForAnAnswer() throws Exception {
    Logger told = (Logger) LoggerFactory.getLogger(RequestHandler.class);
    told.setLevel(Level.OFF);
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient unlucky = requestHandlerServer.client();
        RawHttpClient other = requestHandlerServer.client()) {
      requestHandlerServer.kernels.script =
          message -> {
            throw new OutOfMemoryError("of direct memory, on purpose");
          };
      unlucky.send(
          RawHttpClient.request(
              "GET", "/v1/instances/" + FakeKernels.ID + "/output", "", new byte[0]));
      assertTrue(unlucky.isEnded());
      assertEquals(1, requestHandlerServer.handler.failures());
      assertEquals(200, other.get("/livez").status());
    } finally {
      told.setLevel(null);
    }
  }

  /** Field fault 6: a last answer is cut for a client that reads nothing, not for a slow one. */
  @Test
  void shouldSendALastAnswerToItsEndHoweverLongItTakes() throws Exception {
    byte[] ask =
        RawHttpClient.request(
            "GET",
            "/v1/instances/" + FakeKernels.ID + "/output",
            "Connection: close\r\n",
            new byte[0]);
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient slow = requestHandlerServer.client();
        RawHttpClient stuck = requestHandlerServer.client()) {
      requestHandlerServer.kernels.script =
          message ->
              requestHandlerServer.kernels.reply(
                  ((Query.GetInstance) message).replyTo(), new Reply.InstanceFound(large()));
      slow.send(ask);
      await()
          .until(
              () ->
                  requestHandlerServer.onLoop(requestHandlerServer.handler.http()::unsentBytes)
                      > 0);
      requestHandlerServer.pass(Duration.ofSeconds(3));
      requestHandlerServer.pass(Duration.ofSeconds(3));
      assertEquals(LARGE_BYTES + 2, slow.read().body().length());
      assertTrue(slow.isEnded());

      stuck.send(ask);
      await()
          .until(
              () ->
                  requestHandlerServer.onLoop(requestHandlerServer.handler.http()::unsentBytes)
                      > 0);
      requestHandlerServer.pass(Duration.ofSeconds(1));
      await() // the system may take more of the answer meanwhile
          .until(
              () -> {
                requestHandlerServer.pass(Duration.ofSeconds(61));
                return requestHandlerServer.onLoop(requestHandlerServer.handler.http()::unsentBytes)
                    == 0;
              });
    }
  }

  private static InstanceView large() {
    return withOutput(Payload.of("x".repeat(LARGE_BYTES)));
  }

  private static InstanceView withOutput(Payload output) {
    InstanceView small = FakeKernels.view(FakeKernels.ID, InstanceState.COMPLETED, null);
    return new InstanceView(
        small.id(),
        small.definition(),
        small.state(),
        small.startedAtEpochMillis(),
        small.endedAtEpochMillis(),
        small.sequence(),
        output,
        null,
        Tags.NONE);
  }

  @Test
  void shouldAnswer503BeyondTheRequestsUnderWay() throws Exception {
    try (RequestHandlerServer requestHandlerServer =
            RequestHandlerServer.with(Map.of("request.maxRequests", 1));
        RawHttpClient first = requestHandlerServer.client();
        RawHttpClient second = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      first.send(RawHttpClient.request("POST", START, "", new byte[0]));
      requestHandlerServer.kernels.next(Command.Start.class);
      HttpReply refused = second.get("/livez");
      assertEquals(503, refused.status());
      assertEquals("1", refused.header("retry-after"));
      first.hangUp();
      await().until(() -> requestHandlerServer.handler.requests() == 0);
      assertEquals(200, second.get("/livez").status());
    }
  }

  @Test
  void shouldAnswer503BeyondTheBytesOfUnfinishedBodies() throws Exception {
    Map<String, Integer> limits =
        Map.of(
            "request.maxBodyBytes", 1_024,
            "definition.maxBytes", 1_024,
            "request.maxBufferedBytes", 1_024);
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.with(limits);
        RawHttpClient first = requestHandlerServer.client();
        RawHttpClient second = requestHandlerServer.client()) {
      String head =
          "POST "
              + START
              + " HTTP/1.1\r\nHost: localhost\r\n"
              + TYPE
              + "Content-Length: 1024\r\n\r\n";
      String body = body(1_024);
      first.send(head + body.substring(0, 1_000));
      await()
          .until(
              () ->
                  requestHandlerServer.onLoop(
                          () -> requestHandlerServer.handler.http().bufferedBytes())
                      == 1_000);
      second.send(head + body.substring(0, 25));
      assertEquals(503, second.read().status());
      first.send(body.substring(1_000));
      assertEquals(200, first.read().status());
      assertEquals(
          0L,
          (long)
              requestHandlerServer.onLoop(
                  () -> requestHandlerServer.handler.http().bufferedBytes()));
    }
  }

  @Test
  void shouldAnswer408ToASlowHead() throws Exception {
    try (RequestHandlerServer requestHandlerServer =
            RequestHandlerServer.with(Map.of("request.headTimeoutMillis", 10_000));
        RawHttpClient client = requestHandlerServer.client()) {
      client.send("GET /livez HT");
      connected(requestHandlerServer);
      requestHandlerServer.pass(Duration.ofSeconds(9));
      requestHandlerServer.onLoop(() -> 0);
      client.send("TP/1.1\r\nHost: localhost\r\n");
      requestHandlerServer.pass(Duration.ofMillis(1_500));
      assertEquals(408, client.read().status());
      assertTrue(client.isEnded());
    }
  }

  @Test
  void shouldAnswer408ToASlowBody() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      client.send(
          "POST "
              + START
              + " HTTP/1.1\r\nHost: localhost\r\n"
              + TYPE
              + "Content-Length: 100000\r\n\r\n");
      client.send("{".repeat(5_500));
      await()
          .until(
              () ->
                  requestHandlerServer.onLoop(
                          () -> requestHandlerServer.handler.http().bufferedBytes())
                      == 5_500);
      requestHandlerServer.pass(Duration.ofMillis(5_300));
      requestHandlerServer.onLoop(() -> 0);
      requestHandlerServer.pass(Duration.ofSeconds(1));
      HttpReply reply = client.read();
      assertEquals(408, reply.status());
      assertTrue(client.isEnded());
      assertEquals(
          0L,
          (long)
              requestHandlerServer.onLoop(
                  () -> requestHandlerServer.handler.http().bufferedBytes()));
    }
  }

  @Test
  void shouldCloseIdleConnectionsButNotWaitingOnes() throws Exception {
    try (RequestHandlerServer requestHandlerServer =
            RequestHandlerServer.with(Map.of("request.defaultWaitMillis", 300_000));
        RawHttpClient idle = requestHandlerServer.client();
        RawHttpClient waiting = requestHandlerServer.client()) {
      assertEquals(200, idle.get("/livez").status());
      requestHandlerServer.kernels.byHand();
      waiting.send(RawHttpClient.request("POST", START, "", new byte[0]));
      Command.Start start = requestHandlerServer.kernels.next(Command.Start.class);
      requestHandlerServer.onLoop(() -> 0);
      requestHandlerServer.pass(Duration.ofSeconds(61));
      assertTrue(idle.isEnded());
      requestHandlerServer.kernels.reply(
          start.replyTo(), new Reply.LimitReached("kernel.maxInstances"));
      assertEquals(503, waiting.read().status());
    }
  }

  private static void connected(RequestHandlerServer requestHandlerServer) {
    await()
        .until(
            () ->
                requestHandlerServer.onLoop(() -> requestHandlerServer.handler.connections()) == 1);
    await()
        .until(
            () ->
                requestHandlerServer.onLoop(() -> requestHandlerServer.handler.nextDeadlineNanos())
                    < Long.MAX_VALUE);
  }

  @Test
  void shouldAnswerDeepJsonQuickly() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      assertEquals(400, client.post(START, "{\"input\":" + "[".repeat(100_000)).status());
      String fits = "[".repeat(511) + "]".repeat(511);
      assertEquals(200, client.post(START, "{\"input\":" + fits + "}").status());
      assertEquals(400, client.post(START, "{\"input\":[" + fits + "]}").status());
    }
  }

  @Test
  void shouldNotStartWithAReplyLaneThatIsTooSmall() {
    EngineLimits limits = EngineLimits.defaults().with(Map.of("request.maxRequests", 10));
    int least = limits.request().replyCapacity(1);
    RequestPorts ports =
        new RequestPorts(
            new KernelAccess(new FakeKernels(), new HeapAccount(limits.kernel().maxHeldBytes())),
            new FakeDefinitionCatalog(),
            new CallerPolicies(BindingSource.NONE, Interceptor.NONE),
            new ClientAccess(
                AllowedHosts.LOOPBACK, new ClientConnections(1), ConnectionReturn.NONE),
            new PeerAccess(ReplicaGroup.ALONE, PeerClient.NONE, () -> 0),
            new ExternalServices(HistoryAccess.NONE, BrokerGateway.NONE, ExternalEvents.NONE),
            new LocalReplica(Runnable::run, Readiness.ALWAYS, "test", null));
    PayloadCodec codec = new PayloadCodec(limits.json());
    assertEquals(
        "request-1", new RequestHandler(1, limits, codec, ports, new Lane<>("r", least)).role());
    assertThrows(
        IllegalArgumentException.class,
        () -> new RequestHandler(1, limits, codec, ports, new Lane<>("r", least / 2)));
  }

  @Test
  void shouldTellHowLongAStartHasWaitedForAKernel() throws Exception {
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.limits = Map.of("request.startsAhead", 1);
    options.replicaGroup = new ReplicaGroup(0, 2, Path.of(""), StartPolicy.LOCAL);
    try (RequestHandlerServer requestHandlerServer = new RequestHandlerServer(options);
        RawHttpClient first = requestHandlerServer.client();
        RawHttpClient second = requestHandlerServer.client();
        RawHttpClient third = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      byte[] start = RawHttpClient.request("POST", START, TYPE, body(100).getBytes(UTF_8));
      first.send(start);
      Command.Start offered = requestHandlerServer.kernels.next(Command.Start.class);
      second.send(start);
      await()
          .until(
              () ->
                  requestHandlerServer.onLoop(
                      () -> !requestHandlerServer.handler.context().startQueue().isEmpty()));

      InstanceId mine = InstanceId.next(FakeKernels.STARTED, 2, null);
      third.send(RawHttpClient.request("GET", "/v1/instances/" + mine, "", new byte[0]));
      Query.GetInstance question = requestHandlerServer.kernels.next(Query.GetInstance.class);
      requestHandlerServer.kernels.reply(question.replyTo(), new Reply.Evicted(mine, false));
      assertEquals(410, third.read().status(), "no reply to a start: it makes no room for one");
      assertTrue(
          requestHandlerServer.onLoop(
              () -> !requestHandlerServer.handler.context().startQueue().isEmpty()));
      requestHandlerServer.pass(Duration.ofMillis(50));

      assertTrue(requestHandlerServer.handler.drainLongestWaitNanos() >= 50_000_000);
      requestHandlerServer.kernels.reply(
          offered.replyTo(), new Reply.Accepted(FakeKernels.ID, FakeDefinitionCatalog.KEY));
      assertEquals(
          offered.definition(),
          requestHandlerServer.kernels.next(Command.Start.class).definition());
      requestHandlerServer.handler.drainLongestWaitNanos();
      requestHandlerServer.pass(Duration.ofMillis(50));
      assertEquals(
          0, requestHandlerServer.handler.drainLongestWaitNanos(), "no start waits any more");
    }
  }
}
