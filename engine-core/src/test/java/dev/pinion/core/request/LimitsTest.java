package dev.pinion.core.request;

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
import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.message.KernelQuery;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceState;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.OwnHosts;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PayloadCodec;
import dev.pinion.core.peer.Neighbourhood;
import dev.pinion.core.peer.PeerClient;
import dev.pinion.core.peer.StartPolicy;
import dev.pinion.core.request.RawClient.Reply;
import dev.pinion.core.spi.Around;
import dev.pinion.core.spi.BindingSource;
import dev.pinion.core.spi.BrokerFront;
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
class LimitsTest {
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
    try (Served served = Served.plain();
        RawClient client = served.client()) {
      assertEquals(200, client.ask("GET", "/livez", "", "").status());
      served.onLoop(() -> served.handler.doWork(served.handler.nextDeadlineNanos(), 0));
      long next = served.onLoop(served.handler::nextDeadlineNanos);
      assertTrue(next < Stage.NO_DEADLINE, "it looks for connections whose time is up");
      assertEquals(0, served.onLoop(() -> served.handler.doWork(next, 0)));
      assertEquals(200, client.ask("GET", "/livez", "", "").status());
    }
  }

  @Test
  void shouldTakeABodyOfTheLimitAndNotAByteMore() throws Exception {
    Map<String, Integer> limits =
        Map.of("request.maxBodyBytes", 2_048, "definition.maxBytes", 1_024);
    try (Served served = Served.with(limits)) {
      try (RawClient client = served.client()) {
        assertEquals(200, client.post(START, body(2_048)).status());
        Reply reply = client.post(START, body(2_049));
        assertEquals(413, reply.status());
        assertTrue(client.isEnded());
      }
      try (RawClient client = served.client()) {
        client.send(
            "POST "
                + START
                + " HTTP/1.1\r\nHost: localhost\r\n"
                + TYPE
                + "Content-Length: 1073741824\r\n\r\n");
        assertEquals(413, client.read().status());
        assertTrue(client.isEnded());
      }
      try (RawClient client = served.client()) {
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
      try (RawClient client = served.client()) {
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
    try (Served served = Served.with(Map.of("kernel.maxHeldBytes", 8 << 20));
        RawClient client = served.client()) {
      served.kernels.script =
          message ->
              served.kernels.reply(
                  ((KernelEvent.Start) message).replyTo(),
                  new KernelReply.Accepted(FakeKernels.ID, FakeDefinitions.KEY));
      int taken = 0;
      Reply reply = start(client, list);
      for (; reply.status() == 202 && taken < 500; taken++) {
        reply = start(client, list);
      }
      assertEquals(503, reply.status(), reply.body());
      assertTrue(taken > 10 && taken < 20, "taken " + taken);
      assertTrue(served.heap.carriedBytes() >= 8 << 20);
      assertEquals(202, start(client, "{}").status(), "is left to the kernel");

      served.heap.arrived(served.heap.carriedBytes());
      assertEquals(202, start(client, list).status());
    }
  }

  private static Reply start(RawClient client, String body) throws Exception {
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
            FakeKernels.ID, FakeDefinitions.KEY, InstanceState.COMPLETED, 1, 2, 3, output, null);
    String path = "/v1/instances/" + FakeKernels.ID;
    try (Served served = Served.plain()) {
      served.kernels.byHand();
      try (RawClient client = served.client()) {
        client.send(RawClient.request("GET", path, "", new byte[0]));
        KernelQuery query = served.kernels.next(KernelQuery.GetInstance.class);
        served.kernels.reply(
            query.replyTo(), new KernelReply.Found(view, served.heap.carry(output)));
        assertEquals(200, client.read().status());
        client.send(RawClient.request("GET", path, "", new byte[0]));
      }
      KernelQuery query = served.kernels.next(KernelQuery.GetInstance.class);
      await().until(() -> served.handler.connections() == 0);
      served.kernels.reply(query.replyTo(), new KernelReply.Found(view, served.heap.carry(output)));
      await().until(() -> served.handler.lateReplies() == 1);
      assertEquals(0, served.onLoop(served.heap::carriedBytes));
    }
  }

  @Test
  void shouldTakeALineAndFieldsOfTheLimitAndNotAByteMore() throws Exception {
    Map<String, Integer> limits =
        Map.of("request.maxUriBytes", 256, "request.maxHeaderBytes", 300, "request.maxHeaders", 8);
    try (Served served = Served.with(limits)) {
      String path = "/" + "x".repeat(256 - "GET / HTTP/1.1".length());
      assertEquals(404, status(served, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n"));
      assertEquals(414, status(served, "GET " + path + "y HTTP/1.1\r\nHost: localhost\r\n\r\n"));
      assertEquals(414, status(served, "G".repeat(300)));

      String fields =
          "Host: localhost\r\nX: "
              + "x".repeat(300 - "Host: localhost\r\nX: \r\n".length())
              + "\r\n";
      assertEquals(200, status(served, "GET /livez HTTP/1.1\r\n" + fields + "\r\n"));
      assertEquals(431, status(served, "GET /livez HTTP/1.1\r\nY" + fields + "\r\n"));

      String seven = "X: 1\r\n".repeat(7);
      assertEquals(
          200, status(served, "GET /livez HTTP/1.1\r\nHost: localhost\r\n" + seven + "\r\n"));
      assertEquals(
          431,
          status(served, "GET /livez HTTP/1.1\r\nHost: localhost\r\nX: 1\r\n" + seven + "\r\n"));
    }
  }

  private static int status(Served served, String message) throws Exception {
    try (RawClient client = served.client()) {
      return client.send(message).read().status();
    }
  }

  /** Field fault 2: beyond the limit no connection is accepted; clients wait in the backlog. */
  @Test
  void shouldAcceptNoMoreThanTheLimitUntilOneCloses() throws Exception {
    try (Served served = Served.with(Map.of("request.maxConnections", 2));
        RawClient first = served.client();
        RawClient second = served.client()) {
      served.kernels.byHand();
      first.send(RawClient.request("POST", START, TYPE, body(100).getBytes(UTF_8)));
      second.send(RawClient.request("POST", START, TYPE, body(100).getBytes(UTF_8)));
      await().until(() -> served.handler.requests() == 2);
      try (RawClient third = served.client()) {
        third.send(RawClient.request("GET", "/livez", "", new byte[0]));
        served.pass(Duration.ofSeconds(1));
        assertEquals(2, served.onLoop(served.handler::connections), "both are busy");
        first.hangUp();
        assertEquals(200, third.read().status());
        assertEquals(2, served.onLoop(served.handler::connections));
      }
    }
  }

  /** Field fault 2: silent connections make room first, then those idle for longest. */
  @Test
  void shouldCloseIdleConnectionsSoThatNewClientsGetIn() throws Exception {
    try (Served served = Served.with(Map.of("request.maxConnections", 3));
        RawClient used = served.client();
        RawClient silent = served.client()) {
      await().until(() -> served.onLoop(served.handler::connections) == 2);
      assertEquals(200, used.get("/livez").status());
      try (RawClient third = served.client()) {
        assertEquals(200, third.get("/livez").status());
        served.pass(Duration.ofMillis(SpareConnections.LEAST_IDLE_MILLIS + 100));
        assertTrue(silent.isEnded());
        assertEquals(200, used.get("/livez").status(), "it is not among the longest idle");
        try (RawClient fourth = served.client()) {
          assertEquals(200, fourth.get("/livez").status());
          served.pass(Duration.ofMillis(SpareConnections.LEAST_IDLE_MILLIS + 100));
          assertTrue(third.isEnded());
          assertEquals(200, used.get("/livez").status());
        }
      }
      assertEquals(2, served.onLoop(served.handler.spareConnections()::closed));
    }
  }

  /** Field fault 2: silent connections make room for each other, however many come. */
  @Test
  void shouldKeepAnIdleConnectionInAFloodOfSilentOnes() throws Exception {
    int most = 32;
    List<RawClient> flood = new ArrayList<>();
    try (Served served = Served.with(Map.of("request.maxConnections", most));
        RawClient used = served.client()) {
      assertEquals(200, used.get("/livez").status());
      served.pass(Duration.ofMillis(2 * SpareConnections.LEAST_IDLE_MILLIS));
      for (int i = 0; i < most; i++) {
        flood.add(served.client());
      }
      await().until(() -> served.onLoop(served.handler.spareConnections()::closed) > 0);
      served.pass(Duration.ofMillis(SpareConnections.LEAST_SILENT_MILLIS));

      assertTrue(flood.getFirst().isEnded());
      assertEquals(200, used.get("/livez").status());
      try (RawClient anew = served.client()) {
        assertEquals(200, anew.get("/livez").status());
      }
    } finally {
      for (RawClient each : flood) {
        each.close();
      }
    }
  }

  /** Field fault 2: a connection about to close by itself does not block others. */
  @Test
  void shouldCloseASilentConnectionBehindOneThatIsClosing() throws Exception {
    try (Served served = Served.with(Map.of("request.maxConnections", 2));
        RawClient malformed = served.client()) {
      await().until(() -> served.onLoop(served.handler::connections) == 1);
      assertEquals(400, malformed.send("GET\r\n\r\n").read().status());
      try (RawClient silent = served.client();
          RawClient anew = served.client()) {
        anew.send(RawClient.request("GET", "/livez", "", new byte[0]));
        await().until(() -> served.onLoop(served.handler::connections) == 2);
        served.pass(Duration.ofMillis(SpareConnections.LEAST_IDLE_MILLIS + 100));
        assertTrue(silent.isEnded());
        assertEquals(200, anew.read().status());
        assertEquals(2, served.onLoop(served.handler::connections), "the malformed one is there");
      }
    }
  }

  /** Field fault 6: requests that one client has sent ahead do not keep another one waiting. */
  @Test
  void shouldServeOtherClientsBetweenPipelinedRequests() throws Exception {
    int ahead = 300;
    try (Served served = Served.plain();
        RawClient greedy = served.client();
        RawClient other = served.client()) {
      CountDownLatch bothSent = new CountDownLatch(1);
      Future<?> held = served.hold(bothSent);
      greedy.send(find("greedy").repeat(ahead));
      other.send(find("other"));
      bothSent.countDown();
      held.get();
      for (int i = 0; i < ahead; i++) {
        assertEquals(404, greedy.read().status());
      }
      assertEquals(404, other.read().status());
      int before = served.definitions.sought.indexOf("other");
      assertTrue(before <= 2 * Connection.ANSWERS_PER_TURN, "served after " + before);
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
    try (Served served = Served.plain();
        RawClient lazy = served.client()) {
      lazy.send("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(ahead));
      await().until(() -> served.onLoop(served.handler.unsent()::held) > 0);
      served.pass(Duration.ofSeconds(1));
      long held = served.onLoop(served.handler.unsent()::held);
      int answer = 0;
      for (int i = 0; i < ahead; i++) {
        RawClient.Reply reply = lazy.read();
        assertEquals(200, reply.status());
        answer = reply.body().length();
      }
      assertTrue(held < answer + (128 << 10), held + " bytes of answers of " + answer);
      assertEquals(0, served.onLoop(served.handler.unsent()::closed), "one alone may be slow");
    }
  }

  /** Field fault 6: all bytes for slow clients are bounded; the slowest are disconnected. */
  @Test
  void shouldHangUpOnTheSlowestWhenTooMuchWaits() throws Exception {
    try (Served served = Served.with(Map.of("request.maxUnsentBytes", 1 << 10));
        RawClient slowest = served.client();
        RawClient slow = served.client();
        RawClient good = served.client()) {
      for (RawClient each : List.of(slowest, slow)) {
        each.send("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(40));
        await()
            .until(
                () ->
                    served.onLoop(
                        () ->
                            served.handler.unsent().held() > 0
                                && (each == slowest || served.handler.unsent().closed() > 0)));
      }
      assertEquals(1, served.onLoop(served.handler.unsent()::closed));
      assertEquals(200, good.get("/livez").status());
      for (int i = 0; i < 40; i++) {
        assertEquals(200, slow.read().status());
      }
    }
  }

  /** Field fault 6: the bound is the replica's; the handler with the least share closes nothing. */
  @Test
  void shouldBoundWhatWaitsOfAllHandlersTogether() throws Exception {
    Served.Options options = new Served.Options();
    options.limits = Map.of("request.maxUnsentBytes", 4 * LARGE_BYTES);
    ClientConnections clients = new ClientConnections(100);
    options.clients = clients;
    try (Served greedy = new Served(options);
        Served modest = new Served(options);
        RawClient _ = unread(greedy);
        RawClient two = unread(greedy);
        RawClient three = unread(greedy);
        RawClient other = unread(modest);
        RawClient another = unread(modest)) {
      await()
          .until(
              () -> {
                greedy.pass(Duration.ofMillis(250));
                return greedy.handler.slowConnections() > 0;
              });
      await().until(() -> clients.unsentBytes() <= 4 * LARGE_BYTES);
      assertEquals(1, greedy.handler.slowConnections());
      assertEquals(0, modest.handler.slowConnections());
      for (RawClient kept : List.of(two, three, other, another)) {
        assertEquals(LARGE_BYTES + 2, kept.read().body().length());
      }
      await().until(() -> clients.unsentBytes() == 0);
      assertEquals(0, greedy.onLoop(greedy.handler.unsent()::held));
    }
  }

  /** Field fault 6: thousands of answers may be made in one cycle. */
  @Test
  void shouldKeepTheBoundWithinACycle() throws Exception {
    int count = 4;
    List<Long> closed = new ArrayList<>();
    List<RawClient> clients = new ArrayList<>();
    try (Served served = Served.with(Map.of("request.maxUnsentBytes", 2 * LARGE_BYTES))) {
      served.kernels.byHand();
      byte[] ask =
          RawClient.request("GET", "/v1/instances/" + FakeKernels.ID + "/output", "", new byte[0]);
      List<ReplyAddress> asked = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        clients.add(served.client().send(ask));
        asked.add(served.kernels.next(KernelQuery.GetInstance.class).replyTo());
      }
      Payload last = whenWritten(() -> closed.add(served.handler.slowConnections()));
      CountDownLatch allReplied = new CountDownLatch(1);
      Future<?> held = served.hold(allReplied);
      for (int i = 0; i < count; i++) {
        InstanceView view = i == count - 1 ? withOutput(last) : large();
        served.kernels.reply(asked.get(i), new KernelReply.Found(view));
      }
      allReplied.countDown();
      held.get();
      assertEquals(200, clients.getLast().read().status());
      assertEquals(List.of(1L), closed, "hung up on before the last answer was made");
    } finally {
      for (RawClient client : clients) {
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
  private static RawClient unread(Served served) throws Exception {
    served.kernels.script =
        message ->
            served.kernels.reply(
                ((KernelQuery.GetInstance) message).replyTo(), new KernelReply.Found(large()));
    RawClient client = served.client();
    long before = served.onLoop(served.handler.unsent()::held);
    client.send(
        RawClient.request("GET", "/v1/instances/" + FakeKernels.ID + "/output", "", new byte[0]));
    await().until(() -> served.onLoop(served.handler.unsent()::held) > before);
    return client;
  }

  /** Field fault 6: without room for an answer a connection ends, but not the event loop. */
  @Test
  void shouldServeOthersWhenThereIsNoMemoryForAnAnswer() throws Exception {
    Logger told = (Logger) LoggerFactory.getLogger(RequestHandler.class);
    told.setLevel(Level.OFF);
    try (Served served = Served.plain();
        RawClient unlucky = served.client();
        RawClient other = served.client()) {
      served.kernels.script =
          message -> {
            throw new OutOfMemoryError("of direct memory, on purpose");
          };
      unlucky.send(
          RawClient.request("GET", "/v1/instances/" + FakeKernels.ID + "/output", "", new byte[0]));
      assertTrue(unlucky.isEnded());
      assertEquals(1, served.handler.failures());
      assertEquals(200, other.get("/livez").status());
    } finally {
      told.setLevel(null);
    }
  }

  /** Field fault 6: a last answer is cut for a client that reads nothing, not for a slow one. */
  @Test
  void shouldSendALastAnswerToItsEndHoweverLongItTakes() throws Exception {
    byte[] ask =
        RawClient.request(
            "GET",
            "/v1/instances/" + FakeKernels.ID + "/output",
            "Connection: close\r\n",
            new byte[0]);
    try (Served served = Served.plain();
        RawClient slow = served.client();
        RawClient stuck = served.client()) {
      served.kernels.script =
          message ->
              served.kernels.reply(
                  ((KernelQuery.GetInstance) message).replyTo(), new KernelReply.Found(large()));
      slow.send(ask);
      await().until(() -> served.onLoop(served.handler.unsent()::held) > 0);
      served.pass(Duration.ofSeconds(3));
      served.pass(Duration.ofSeconds(3));
      assertEquals(LARGE_BYTES + 2, slow.read().body().length());
      assertTrue(slow.isEnded());

      stuck.send(ask);
      await().until(() -> served.onLoop(served.handler.unsent()::held) > 0);
      served.pass(Duration.ofSeconds(1));
      served.pass(Duration.ofSeconds(61));
      await().until(() -> served.onLoop(served.handler.unsent()::held) == 0);
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
        null);
  }

  @Test
  void shouldAnswer503BeyondTheRequestsUnderWay() throws Exception {
    try (Served served = Served.with(Map.of("request.maxRequests", 1));
        RawClient first = served.client();
        RawClient second = served.client()) {
      served.kernels.byHand();
      first.send(RawClient.request("POST", START, "", new byte[0]));
      served.kernels.next(KernelEvent.Start.class);
      Reply refused = second.get("/livez");
      assertEquals(503, refused.status());
      assertEquals("1", refused.header("retry-after"));
      first.hangUp();
      await().until(() -> served.handler.requests() == 0);
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
    try (Served served = Served.with(limits);
        RawClient first = served.client();
        RawClient second = served.client()) {
      String head =
          "POST "
              + START
              + " HTTP/1.1\r\nHost: localhost\r\n"
              + TYPE
              + "Content-Length: 1024\r\n\r\n";
      String body = body(1_024);
      first.send(head + body.substring(0, 1_000));
      await().until(() -> served.onLoop(() -> served.handler.budget().held()) == 1_000);
      second.send(head + body.substring(0, 25));
      assertEquals(503, second.read().status());
      first.send(body.substring(1_000));
      assertEquals(200, first.read().status());
      assertEquals(0L, (long) served.onLoop(() -> served.handler.budget().held()));
    }
  }

  @Test
  void shouldAnswer408ToASlowHead() throws Exception {
    try (Served served = Served.with(Map.of("request.headTimeoutMillis", 10_000));
        RawClient client = served.client()) {
      client.send("GET /livez HT");
      connected(served);
      served.pass(Duration.ofSeconds(9));
      served.onLoop(() -> 0);
      client.send("TP/1.1\r\nHost: localhost\r\n");
      served.pass(Duration.ofMillis(1_500));
      assertEquals(408, client.read().status());
      assertTrue(client.isEnded());
    }
  }

  @Test
  void shouldAnswer408ToASlowBody() throws Exception {
    try (Served served = Served.plain();
        RawClient client = served.client()) {
      client.send(
          "POST "
              + START
              + " HTTP/1.1\r\nHost: localhost\r\n"
              + TYPE
              + "Content-Length: 100000\r\n\r\n");
      client.send("{".repeat(5_500));
      await().until(() -> served.onLoop(() -> served.handler.budget().held()) == 5_500);
      served.pass(Duration.ofMillis(5_300));
      served.onLoop(() -> 0);
      served.pass(Duration.ofSeconds(1));
      Reply reply = client.read();
      assertEquals(408, reply.status());
      assertTrue(client.isEnded());
      assertEquals(0L, (long) served.onLoop(() -> served.handler.budget().held()));
    }
  }

  @Test
  void shouldCloseIdleConnectionsButNotWaitingOnes() throws Exception {
    try (Served served = Served.with(Map.of("request.defaultWaitMillis", 300_000));
        RawClient idle = served.client();
        RawClient waiting = served.client()) {
      assertEquals(200, idle.get("/livez").status());
      served.kernels.byHand();
      waiting.send(RawClient.request("POST", START, "", new byte[0]));
      KernelEvent.Start start = served.kernels.next(KernelEvent.Start.class);
      served.onLoop(() -> 0);
      served.pass(Duration.ofSeconds(61));
      assertTrue(idle.isEnded());
      served.kernels.reply(start.replyTo(), new KernelReply.Refused("kernel.maxInstances"));
      assertEquals(503, waiting.read().status());
    }
  }

  private static void connected(Served served) {
    await().until(() -> served.onLoop(() -> served.handler.connections()) == 1);
    await().until(() -> served.onLoop(() -> served.handler.nextDeadlineNanos()) < Long.MAX_VALUE);
  }

  @Test
  void shouldAnswerDeepJsonQuickly() throws Exception {
    try (Served served = Served.plain();
        RawClient client = served.client()) {
      assertEquals(400, client.post(START, "{\"input\":" + "[".repeat(100_000)).status());
      String fits = "[".repeat(511) + "]".repeat(511);
      assertEquals(200, client.post(START, "{\"input\":" + fits + "}").status());
      assertEquals(400, client.post(START, "{\"input\":[" + fits + "]}").status());
    }
  }

  @Test
  void shouldNotStartWithAReplyLaneThatIsTooSmall() {
    EngineLimits limits = EngineLimits.defaults().with(Map.of("request.maxRequests", 10));
    int least = RequestHandler.replyCapacity(limits.request(), 1);
    RequestPorts ports =
        new RequestPorts(
            new FakeDefinitions(),
            BindingSource.NONE,
            Around.NOTHING,
            new FakeKernels(),
            new HeapAccount(limits.kernel().maxHeldBytes()),
            Runnable::run,
            Readiness.ALWAYS,
            Neighbourhood.ALONE,
            OwnHosts.LOOPBACK,
            PeerClient.NONE,
            Handback.NONE,
            new ClientConnections(1),
            () -> 0,
            HistoryDesk.NONE,
            BrokerFront.NONE,
            ExternalEvents.NONE,
            "test");
    PayloadCodec codec = new PayloadCodec(limits.json());
    assertEquals(
        "request-1", new RequestHandler(1, limits, codec, ports, new Lane<>("r", least)).role());
    assertThrows(
        IllegalArgumentException.class,
        () -> new RequestHandler(1, limits, codec, ports, new Lane<>("r", least / 2)));
  }

  @Test
  void shouldTellHowLongAStartHasWaitedForAKernel() throws Exception {
    Served.Options options = new Served.Options();
    options.limits = Map.of("request.startsAhead", 1);
    options.neighbourhood = new Neighbourhood(0, 2, Path.of(""), StartPolicy.LOCAL);
    try (Served served = new Served(options);
        RawClient first = served.client();
        RawClient second = served.client();
        RawClient third = served.client()) {
      served.kernels.byHand();
      byte[] start = RawClient.request("POST", START, TYPE, body(100).getBytes(UTF_8));
      first.send(start);
      KernelEvent.Start offered = served.kernels.next(KernelEvent.Start.class);
      second.send(start);
      await().until(() -> served.onLoop(() -> !served.handler.starts().isEmpty()));

      InstanceId mine = InstanceId.next(FakeKernels.STARTED, 2, null);
      third.send(RawClient.request("GET", "/v1/instances/" + mine, "", new byte[0]));
      KernelQuery.GetInstance question = served.kernels.next(KernelQuery.GetInstance.class);
      served.kernels.reply(question.replyTo(), new KernelReply.Forgotten(mine, false));
      assertEquals(410, third.read().status(), "no reply to a start: it makes no room for one");
      assertTrue(served.onLoop(() -> !served.handler.starts().isEmpty()));
      served.pass(Duration.ofMillis(50));

      assertTrue(served.handler.takeLongestWaitNanos() >= 50_000_000);
      served.kernels.reply(
          offered.replyTo(), new KernelReply.Accepted(FakeKernels.ID, FakeDefinitions.KEY));
      assertEquals(offered.definition(), served.kernels.next(KernelEvent.Start.class).definition());
      served.handler.takeLongestWaitNanos();
      served.pass(Duration.ofMillis(50));
      assertEquals(0, served.handler.takeLongestWaitNanos(), "no start waits any more");
    }
  }
}
