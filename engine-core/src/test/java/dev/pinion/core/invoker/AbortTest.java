package dev.pinion.core.invoker;

import static dev.pinion.core.invoker.InvokerHarness.call;
import static dev.pinion.core.invoker.InvokerHarness.get;
import static dev.pinion.core.invoker.ScriptedServer.answering;
import static dev.pinion.core.invoker.ScriptedServer.json;
import static java.util.stream.Collectors.toSet;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.message.Event.CallCompleted;
import dev.pinion.core.model.call.CallOutcome;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Aborts in every phase of a call: each is reported once, and the next call works. */
class AbortTest {
  private static void assertAborted(InvokerHarness rig, int attempt) {
    CallCompleted done = rig.next();
    assertEquals(attempt, done.attempt());
    assertEquals(CallOutcome.Aborted.INSTANCE, done.outcome());
    rig.cycle();
    assertEquals(0, rig.unreported());
    assertEquals(1, rig.count(Counter.ABORTED));
  }

  @Test
  void shouldAbortACallThatWaitsForAConnection() {
    CountDownLatch answer = new CountDownLatch(1);
    AtomicInteger requests = new AtomicInteger();
    try (InvokerHarness rig = new InvokerHarness(Map.of("invoker.maxConnectionsPerService", 1));
        ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  while (!conversation.readRequest().isEmpty()) {
                    requests.incrementAndGet();
                    answer.await();
                    conversation.send(json("1"));
                  }
                })) {
      // given
      rig.invoke(get(server.uri("/")));
      int waiting = rig.invoke(get(server.uri("/")));
      int behind = rig.invoke(get(server.uri("/")));
      await().until(() -> rig.count(Counter.WAITING) == 2 && requests.get() == 1);

      // when
      rig.abort(waiting);

      // then
      assertAborted(rig, waiting);
      assertEquals(1, rig.count(Counter.WAITING));
      answer.countDown();
      assertEquals(1, rig.next().attempt());
      assertEquals(behind, rig.next().attempt());
      assertEquals(2, requests.get());
      assertEquals(1, server.connections());
    }
  }

  @Test
  void shouldAbortACallWhoseConnectionIsBeingEstablished() {
    // given a service that accepts and never shakes hands
    CountDownLatch accepted = new CountDownLatch(1);
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  accepted.countDown();
                  conversation.awaitClose();
                })) {
      int attempt = rig.invoke(get("https://" + server.authority() + "/"));
      await().until(() -> accepted.getCount() == 0);
      assertEquals("a connection to " + server.authority(), rig.awaits());

      // when
      rig.abort(attempt);

      // then
      assertAborted(rig, attempt);
      assertEquals(0, rig.count(Counter.WAITING));
    }
  }

  @Test
  void shouldAbortACallWhoseRequestWasSent() throws InterruptedException {
    CountDownLatch closed = new CountDownLatch(1);
    CountDownLatch received = new CountDownLatch(1);
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  conversation.readRequest();
                  received.countDown();
                  conversation.awaitClose();
                  closed.countDown();
                })) {
      int attempt = rig.invoke(get(server.uri("/")));
      assertTrue(received.await(20, TimeUnit.SECONDS));

      // when
      rig.abort(attempt);

      // then
      assertAborted(rig, attempt);
      assertTrue(closed.await(20, TimeUnit.SECONDS), "the service sees the connection close");
      assertEquals(0, rig.count(Counter.CONNECTIONS));
    }
  }

  @Test
  void shouldAbortACallWhoseAnswerIsHalfReadAndIgnoreTheRest() throws InterruptedException {
    CountDownLatch aborted = new CountDownLatch(1);
    CountDownLatch rest = new CountDownLatch(1);
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  String request = conversation.readRequest();
                  if (request.startsWith("GET /whole")) {
                    conversation.send(json("2"));
                    conversation.awaitClose();
                    return;
                  }
                  String answer = json("[1, 2, 3]");
                  conversation.send(answer.substring(0, answer.length() - 4));
                  aborted.await();
                  try {
                    conversation.send(answer.substring(answer.length() - 4));
                  } finally {
                    rest.countDown();
                  }
                })) {
      int attempt = rig.invoke(get(server.uri("/half")));
      await().until(() -> rig.awaits().startsWith("the rest of the answer"));

      // when
      rig.abort(attempt);

      // then
      assertAborted(rig, attempt);
      aborted.countDown();
      assertTrue(rest.await(20, TimeUnit.SECONDS));
      assertEquals("2", rig.output(get(server.uri("/whole"))).toString());
      assertEquals(0, rig.unreported());
    }
  }

  @Test
  void shouldIgnoreAnAbortOfACallThatWasAnswered() {
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server = new ScriptedServer(answering(json("1")))) {
      int attempt = rig.invoke(get(server.uri("/")));
      assertEquals(attempt, rig.next().attempt());
      rig.abort(attempt);
      await().until(() -> rig.count(Counter.ABORTS_IGNORED) == 1);
      assertEquals(0, rig.unreported());
      rig.output(get(server.uri("/")));
      assertEquals(1, server.connections());
    }
  }

  @Test
  void shouldGiveTheConnectionOfAnAbortedRetryToWhoeverWaits() {
    // given a kept connection that breaks, and a fresh one that is slow to be established
    CountDownLatch broken = new CountDownLatch(1);
    try (InvokerHarness rig = new InvokerHarness(Map.of("invoker.maxConnectionsPerService", 1));
        ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  conversation.readRequest();
                  conversation.send(json("1"));
                  if (conversation.number() == 1) {
                    conversation.readRequest();
                    broken.await();
                    return;
                  }
                  while (!conversation.readRequest().isEmpty()) { // the retry may be answered, too
                    conversation.send(json("1"));
                  }
                })) {
      rig.output(get(server.uri("/")));
      int retried = rig.invoke(get(server.uri("/")));
      int waiting = rig.invoke(call("POST", server.uri("/"), null));
      await().until(() -> rig.count(Counter.WAITING) == 1);

      // when
      broken.countDown();
      rig.abort(retried);

      // then whether the abort came before or after the retry, both are reported and served
      assertEquals(
          Set.of(retried, waiting),
          Stream.of(rig.next(), rig.next()).map(CallCompleted::attempt).collect(toSet()));
    }
  }

  @Test
  void shouldFailEveryCallUnderWayWhenTheStageCloses() {
    AtomicInteger requests = new AtomicInteger();
    try (InvokerHarness rig = new InvokerHarness(Map.of("invoker.maxConnectionsPerService", 2));
        ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  conversation.readRequest();
                  requests.incrementAndGet();
                  conversation.awaitClose();
                })) {
      for (int i = 0; i < 4; i++) {
        rig.invoke(get(server.uri("/")));
      }
      rig.invoke(get("https://" + server.authority() + "/"));
      await().until(() -> requests.get() >= 2);
      rig.stop();
      for (int i = 0; i < 5; i++) {
        assertEquals(
            "the engine stopped before the call ended",
            InvokerHarness.errorOf(rig.next().outcome()).detail());
      }
      assertEquals(0, rig.count(Counter.CONNECTIONS));
    }
  }
}
