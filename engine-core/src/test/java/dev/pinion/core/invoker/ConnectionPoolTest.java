package dev.pinion.core.invoker;

import static dev.pinion.core.invoker.InvokerHarness.call;
import static dev.pinion.core.invoker.InvokerHarness.get;
import static dev.pinion.core.invoker.ScriptedServer.answering;
import static dev.pinion.core.invoker.ScriptedServer.json;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections: reused, bounded, expired, replaced. */
class ConnectionPoolTest {
  /** Answers one request, then closes on command, while the Invoker keeps the connection. */
  private static ScriptedServer.Script closingOnTheSecondRequest(BlockingQueue<String> requests) {
    return conversation -> {
      requests.add(conversation.readRequest());
      conversation.send(json("" + conversation.number()));
      String second = conversation.readRequest();
      if (!second.isEmpty()) {
        requests.add(second);
        conversation.reset();
      }
    };
  }

  @Test
  void shouldReuseAConnection() {
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server = new ScriptedServer(answering(json("1")))) {
      for (int i = 0; i < 5; i++) {
        rig.output(get(server.uri("/")));
      }
      assertEquals(1, server.connections());
      assertEquals(1, rig.count(Counter.CONNECTIONS));
    }
  }

  @Test
  void shouldServeTheFirstCallOnTheConnectionThatWasOpenedAhead() {
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server = new ScriptedServer(answering(json("1")))) {
      rig.connectAhead(server.uri("/"), server.uri("/the/same/service"));
      assertEquals(1, rig.count(Counter.CONNECTIONS));

      rig.output(get(server.uri("/")));
      assertEquals(1, server.connections());
      assertEquals(1, rig.count(Counter.CONNECTIONS));
    }
  }

  @Test
  void shouldOpenNoMoreConnectionsAheadThanThereMayBe() {
    try (InvokerHarness rig =
            new InvokerHarness(
                Map.of("invoker.maxConnectionsPerService", 1, "invoker.maxConnections", 1));
        ScriptedServer one = new ScriptedServer(answering(json("1")));
        ScriptedServer two = new ScriptedServer(answering(json("2")))) {
      rig.connectAhead(one.uri("/"), two.uri("/"));
      assertEquals(1, rig.count(Counter.CONNECTIONS));

      assertEquals("2", rig.output(get(two.uri("/"))).toString());
      assertEquals("1", rig.output(get(one.uri("/"))).toString());
    }
  }

  @Test
  void shouldLeaveServicesThatCannotBeReachedToTheFirstCall() {
    ScriptedServer gone = new ScriptedServer(answering(json("1")));
    String uri = gone.uri("/");
    gone.close();
    try (InvokerHarness rig = new InvokerHarness()) {
      rig.connectAhead(uri, "ftp://127.0.0.1/");
      assertEquals(0, rig.count(Counter.CONNECTIONS));
      assertEquals(0, rig.services());
      assertEquals(ErrorType.COMMUNICATION.uri(), rig.error(get(uri)).type());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxtra",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
      })
  void shouldNotReuseAConnectionThatCloses(String answer) {
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server = new ScriptedServer(answering(answer))) {
      rig.output(get(server.uri("/")));
      await().until(() -> rig.count(Counter.CONNECTIONS) == 0);
      rig.output(get(server.uri("/")));
      assertEquals(2, server.connections());
      await().until(() -> rig.count(Counter.CONNECTIONS) == 0);
    }
  }

  @Test
  void shouldNotReuseAConnectionOnWhichBytesFollowLater() {
    Semaphore idle = new Semaphore(0);
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  conversation.readRequest();
                  conversation.send(json("1"));
                  idle.acquire();
                  conversation.send("{\"surplus\":1}");
                  conversation.readRequest();
                })) {
      rig.output(get(server.uri("/")));
      idle.release();
      await().until(() -> rig.count(Counter.CONNECTIONS) == 0);

      idle.release();
      assertEquals("1", rig.output(get(server.uri("/"))).toString());
      assertEquals(2, server.connections());
    }
  }

  @Test
  void shouldOpenNoMoreConnectionsThanTheLimitAndServeInOrder() {
    Semaphore answers = new Semaphore(0);
    AtomicInteger requests = new AtomicInteger();
    try (InvokerHarness rig = new InvokerHarness(Map.of("invoker.maxConnectionsPerService", 2));
        ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  while (!conversation.readRequest().isEmpty()) {
                    requests.incrementAndGet();
                    answers.acquire();
                    conversation.send(json("1"));
                  }
                })) {
      // given two calls in progress and three that wait
      for (int i = 0; i < 5; i++) {
        rig.invoke(get(server.uri("/")));
      }
      await().until(() -> requests.get() == 2);
      assertEquals(3, rig.count(Counter.WAITING));
      assertEquals(2, rig.count(Counter.CONNECTIONS));

      // when one at a time is answered
      Set<Integer> reported = new HashSet<>();
      for (int i = 0; i < 5; i++) {
        answers.release();
        reported.add(rig.next().attempt());
      }

      // then
      assertEquals(Set.of(1, 2, 3, 4, 5), reported);
      assertEquals(2, server.connections());
    }
  }

  @Test
  void shouldServeWaitingCallsInTheOrderTheyCame() {
    try (InvokerHarness rig = new InvokerHarness(Map.of("invoker.maxConnectionsPerService", 1));
        ScriptedServer server = new ScriptedServer(answering(json("1")))) {
      for (int i = 0; i < 50; i++) {
        rig.invoke(get(server.uri("/")));
      }
      for (int i = 1; i <= 50; i++) {
        assertEquals(i, rig.next().attempt());
      }
      assertEquals(1, server.connections());
    }
  }

  @Test
  void shouldCloseAConnectionThatIsUnusedForTheLimit() {
    try (InvokerHarness rig = new InvokerHarness(Map.of("invoker.idleTimeoutMillis", 100));
        ScriptedServer server = new ScriptedServer(answering(json("1")))) {
      rig.output(get(server.uri("/")));
      await().until(rig::hasWork);
      rig.cycle();
      assertFalse(rig.hasWork());
      assertEquals(100_000_000, rig.untilDeadline());

      // when
      rig.advance(Duration.ofMillis(99));
      assertEquals(1, rig.count(Counter.CONNECTIONS));
      rig.advance(Duration.ofMillis(1));

      // then
      assertEquals(0, rig.count(Counter.CONNECTIONS));
      assertEquals(0, rig.services());
    }
  }

  @Test
  void shouldForgetAnUnusedConnectionThatTheServiceCloses() {
    CountDownLatch close = new CountDownLatch(1);
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  conversation.readRequest();
                  conversation.send(json("1"));
                  close.await();
                })) {
      rig.output(get(server.uri("/")));
      assertEquals(1, rig.count(Counter.CONNECTIONS));
      close.countDown();
      await().until(() -> rig.count(Counter.CONNECTIONS) == 0);
      assertEquals(0, rig.services());
    }
  }

  @Test
  void shouldCloseAnUnusedConnectionOnWhichSomethingComes() {
    CountDownLatch speak = new CountDownLatch(1);
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  conversation.readRequest();
                  conversation.send(json("1"));
                  speak.await();
                  conversation.send(json("2"));
                  conversation.awaitClose();
                })) {
      rig.output(get(server.uri("/")));
      speak.countDown();
      await().until(() -> rig.count(Counter.CONNECTIONS) == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "PUT", "DELETE", "HEAD", "OPTIONS"})
  void shouldRetryAnIdempotentRequestOnAFreshConnection(String method) {
    BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server = new ScriptedServer(closingOnTheSecondRequest(requests))) {
      rig.output(get(server.uri("/")));

      // when
      CallOutcome outcome = rig.outcome(call(method, server.uri("/again"), null));

      // then
      assertTrue(outcome instanceof CallOutcome.Succeeded, outcome.toString());
      assertEquals(2, server.connections());
      assertEquals(3, requests.size());
      assertEquals(1, rig.count(Counter.RETRIED));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PATCH"})
  void shouldNotRetryAnyOtherRequest(String method) {
    BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server = new ScriptedServer(closingOnTheSecondRequest(requests))) {
      rig.output(get(server.uri("/")));
      WorkflowError error = rig.error(call(method, server.uri("/again"), null));
      assertEquals(ErrorType.COMMUNICATION.uri(), error.type());
      assertEquals(2, requests.size());
      assertEquals(0, rig.count(Counter.RETRIED));
    }
  }

  @Test
  void shouldRetryOnceOnly() {
    AtomicInteger requests = new AtomicInteger();
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  conversation.readRequest();
                  if (requests.incrementAndGet() == 1) {
                    conversation.send(json("1"));
                    conversation.readRequest();
                    requests.incrementAndGet();
                  }
                })) {
      rig.output(get(server.uri("/")));
      WorkflowError error = rig.error(get(server.uri("/")));
      assertTrue(String.valueOf(error.detail()).contains("closed before the answer"));
      assertEquals(3, requests.get());
      assertEquals(1, rig.count(Counter.RETRIED));
    }
  }

  @Test
  void shouldNotRetryOnceAByteOfTheAnswerHasCome() {
    AtomicInteger requests = new AtomicInteger();
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  conversation.readRequest();
                  conversation.send(json("1"));
                  if (!conversation.readRequest().isEmpty()) {
                    requests.incrementAndGet();
                    conversation.send("H");
                  }
                })) {
      rig.output(get(server.uri("/")));
      rig.error(get(server.uri("/")));
      assertEquals(1, requests.get());
      assertEquals(0, rig.count(Counter.RETRIED));
    }
  }

  @Test
  void shouldGiveThePlaceOfTheLongestUnusedConnectionToAnotherService() {
    try (InvokerHarness rig =
            new InvokerHarness(
                Map.of("invoker.maxConnections", 2, "invoker.maxConnectionsPerService", 2));
        ScriptedServer first = new ScriptedServer(answering(json("1")));
        ScriptedServer second = new ScriptedServer(answering(json("2")));
        ScriptedServer third = new ScriptedServer(answering(json("3")))) {
      // given
      rig.output(get(first.uri("/")));
      rig.output(get(second.uri("/")));
      await().until(rig::hasWork);

      // when
      rig.output(get(third.uri("/")));

      // then the first one's connection is closed and the second one's is not
      assertEquals(2, rig.count(Counter.CONNECTIONS));
      assertEquals(2, rig.services());
      rig.output(get(second.uri("/")));
      assertEquals(1, second.connections());
      rig.output(get(first.uri("/")));
      assertEquals(2, first.connections());
    }
  }

  @Test
  void shouldRefuseLimitsWhereOneServiceIsMoreThanAll() {
    Map<String, Integer> limits =
        Map.of("invoker.maxConnections", 7, "invoker.maxConnectionsPerService", 8);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> EngineLimits.defaults().with(limits));
    assertEquals(
        "expected invoker.maxConnectionsPerService (8) to be at most invoker.maxConnections (7)",
        refused.getMessage());
  }

  @Test
  void shouldLetAServiceWithoutConnectionsHaveTheNextOneThatComesFree() {
    Semaphore answers = new Semaphore(0);
    AtomicInteger requests = new AtomicInteger();
    try (InvokerHarness rig =
            new InvokerHarness(
                Map.of("invoker.maxConnections", 1, "invoker.maxConnectionsPerService", 1));
        ScriptedServer busy =
            new ScriptedServer(
                conversation -> {
                  while (!conversation.readRequest().isEmpty()) {
                    requests.incrementAndGet();
                    answers.acquire();
                    conversation.send(json("1"));
                  }
                });
        ScriptedServer other = new ScriptedServer(answering(json("2")))) {
      // given one call in progress, one behind it, and one of a service that has no connection
      rig.invoke(get(busy.uri("/")));
      rig.invoke(get(busy.uri("/")));
      rig.invoke(get(other.uri("/")));
      await().until(() -> requests.get() == 1);
      assertEquals(1, rig.count(Counter.CONNECTIONS));
      assertEquals(2, rig.count(Counter.WAITING));

      // when
      answers.release();

      // then
      assertEquals(1, rig.next().attempt());
      assertEquals(3, rig.next().attempt());
      answers.release();
      assertEquals(2, rig.next().attempt());
    }
  }
}
