package dev.pinion.core.invoker.http;

import static dev.pinion.core.invoker.InvokerHarness.get;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.invoker.InvokerHarness;
import dev.pinion.core.invoker.ScriptedServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Field fault 1: responses of services that come at once do not fill the memory. */
class ResponseBudgetTest {
  private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: ";
  private static final int HALF_BYTES = 2_000;
  private static final String HALF = "x".repeat(HALF_BYTES);
  private static final String BEGIN = HEAD + 2 * HALF_BYTES + "\r\n\r\n" + HALF;

  private final CountDownLatch rest = new CountDownLatch(1);

  private void answer(ScriptedServer.Conversation conversation) throws IOException {
    conversation.readRequest();
    conversation.send(HEAD + "4\r\n\r\nlate");
    conversation.awaitClose();
  }

  private void answerInHalves(ScriptedServer.Conversation conversation) throws Exception {
    conversation.readRequest();
    conversation.send(BEGIN);
    rest.await();
    conversation.send(HALF);
    conversation.awaitClose();
  }

  @Test
  void shouldMakeNoValuesWhileTheHeapIsFull() {
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server = new ScriptedServer(this::answer)) {
      rig.heapHasRoom(false);
      int first = rig.invoke(get(server.uri("/first")));
      await().until(() -> rig.awaits().startsWith("room for the answer of"));
      rig.invoke(get(server.uri("/second")));
      await().until(() -> rig.awaits().startsWith("room for the answer of"));
      rig.cycle();
      assertEquals(0, rig.unreported());

      rig.heapHasRoom(true);
      rig.cycle();
      assertEquals(first, rig.next().attempt(), "in the order of coming");
      assertEquals("\"bGF0ZQ==\"", InvokerHarness.outputOf(rig.next().outcome()).toString());
    }
  }

  @Test
  void shouldNotTakeAnAnswerThatWaitsForALateOne() {
    try (InvokerHarness rig = new InvokerHarness(Map.of("invoker.callTimeoutMillis", 1_000));
        ScriptedServer server = new ScriptedServer(this::answer)) {
      rig.heapHasRoom(false);
      rig.invoke(get(server.uri("/")));
      await().until(() -> rig.awaits().startsWith("room for the answer of"));
      for (int i = 0; i < 5; i++) {
        rig.advance(Duration.ofMillis(1_500));
      }
      assertEquals(0, rig.unreported());

      rig.heapHasRoom(true);
      rig.cycle();
      assertEquals("\"bGF0ZQ==\"", InvokerHarness.outputOf(rig.next().outcome()).toString());
    }
  }

  @Test
  void shouldReadOneAnswerOnWhenTooMuchIsHeld() {
    try (InvokerHarness rig = new InvokerHarness(Map.of("invoker.maxBufferedBytes", HALF_BYTES));
        ScriptedServer server = new ScriptedServer(this::answerInHalves)) {
      int first = rig.invoke(get(server.uri("/first")));
      await().until(() -> rig.awaits().startsWith("the rest of"));
      int second = rig.invoke(get(server.uri("/second")));
      await().until(() -> rig.awaits().startsWith("room for the answer of"));
      assertEquals(0, rig.unreported());

      rest.countDown();
      assertEquals(first, rig.next().attempt(), "the oldest is read on");
      assertEquals(second, rig.next().attempt());
    }
  }

  @Test
  void shouldGoOnWhenTheOneThatWasReadIsGivenUp() {
    try (InvokerHarness rig = new InvokerHarness(Map.of("invoker.maxBufferedBytes", HALF_BYTES));
        ScriptedServer server = new ScriptedServer(this::answerInHalves)) {
      int first = rig.invoke(get(server.uri("/first")));
      await().until(() -> rig.awaits().startsWith("the rest of"));
      int second = rig.invoke(get(server.uri("/second")));
      await().until(() -> rig.awaits().startsWith("room for the answer of"));

      rig.abort(first);
      assertEquals(first, rig.next().attempt());
      assertTrue(rig.awaits().startsWith("the rest of"), rig.awaits());
      rest.countDown();
      assertEquals(second, rig.next().attempt());
    }
  }
}
