package dev.pinion.core.invoker;

import static dev.pinion.core.invoker.InvokerHarness.call;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.invoker.http.ChannelTypes;
import dev.pinion.core.message.Event.CallCompleted;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import java.util.BitSet;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Many calls over few connections, with services that also close and reset:
 *
 * <pre>
 *    4,000 calls ──▶ 8 connections ──▶ echo of the call's number
 * </pre>
 *
 * Expected: each call reported once, and no response given to another call.
 */
class ManyCallsTest {
  private static final int CALLS = 4_000;
  private static final int CONNECTIONS = 8;
  private static final Map<String, Integer> LIMITS =
      Map.of("invoker.maxConnectionsPerService", CONNECTIONS);

  private static void echo(ScriptedServer.Conversation conversation) throws Exception {
    String request = conversation.readRequest();
    while (!request.isEmpty()) {
      conversation.send(ScriptedServer.json(request.substring(request.indexOf("\r\n\r\n") + 4)));
      request = conversation.readRequest();
    }
  }

  private static void shouldReportEachCallOnce(InvokerHarness rig) {
    try (rig;
        ScriptedServer server = new ScriptedServer(ManyCallsTest::echo)) {
      for (int i = 1; i <= CALLS; i++) {
        rig.invoke(call("POST", server.uri("/"), Payload.of(i)));
      }
      BitSet seen = new BitSet();
      for (int i = 0; i < CALLS; i++) {
        CallCompleted done = rig.next();
        assertEquals(
            String.valueOf(done.attempt()), InvokerHarness.outputOf(done.outcome()).toString());
        seen.set(done.attempt());
      }
      assertEquals(CALLS, seen.cardinality());
      assertEquals(0, rig.unreported());
      assertEquals(CALLS, rig.count(Counter.ANSWERED));
      assertEquals(CONNECTIONS, server.connections());
    }
  }

  @Test
  void shouldReportEachCallOnceByNio() {
    shouldReportEachCallOnce(new InvokerHarness(LIMITS));
  }

  @Test
  void shouldReportEachCallOnceByEpoll() {
    assumeTrue(Epoll.isAvailable(), "epoll is not available here");
    shouldReportEachCallOnce(
        new InvokerHarness(LIMITS, null, null, EpollIoHandler.newFactory(), ChannelTypes.epoll()));
  }

  @Test
  void shouldReportEachCallOnceWhenTheServiceMisbehavesAndCallsAreAborted() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int calls = 3_000;
    try (InvokerHarness rig = new InvokerHarness(LIMITS);
        ScriptedServer server = new ScriptedServer(ManyCallsTest::misbehave)) {
      // when
      for (int i = 1; i <= calls; i++) {
        String method = random.nextBoolean() ? "PUT" : "POST";
        int attempt = rig.invoke(call(method, server.uri("/"), Payload.of(i)));
        if (random.nextInt(10) == 0) {
          rig.abort(attempt - random.nextInt(Math.min(attempt, 20)));
        }
      }

      // then
      BitSet seen = new BitSet();
      for (int i = 0; i < calls; i++) {
        CallCompleted done = rig.next();
        if (done.outcome() instanceof CallOutcome.Succeeded succeeded) {
          assertEquals(
              String.valueOf(done.attempt()), succeeded.output().toString(), "seed " + seed);
        }
        assertTrue(!seen.get(done.attempt()), "seed " + seed + ": twice " + done);
        seen.set(done.attempt());
      }
      assertEquals(calls, seen.cardinality(), "seed " + seed);
      assertTrue(server.mostOpen() >= 1);
      assertTrue(rig.count(Counter.ANSWERED) > 0, "seed " + seed);
      assertTrue(rig.count(Counter.ABORTED) > 0, "seed " + seed);
    }
  }

  /** Cuts, garbles, pads or omits every seventh response of a connection. */
  private static void misbehave(ScriptedServer.Conversation conversation) throws Exception {
    String request = conversation.readRequest();
    for (int i = conversation.number(); !request.isEmpty(); i++) {
      String answer = ScriptedServer.json(request.substring(request.indexOf("\r\n\r\n") + 4));
      switch (i % 28) {
        case 7 -> {
          conversation.send(answer.substring(0, answer.length() - 1));
          return;
        }
        case 14 -> conversation.send("garbage\r\n\r\n");
        case 21 -> conversation.send(answer + answer);
        case 27 -> {
          conversation.reset();
          return;
        }
        default -> conversation.send(answer);
      }
      request = conversation.readRequest();
    }
  }
}
