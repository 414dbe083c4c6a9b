package dev.pinion.core.invoker;

import static dev.pinion.core.invoker.InvokerHarness.get;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.interception.MessageBody;
import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.model.call.CallOutcome;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Responses whose listeners look at them before their end. */
class StreamedCallTest {
  private static final String HEAD =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n";

  private final List<String> seen = new CopyOnWriteArrayList<>();

  /** Notes what it sees; has seen enough with a text. */
  private final class Noted implements ServiceCaller.StreamListener {
    private final String enough;

    Noted(String enough) {
      this.enough = enough;
    }

    @Override
    public @Nullable MessageBody content() {
      return null;
    }

    @Override
    public boolean onPart(ServiceResponse soFar) {
      String text = soFar.body().toString(StandardCharsets.UTF_8);
      seen.add("part " + text);
      return text.endsWith(enough);
    }

    @Override
    public boolean onResponse(ServiceResponse answer) {
      seen.add("whole " + answer.body().toString(StandardCharsets.UTF_8));
      return true;
    }

    @Override
    public void onOutcome(CallOutcome outcome) {
      seen.add("outcome");
    }
  }

  @Test
  void shouldCloseTheConnectionOnceEnoughWasSeen() throws InterruptedException {
    CountDownLatch closed = new CountDownLatch(1);
    try (ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  conversation.readRequest();
                  conversation.send(HEAD + "1\r\na\r\n");
                  await().until(() -> seen.contains("part a"));
                  conversation.send("1\r\nb\r\n");
                  assertEquals("", conversation.readRequest());
                  closed.countDown();
                });
        InvokerHarness harness = new InvokerHarness()) {
      harness.begin(get(server.uri("/")), new Noted("b"));

      closed.await();
      assertEquals(List.of("part a", "part ab"), seen);
      await().until(() -> harness.count(Counter.CONNECTIONS) == 0);
    }
  }

  @Test
  void shouldOfferTheWholeResponseToo() {
    try (ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  conversation.readRequest();
                  conversation.send(HEAD + "1\r\na\r\n");
                  await().until(() -> seen.contains("part a"));
                  conversation.send("0\r\n\r\n");
                  conversation.readRequest();
                });
        InvokerHarness harness = new InvokerHarness()) {
      harness.begin(get(server.uri("/")), new Noted("z"));

      await().until(() -> seen.contains("whole a"));
      assertEquals(List.of("part a", "whole a"), seen);
    }
  }

  @Test
  void shouldFailWhenTheResponseBreaks() {
    try (ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  conversation.readRequest();
                  conversation.send(HEAD + "1\r\na\r\n");
                });
        InvokerHarness harness = new InvokerHarness()) {
      harness.begin(get(server.uri("/")), new Noted("z"));

      await().until(() -> seen.contains("outcome"));
      assertTrue(seen.size() <= 2, seen::toString);
    }
  }
}
