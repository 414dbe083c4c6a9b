package dev.pinion.core.invoker;

import static dev.pinion.core.invoker.InvokerHarness.call;
import static dev.pinion.core.invoker.InvokerHarness.get;
import static dev.pinion.core.invoker.ScriptedServer.json;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.WorkflowError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Services that are absent, silent, rude or wrong. */
class FailedCallsTest {
  private static final String HALF =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nhalf";

  private static WorkflowError error(ScriptedServer.Script script) {
    return error(Map.of(), script);
  }

  private static WorkflowError error(Map<String, Integer> limits, ScriptedServer.Script script) {
    try (InvokerHarness rig = new InvokerHarness(limits);
        ScriptedServer server = new ScriptedServer(script)) {
      WorkflowError error = rig.error(get(server.uri("/p?key=secret")));
      assertEquals(1, server.connections());
      return error;
    }
  }

  private static void assertCommunication(WorkflowError error, String... parts) {
    assertEquals(ErrorType.COMMUNICATION.uri(), error.type());
    assertEquals(500, error.status());
    String detail = String.valueOf(error.detail());
    for (String part : parts) {
      assertTrue(detail.contains(part), "expected \"" + part + "\" in: " + detail);
    }
    assertTrue(!detail.contains("secret"), detail);
  }

  @Test
  void shouldFailWhenNobodyListens() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (InvokerHarness rig = new InvokerHarness()) {
      WorkflowError error = rig.error(get("http://127.0.0.1:" + port + "/"));
      assertCommunication(error, "expected 127.0.0.1:" + port + " to accept", "refused");
    }
  }

  @Test
  void shouldFailEveryWaitingCallWhenNobodyListens() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (InvokerHarness rig = new InvokerHarness(Map.of("invoker.maxConnectionsPerService", 2))) {
      for (int i = 0; i < 500; i++) {
        rig.invoke(get("http://127.0.0.1:" + port + "/"));
      }
      for (int i = 0; i < 500; i++) {
        assertCommunication(InvokerHarness.errorOf(rig.next().outcome()), "refused");
      }
    }
  }

  @Test
  void shouldFailWhenTheConnectionClosesBeforeTheAnswer() {
    assertCommunication(
        error(conversation -> conversation.readRequest()),
        "to answer GET http://127.0.0.1:",
        "/p, found the connection closed before the answer");
  }

  @Test
  void shouldFailWhenTheConnectionClosesInTheMiddle() {
    assertCommunication(
        error(
            conversation -> {
              conversation.readRequest();
              conversation.send(HALF);
            }),
        "found the connection closed in the middle of the answer");
    assertCommunication(
        error(
            conversation -> {
              conversation.readRequest();
              conversation.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe");
            }),
        "found the connection closed in the middle of the answer");
  }

  @Test
  void shouldFailWhenTheHeadIsCutOff() {
    assertCommunication(
        error(
            conversation -> {
              conversation.readRequest();
              conversation.send("HTTP/1.1 200 OK\r\nContent-");
            }),
        "/p");
  }

  @Test
  void shouldFailOnAResetInTheMiddle() {
    CountDownLatch halfRead = new CountDownLatch(1);
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  conversation.readRequest();
                  conversation.send(HALF);
                  halfRead.await();
                  conversation.reset();
                })) {
      rig.invoke(get(server.uri("/")));
      await().until(() -> rig.awaits().startsWith("the rest"));
      halfRead.countDown();
      assertCommunication(
          InvokerHarness.errorOf(rig.next().outcome()), "in the middle of the answer (", "reset");
    }
  }

  @Test
  void shouldFailOnWhatIsNotHttp() {
    assertCommunication(
        error(
            conversation -> {
              conversation.readRequest();
              conversation.send("220 smtp.example ESMTP\r\n\r\n");
              conversation.awaitClose();
            }),
        "bad answer to GET http://127.0.0.1:",
        "expected an HTTP/1.1 answer");
  }

  @Test
  void shouldFailOnAnEndlessBody() {
    assertCommunication(
        error(
            Map.of("invoker.maxResponseBytes", 100_000),
            conversation -> {
              conversation.readRequest();
              conversation.send("HTTP/1.1 200 OK\r\n\r\n");
              while (true) {
                conversation.send("x".repeat(10_000));
              }
            }),
        "expected at most 100000 bytes of body (invoker.maxResponseBytes), found more");
  }

  @Test
  void shouldFailOnAnEndlessHeader() {
    assertCommunication(
        error(
            conversation -> {
              conversation.readRequest();
              conversation.send("HTTP/1.1 200 OK\r\nX: ");
              while (true) {
                conversation.send("x".repeat(1_000));
              }
            }),
        "expected at most 16384 bytes of header fields (invoker.maxHeaderBytes), found more");
  }

  @Test
  void shouldTimeOutACallThatIsNotAnswered() throws IOException {
    // given a service whose system accepts the connection and whose program never does
    try (InvokerHarness rig = new InvokerHarness(Map.of("invoker.callTimeoutMillis", 1_000));
        ServerSocket silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      rig.invoke(get("http://127.0.0.1:" + silent.getLocalPort() + "/p?key=secret"));
      await().until(() -> rig.awaits().startsWith("the answer"));

      // when
      rig.advance(Duration.ofMillis(999));
      assertEquals(0, rig.unreported());
      rig.advance(Duration.ofMillis(1));

      // then
      WorkflowError error = InvokerHarness.errorOf(rig.next().outcome());
      assertEquals(ErrorType.TIMEOUT.uri(), error.type());
      assertEquals(408, error.status());
      assertEquals(
          "expected GET http://127.0.0.1:"
              + silent.getLocalPort()
              + "/p to end within 1000 ms (invoker.callTimeoutMillis), found it waiting for the"
              + " answer of 127.0.0.1:"
              + silent.getLocalPort(),
          error.detail());
      assertEquals(0, rig.count(Counter.CONNECTIONS));
    }
  }

  @Test
  void shouldFailWhenANameHasNoAddress() {
    try (InvokerHarness rig =
        new InvokerHarness(
            Map.of(),
            null,
            FakeHostResolver.answering(
                (name, family) -> FakeHostResolver.none(new UnknownHostException(name))))) {
      assertCommunication(
          rig.error(get("http://pets.example/")),
          "expected an address for host name pets.example, found none");
    }
  }

  @Test
  void shouldGiveUpOnALookUpAtTheConnectTimeout() {
    // given a look-up that never ends
    CountDownLatch asked = new CountDownLatch(1);
    try (InvokerHarness rig =
        new InvokerHarness(
            Map.of("invoker.connectTimeoutMillis", 50),
            null,
            FakeHostResolver.answering(
                (name, family) -> {
                  asked.countDown();
                  return FakeHostResolver.never();
                }))) {
      rig.invoke(get("http://pets.example:81/"));
      await().until(() -> asked.getCount() == 0);
      assertEquals("a connection to pets.example:81", rig.awaits());

      // when
      rig.cycle();
      assertEquals(50_000_000, rig.untilDeadline());
      rig.advance(Duration.ofMillis(49));
      assertEquals(0, rig.unreported());
      rig.advance(Duration.ofMillis(1));

      // then
      assertCommunication(
          InvokerHarness.errorOf(rig.next().outcome()),
          "expected the name servers to return an address for host name pets.example within 50 ms"
              + " (invoker.connectTimeoutMillis), found them silent: the look-up timed out");
    }
  }

  @Test
  void shouldFindNamesOfTheHostsFile() {
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server = new ScriptedServer(ScriptedServer.answering(json("1")))) {
      assertEquals("1", rig.output(get("http://localhost:" + server.port() + "/")).toString());
    }
  }

  @Test
  void shouldFailOnlyTheCallThatMetTheProblem() {
    try (InvokerHarness rig = new InvokerHarness(Map.of("invoker.maxConnectionsPerService", 1));
        ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  String request = conversation.readRequest();
                  conversation.send(request.startsWith("POST") ? "garbage\r\n\r\n" : json("1"));
                })) {
      int bad = rig.invoke(call("POST", server.uri("/"), null));
      int good = rig.invoke(get(server.uri("/")));
      assertEquals(bad, rig.next().attempt());
      assertEquals(good, rig.next().attempt());
      assertEquals(1, rig.count(Counter.ANSWERED));
      assertEquals(1, rig.count(Counter.FAILED));
    }
  }
}
