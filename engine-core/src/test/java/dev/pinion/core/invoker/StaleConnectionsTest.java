package dev.pinion.core.invoker;

import static dev.pinion.core.invoker.InvokerHarness.call;
import static dev.pinion.core.invoker.InvokerHarness.get;
import static dev.pinion.core.invoker.ScriptedServer.answering;
import static dev.pinion.core.invoker.ScriptedServer.json;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.HttpCall;
import io.netty.channel.epoll.Epoll;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Field fault 11: a kept-alive connection that the server had just closed failed a POST. On epoll,
 * because it needs the operating system's state of connections.
 */
class StaleConnectionsTest {
  private static final HttpCall.HeaderField KEY =
      new HttpCall.HeaderField("Idempotency-Key", "\"k-1\"");

  private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
  private final CountDownLatch close = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);

  @BeforeAll
  static void needEpoll() {
    assumeTrue(Epoll.isAvailable());
  }

  private static HttpCall post(String uri, HttpCall.HeaderField... headers) {
    return call("POST", uri, List.of(headers), null, HttpCall.Output.CONTENT);
  }

  /** Answers one request of its first connection and closes that on command; serves all others. */
  private void closingTheFirst(ScriptedServer.Conversation conversation) throws Exception {
    if (conversation.number() > 1) {
      while (true) {
        requests.add(conversation.readRequest());
        conversation.send(json("" + conversation.number()));
      }
    }
    requests.add(conversation.readRequest());
    conversation.send(json("1"));
    close.await();
    conversation.cutOff();
    closed.countDown();
  }

  private Void closeFirst() throws InterruptedException {
    close.countDown();
    closed.await();
    return null;
  }

  @Test
  void shouldLookAtAConnectionBeforeItIsLent() {
    try (InvokerHarness rig = InvokerHarness.onEpoll(Map.of());
        ScriptedServer server = new ScriptedServer(this::closingTheFirst)) {
      rig.output(get(server.uri("/")));
      rig.cycle(); // idle from here on
      rig.advance(Duration.ofMillis(10));

      // given a close that the event loop has not noticed
      rig.invokeAfter(post(server.uri("/")), this::closeFirst);

      assertEquals("2", InvokerHarness.outputOf(rig.next().outcome()).toString());
      assertEquals(2, requests.size());
      assertEquals(0, rig.count(Counter.RETRIED), "found closed before anything was sent");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "PATCH"})
  void shouldSendAgainWhatTheServiceHadClosedBefore(String method) {
    try (InvokerHarness rig = InvokerHarness.onEpoll(Map.of());
        ScriptedServer server = new ScriptedServer(this::closingTheFirst)) {
      rig.output(get(server.uri("/")));

      // given a close that crosses the request of a recently used connection
      rig.invokeAfter(call(method, server.uri("/"), null), this::closeFirst);

      assertEquals("2", InvokerHarness.outputOf(rig.next().outcome()).toString());
      assertEquals(2, requests.size(), "read once");
      assertEquals(1, rig.count(Counter.RETRIED));
    }
  }

  /** The second definition of field case 19, which expects one request, whatever its key. */
  @Test
  void shouldNotSendAgainWhatTheServiceHasRead() {
    try (InvokerHarness rig = InvokerHarness.onEpoll(Map.of());
        ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  requests.add(conversation.readRequest());
                  conversation.send(json("1"));
                  requests.add(conversation.readRequest()); // and closes without an answer
                })) {
      rig.output(get(server.uri("/")));
      WorkflowError error = rig.error(post(server.uri("/"), KEY));

      assertEquals(ErrorType.COMMUNICATION.uri(), error.type());
      assertTrue(String.valueOf(error.detail()).contains("closed before the answer"));
      assertEquals(2, requests.size());
      assertEquals(1, server.connections());
      assertEquals(0, rig.count(Counter.RETRIED));
    }
  }

  @Test
  void shouldSendAgainUnderItsKeyWhatMetAReset() {
    try (InvokerHarness rig = InvokerHarness.onEpoll(Map.of());
        ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  requests.add(conversation.readRequest());
                  conversation.send(json("" + conversation.number()));
                  String second = conversation.readRequest();
                  if (!second.isEmpty()) {
                    requests.add(second);
                    conversation.reset();
                  }
                })) {
      rig.output(get(server.uri("/")));
      assertEquals("2", rig.output(post(server.uri("/"), KEY)).toString());

      assertEquals(1, rig.count(Counter.RETRIED));
      List<String> posts = requests.stream().filter(each -> each.startsWith("POST")).toList();
      assertEquals(2, posts.size());
      assertEquals(posts.get(0), posts.get(1), "the same request, under its key");
      assertTrue(posts.get(0).contains("Idempotency-Key: \"k-1\""), posts.get(0));
    }
  }

  @Test
  void shouldNotSendAgainOnAFreshConnection() {
    try (InvokerHarness rig = InvokerHarness.onEpoll(Map.of());
        ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  requests.add(conversation.readRequest());
                  conversation.reset();
                })) {
      rig.error(post(server.uri("/"), KEY));
      assertEquals(1, requests.size());
      assertEquals(0, rig.count(Counter.RETRIED));
    }
  }

  @ParameterizedTest
  @CsvSource({"timeout=1, 500", "timeout=5, 4000", "'max=9, timeout=60', 30000", "max=9, 30000"})
  void shouldCloseAConnectionBeforeItsServiceDoes(String field, int millis) {
    String answer = "HTTP/1.1 200 OK\r\nKeep-Alive: " + field + "\r\nContent-Length: 0\r\n\r\n";
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server = new ScriptedServer(answering(answer))) {
      rig.output(get(server.uri("/")));
      await().until(rig::hasWork);
      rig.cycle();
      assertEquals(Duration.ofMillis(millis).toNanos(), rig.untilDeadline());
      rig.advance(Duration.ofMillis(millis - 1));
      assertEquals(1, rig.count(Counter.CONNECTIONS));
      rig.advance(Duration.ofMillis(1));
      assertEquals(0, rig.count(Counter.CONNECTIONS));
    }
  }

  @Test
  void shouldNotKeepAConnectionThatItsServiceKeepsForNoTime() {
    String answer = "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=0\r\nContent-Length: 0\r\n\r\n";
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server = new ScriptedServer(answering(answer))) {
      for (int i = 1; i <= 3; i++) {
        rig.output(get(server.uri("/")));
        assertEquals(i, server.connections());
        rig.cycle();
      }
    }
  }

  @Test // Field fault 12: connections lived for ever
  void shouldRenewAConnectionThatIsInUseAllTheTime() {
    try (InvokerHarness rig = new InvokerHarness(Map.of("invoker.connectionAgeMillis", 60_000));
        ScriptedServer server = new ScriptedServer(answering(json("1")))) {
      int seconds = 0;
      while (server.connections() < 2) {
        rig.output(get(server.uri("/")));
        rig.advance(Duration.ofSeconds(1));
        seconds++;
      }
      assertTrue(seconds > 45 && seconds <= 62, "renewed after " + seconds + " s");
    }
  }
}
