package dev.pinion.core.invoker;

import static dev.pinion.core.invoker.InvokerHarness.call;
import static dev.pinion.core.invoker.InvokerHarness.get;
import static dev.pinion.core.invoker.ScriptedServer.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.invoker.http.ChannelTypes;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Field fault 11: a POST that its service has read is sent once, however the kept connection ends.
 * The event loop processes the whole end in one turn, together with its own writes meanwhile.
 */
class ClosedAfterReadingTest {
  private static final HttpCall.HeaderField KEY =
      new HttpCall.HeaderField("Idempotency-Key", "\"k-1\"");

  @TempDir static Path folder;
  private static TestCertificates certificates;

  private final CountDownLatch read = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  /** Ways to end a connection of a service. */
  enum Ending {
    /** By TLS close_notify, if there is TLS, and FIN. */
    ORDERLY {
      @Override
      void of(ScriptedServer.Conversation conversation) throws Exception {
        conversation.endOutput();
        conversation.cutOff();
      }
    },
    ORDERLY_THEN_RESET {
      @Override
      void of(ScriptedServer.Conversation conversation) throws Exception {
        conversation.endOutput();
        conversation.reset();
      }
    },
    CUT_OFF {
      @Override
      void of(ScriptedServer.Conversation conversation) throws Exception {
        conversation.cutOff();
      }
    },
    CUT_OFF_THEN_RESET {
      @Override
      void of(ScriptedServer.Conversation conversation) throws Exception {
        conversation.cutOffOutput();
        conversation.reset();
      }
    },
    RESET {
      @Override
      void of(ScriptedServer.Conversation conversation) throws Exception {
        conversation.reset();
      }
    };

    abstract void of(ScriptedServer.Conversation conversation) throws Exception;
  }

  @BeforeAll
  static void makeCertificates() throws Exception {
    assumeTrue(Epoll.isAvailable());
    certificates = TestCertificates.make(folder, "ip:127.0.0.1");
  }

  @ParameterizedTest
  @CsvSource({
    "TCP, ORDERLY, false",
    "TCP, ORDERLY, true",
    "TCP, ORDERLY_THEN_RESET, true",
    "TCP, RESET, false",
    "TLSv1.2, ORDERLY, false",
    "TLSv1.2, ORDERLY, true",
    "TLSv1.2, ORDERLY_THEN_RESET, true",
    "TLSv1.2, CUT_OFF, true",
    "TLSv1.2, CUT_OFF_THEN_RESET, true",
    "TLSv1.2, RESET, false",
    "TLSv1.3, ORDERLY, true",
    "TLSv1.3, ORDERLY_THEN_RESET, true",
    "TLSv1.3, CUT_OFF, true",
    "TLSv1.3, CUT_OFF_THEN_RESET, true",
    "TLSv1.3, RESET, false",
  })
  void shouldSendOnceWhatWasRead(String protocol, Ending ending, boolean key) throws Exception {
    try (InvokerHarness rig = rig();
        ScriptedServer server =
            server(protocol, conversation -> readThenEnd(conversation, ending))) {
      rig.output(get(server.uri("/")));
      rig.invoke(post(server, key, null));
      assertTrue(read.await(10, TimeUnit.SECONDS));
      rig.onLoop(this::endNow);

      assertInstanceOf(CallOutcome.Failed.class, rig.next().outcome());
      assertEquals(1, server.connections());
      assertEquals(0, rig.count(Counter.RETRIED));
    }
  }

  @Test
  void shouldSendOnceWhatWasReadInPart() throws Exception {
    Payload large = Payload.of("x".repeat(16 << 20));
    try (InvokerHarness rig = rig();
        ScriptedServer server = server("TCP", conversation -> readHeadThenEnd(conversation))) {
      rig.output(get(server.uri("/")));
      rig.invoke(post(server, false, large));
      assertTrue(read.await(10, TimeUnit.SECONDS));
      rig.onLoop(this::endNow);

      assertInstanceOf(CallOutcome.Failed.class, rig.next().outcome());
      assertEquals(1, server.connections());
    }
  }

  @ParameterizedTest
  @CsvSource({"TLSv1.2, ORDERLY", "TLSv1.2, CUT_OFF", "TLSv1.3, ORDERLY", "TLSv1.3, CUT_OFF"})
  void shouldSendAgainWhatWasNotRead(String protocol, Ending ending) throws Exception {
    try (InvokerHarness rig = rig();
        ScriptedServer server =
            server(protocol, conversation -> endThenServe(conversation, ending))) {
      rig.output(get(server.uri("/")));

      // given a close that crosses a request on a recently used connection
      rig.invokeAfter(post(server, false, null), this::endNow);

      assertEquals("2", InvokerHarness.outputOf(rig.next().outcome()).toString());
      assertEquals(1, rig.count(Counter.RETRIED));
    }
  }

  private static InvokerHarness rig() {
    return new InvokerHarness(
        Map.of(), certificates.pem(), null, EpollIoHandler.newFactory(), ChannelTypes.epoll());
  }

  private static ScriptedServer server(String protocol, ScriptedServer.Script script)
      throws Exception {
    return protocol.equals("TCP")
        ? new ScriptedServer(script)
        : certificates.server(script, protocol);
  }

  private static HttpCall post(ScriptedServer server, boolean key, @Nullable Payload body) {
    List<HttpCall.HeaderField> headers = key ? List.of(KEY) : List.of();
    return call("POST", server.uri("/"), headers, body, HttpCall.Output.CONTENT);
  }

  /** Lets the service end the first connection while the event loop is blocked. */
  private boolean endNow() throws InterruptedException {
    end.countDown();
    return ended.await(10, TimeUnit.SECONDS);
  }

  private void readThenEnd(ScriptedServer.Conversation conversation, Ending ending)
      throws Exception {
    conversation.readRequest();
    conversation.send(json("1"));
    conversation.readRequest();
    read.countDown();
    end.await();
    ending.of(conversation);
    ended.countDown();
  }

  private void readHeadThenEnd(ScriptedServer.Conversation conversation) throws Exception {
    conversation.readRequest();
    conversation.send(json("1"));
    conversation.readHead();
    read.countDown();
    end.await();
    conversation.cutOffOutput();
    ended.countDown();
    conversation.awaitClose();
  }

  private void endThenServe(ScriptedServer.Conversation conversation, Ending ending)
      throws Exception {
    conversation.readRequest();
    conversation.send(json("" + conversation.number()));
    if (conversation.number() == 1) {
      end.await();
      ending.of(conversation);
      ended.countDown();
    }
  }
}
