package dev.pinion.core.api;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.api.RawHttpClient.HttpReply;
import dev.pinion.core.api.port.HistoryAccess;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.Tags;
import dev.pinion.core.spi.History;
import dev.pinion.core.spi.HistoryUnavailableException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Field fault 18: long polls of instances that are forgotten, watched by many, or given up. */
class LongPollTest {
  private static final String PATH = "/v1/instances/" + FakeKernels.ID;
  private static final String START = "/v1/namespaces/test/definitions/echo/instances";
  private static final String KNOWN = "Prefer: wait=2\r\nIf-None-Match: \"5-waiting\"\r\n";

  /** A history with one ended instance, under its own sequence number. */
  private static class OneEnded implements History {
    @Override
    public HistoryPage events(InstanceId id, long after, int limit)
        throws HistoryUnavailableException {
      throw new HistoryUnavailableException("not asked for");
    }

    @Override
    public HistoryPage instances(Search search) throws HistoryUnavailableException {
      throw new HistoryUnavailableException("not asked for");
    }

    @Override
    public @Nullable InstanceView ended(InstanceId id) {
      long now = System.currentTimeMillis();
      return id.equals(FakeKernels.ID) ? completed(now, 3L << 24) : null;
    }
  }

  private static InstanceView completed(long endedAt, long sequence) {
    return new InstanceView(
        FakeKernels.ID,
        FakeDefinitionCatalog.KEY,
        InstanceState.COMPLETED,
        FakeKernels.STARTED,
        endedAt,
        sequence,
        Payload.of("done"),
        null,
        Tags.NONE);
  }

  private static Reply.InstanceFound found(InstanceState state) {
    return new Reply.InstanceFound(FakeKernels.view(FakeKernels.ID, state, null));
  }

  private static RequestHandlerServer servedWith(History history) {
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.history = new HistoryAccess(history, Runnable::run);
    return new RequestHandlerServer(options);
  }

  /** Answers every question by a function of it. */
  private static void script(
      RequestHandlerServer requestHandlerServer, Function<Query, Reply> answer) {
    requestHandlerServer.kernels.script =
        message -> {
          Query.InstanceQuery query = (Query.InstanceQuery) message;
          ReplyAddress<?> replyTo =
              switch (query) {
                case Query.GetInstance get -> get.replyTo();
                case Query.WatchInstance watch -> watch.replyTo();
                case Query.StopWaiting _ -> null; // has no reply
              };
          if (replyTo != null) {
            requestHandlerServer.kernels.reply(replyTo, answer.apply(query));
          }
        };
  }

  @Test
  void shouldAskTheHistoryForWhatTheKernelDoesNotKnow() throws Exception {
    try (RequestHandlerServer requestHandlerServer = servedWith(new OneEnded());
        RawHttpClient client = requestHandlerServer.client()) {
      script(requestHandlerServer, _ -> new Reply.Evicted(FakeKernels.ID, false));
      HttpReply forgotten = client.ask("GET", PATH, KNOWN, "");
      assertEquals(200, forgotten.status());
      assertTrue(forgotten.body().contains("\"output\":\"done\""), forgotten.body());
      script(requestHandlerServer, _ -> new Reply.NotFound());
      assertEquals(200, client.ask("GET", PATH, KNOWN, "").status());
    }
  }

  @Test
  void shouldTellThatAnInstanceIsForgotten() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      script(requestHandlerServer, _ -> new Reply.Evicted(FakeKernels.ID, false));
      assertEquals(410, client.ask("GET", PATH, KNOWN, "").status());
      script(requestHandlerServer, _ -> new Reply.NotFound());
      assertEquals(404, client.ask("GET", PATH, KNOWN, "").status());
    }
  }

  /** The kernel and the history number events differently. */
  @Test
  void shouldKeepTheTagOfAnEndedInstanceThatItsKernelForgets() throws Exception {
    long ended = System.currentTimeMillis();
    History history =
        new OneEnded() {
          @Override
          public InstanceView ended(InstanceId id) {
            return completed(ended, 3L << 24);
          }
        };
    try (RequestHandlerServer requestHandlerServer = servedWith(history);
        RawHttpClient client = requestHandlerServer.client()) {
      script(requestHandlerServer, _ -> new Reply.InstanceFound(completed(ended, 5)));
      String tag = client.get(PATH).header("etag");
      script(requestHandlerServer, _ -> new Reply.Evicted(FakeKernels.ID, false));
      assertEquals(304, client.ask("GET", PATH, "If-None-Match: " + tag + "\r\n", "").status());
    }
  }

  /** Beyond {@code instance.maxWaiters} the kernel answers a watch at once. */
  @Test
  void shouldNotWatchAgainWhatCannotBeWatched() throws Exception {
    AtomicInteger questions = new AtomicInteger();
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      script(
          requestHandlerServer,
          _ -> {
            questions.incrementAndGet();
            return found(InstanceState.WAITING);
          });
      assertEquals(304, client.ask("GET", PATH, KNOWN, "").status());
      assertEquals(2, questions.get(), "one look, one watch");
    }
  }

  @Test
  void shouldWatchOnWhereSeveralViewsAreKnown() throws Exception {
    String both = "Prefer: wait=2\r\nIf-None-Match: \"5-waiting\", \"5-running\"\r\n";
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      client.send(RawHttpClient.request("GET", PATH, both, new byte[0]));
      Query.GetInstance look = requestHandlerServer.kernels.next(Query.GetInstance.class);
      requestHandlerServer.kernels.reply(look.replyTo(), found(InstanceState.WAITING));
      Query.WatchInstance first = requestHandlerServer.kernels.next(Query.WatchInstance.class);
      requestHandlerServer.kernels.reply(first.replyTo(), found(InstanceState.RUNNING));
      Query.WatchInstance second = requestHandlerServer.kernels.next(Query.WatchInstance.class);
      assertEquals(InstanceState.RUNNING, second.state());
      requestHandlerServer.kernels.reply(second.replyTo(), found(InstanceState.SUSPENDED));
      assertEquals(200, client.read().status());
      assertEquals(
          0, requestHandlerServer.kernels.messages.size(), "a watch that was answered is over");
    }
  }

  /** Otherwise the kernel keeps them until the instance changes, and they fill its waiters. */
  @ParameterizedTest
  @ValueSource(strings = {KNOWN, "Prefer: wait=2\r\n"})
  void shouldEndTheWaitInTheKernelWhenAClientGoes(String fields) throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      client.send(RawHttpClient.request("GET", PATH, fields, new byte[0]));
      ReplyAddress<?> waiter = requestHandlerServer.kernels.next(Query.GetInstance.class).replyTo();
      if (fields.equals(KNOWN)) {
        requestHandlerServer.kernels.reply(waiter, found(InstanceState.WAITING));
        waiter = requestHandlerServer.kernels.next(Query.WatchInstance.class).replyTo();
      }
      client.hangUp();
      assertEquals(waiter, requestHandlerServer.kernels.next(Query.StopWaiting.class).waiter());
    }
  }

  @Test
  void shouldEndTheWaitOfAStartWhenItsTimeIsUp() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      client.send(RawHttpClient.request("POST", START, "Prefer: wait=1\r\n", new byte[0]));
      Command.Start start = requestHandlerServer.kernels.next(Command.Start.class);
      requestHandlerServer.kernels.reply(
          start.replyTo(), new Reply.Accepted(FakeKernels.ID, FakeDefinitionCatalog.KEY));
      await()
          .until(
              () ->
                  requestHandlerServer.onLoop(
                          () -> requestHandlerServer.handler.context().pending().earliestNanos())
                      < Long.MAX_VALUE);
      requestHandlerServer.pass(Duration.ofSeconds(2));
      assertEquals(202, client.read().status());
      Query.StopWaiting last = requestHandlerServer.kernels.next(Query.StopWaiting.class);
      assertEquals(start.replyTo(), last.waiter());
    }
  }

  @Test
  void shouldEndTheWaitInTheKernelOnceWhenTheTimeIsUp() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      client.send(RawHttpClient.request("GET", PATH, KNOWN, new byte[0]));
      Query.GetInstance look = requestHandlerServer.kernels.next(Query.GetInstance.class);
      requestHandlerServer.kernels.reply(look.replyTo(), found(InstanceState.WAITING));
      requestHandlerServer.kernels.next(Query.WatchInstance.class);
      await()
          .until(
              () ->
                  requestHandlerServer.onLoop(
                          () -> requestHandlerServer.handler.context().pending().earliestNanos())
                      < Long.MAX_VALUE);
      requestHandlerServer.pass(Duration.ofSeconds(3));
      Query.GetInstance last = requestHandlerServer.kernels.next(Query.GetInstance.class);
      requestHandlerServer.kernels.reply(last.replyTo(), found(InstanceState.WAITING));
      assertEquals(304, client.read().status());
      assertEquals(0, requestHandlerServer.kernels.messages.size());
    }
  }
}
