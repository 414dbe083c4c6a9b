package dev.pinion.core.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.api.RawHttpClient.HttpReply;
import dev.pinion.core.api.port.HistoryAccess;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.KernelMessage;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.Tags;
import dev.pinion.core.spi.History;
import dev.pinion.core.spi.HistoryUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Field fault 4: requests about instances that their kernel does not keep, or not any more. */
class HistoryLookupTest {
  private static final String PATH = "/v1/instances/" + FakeKernels.ID;
  private static final List<String> WISHES =
      List.of("/cancellation", "/suspension", "/resumption", "/retry", "/rerun");

  /** The reply of a kernel for an instance that it does not keep. */
  enum Missing {
    /** As after a restart. */
    NOT_FOUND,
    FORGOTTEN;

    private Reply replyTo(KernelMessage message) {
      boolean revives = message instanceof Command.Retry || message instanceof Command.Rerun;
      return switch (this) {
        case FORGOTTEN -> new Reply.Evicted(FakeKernels.ID, false);
        case NOT_FOUND ->
            revives
                ? new Reply.StateConflict(FakeKernels.ID, null, "an instance that has ended")
                : new Reply.NotFound();
      };
    }

    /** The status where there is no history. */
    private int status() {
      return this == FORGOTTEN ? 410 : 404;
    }
  }

  /** A history with one instance. */
  private record OneInstance(@Nullable InstanceView ended) implements History {
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
    public @Nullable InstanceView ended(InstanceId id) throws HistoryUnavailableException {
      return id.equals(FakeKernels.ID) ? ended : null;
    }

    @Override
    public boolean knows(InstanceId id) {
      return id.equals(FakeKernels.ID);
    }

    @Override
    public boolean lacksEnd(InstanceId id) {
      return ended == null && knows(id);
    }
  }

  /** A history that has not reached the end of any instance. */
  private static final class Behind implements History {
    @Override
    public HistoryPage events(InstanceId id, long after, int limit)
        throws HistoryUnavailableException {
      throw new HistoryUnavailableException("7 records behind");
    }

    @Override
    public HistoryPage instances(Search search) throws HistoryUnavailableException {
      throw new HistoryUnavailableException("7 records behind");
    }

    @Override
    public @Nullable InstanceView ended(InstanceId id) throws HistoryUnavailableException {
      throw new HistoryUnavailableException("7 records behind");
    }
  }

  private static OneInstance ended(InstanceState state, Duration ago) {
    long at = System.currentTimeMillis() - ago.toMillis();
    WorkflowError error =
        state == InstanceState.FAULTED
            ? WorkflowError.of(ErrorType.COMMUNICATION, "no answer").at("/do/0/call")
            : null;
    Payload output = state == InstanceState.COMPLETED ? Payload.of("done") : null;
    return new OneInstance(
        new InstanceView(
            FakeKernels.ID,
            FakeDefinitionCatalog.KEY,
            state,
            FakeKernels.STARTED,
            at,
            5,
            output,
            error,
            Tags.NONE));
  }

  private static RequestHandlerServer served(HistoryAccess history, Missing missing) {
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.history = history;
    RequestHandlerServer requestHandlerServer = new RequestHandlerServer(options);
    requestHandlerServer.kernels.script =
        message ->
            requestHandlerServer.kernels.reply(replyAddress(message), missing.replyTo(message));
    return requestHandlerServer;
  }

  private static RequestHandlerServer served(History history, Missing missing) {
    return served(new HistoryAccess(history, Runnable::run), missing);
  }

  private static ReplyAddress<?> replyAddress(KernelMessage message) {
    return Objects.requireNonNull(
        switch (message) {
          case Command.InstanceControl instanceControl -> instanceControl.replyTo();
          case Command.Retry retry -> retry.replyTo();
          case Command.Rerun rerun -> rerun.replyTo();
          case Query.GetInstance get -> get.replyTo();
          case Query.WatchInstance watch -> watch.replyTo();
          default -> throw new AssertionError("not expected: " + message);
        });
  }

  @ParameterizedTest
  @EnumSource
  void shouldCancelOnceAndAgainWhateverItsKernelKeeps(Missing missing) throws Exception {
    try (RequestHandlerServer requestHandlerServer =
            served(ended(InstanceState.CANCELLED, Duration.ZERO), missing);
        RawHttpClient client = requestHandlerServer.client()) {
      HttpReply cancelled = client.ask("POST", PATH + "/cancellation", "", "");
      assertEquals(202, cancelled.status());
      assertEquals(PATH, cancelled.header("location"));
      assertTrue(cancelled.body().contains("\"state\":\"CANCELLED\""), cancelled.body());
      for (String wish : List.of("/suspension", "/resumption", "/retry")) {
        assertRefused(client, wish, 409, "\"state\":\"CANCELLED\"");
      }
    }
  }

  private static void assertRefused(RawHttpClient client, String wish, int status, String part)
      throws Exception {
    HttpReply reply = client.ask("POST", PATH + wish, "", "");
    assertEquals(status, reply.status(), () -> wish + " " + reply.body());
    assertTrue(reply.body().contains(part), reply.body());
  }

  @ParameterizedTest
  @EnumSource
  void shouldSayOfAFaultThatItsStateIsGone(Missing missing) throws Exception {
    try (RequestHandlerServer requestHandlerServer =
            served(ended(InstanceState.FAULTED, Duration.ZERO), missing);
        RawHttpClient client = requestHandlerServer.client()) {
      assertRefused(client, "/retry", 410, "rerun it instead");
      assertRefused(client, "/cancellation", 409, "\"state\":\"FAULTED\"");
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldSayThatItIsUnknownAsLongAsTheHistoryIsBehind(Missing missing) throws Exception {
    try (RequestHandlerServer requestHandlerServer = served(new Behind(), missing);
        RawHttpClient client = requestHandlerServer.client()) {
      for (String wish : WISHES) {
        assertRefused(client, wish, 503, "7 records behind");
      }
      for (String look : List.of("", "/output", "/events")) {
        HttpReply reply = client.get(PATH + look);
        assertEquals(503, reply.status(), look);
        assertEquals("5", reply.header("retry-after"));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldSayThatWhatBecameOfItIsNotKnown(Missing missing) throws Exception {
    try (RequestHandlerServer requestHandlerServer = served(new OneInstance(null), missing);
        RawHttpClient client = requestHandlerServer.client()) {
      for (String wish : WISHES) {
        assertRefused(client, wish, 410, "its end is not known");
      }
      assertEquals(410, client.get(PATH).status());
      assertEquals(410, client.get(PATH + "/output").status());
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldSayThatItsTimeIsOver(Missing missing) throws Exception {
    try (RequestHandlerServer requestHandlerServer =
            served(ended(InstanceState.CANCELLED, Duration.ofDays(2)), missing);
        RawHttpClient client = requestHandlerServer.client()) {
      assertRefused(client, "/cancellation", 410, "kernel.keepEndedSeconds");
      assertRefused(client, "/retry", 410, "kernel.keepEndedSeconds");
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldTellWhatTheKernelKnowsWhereThereIsNoHistory(Missing missing) throws Exception {
    try (RequestHandlerServer requestHandlerServer = served(HistoryAccess.NONE, missing);
        RawHttpClient client = requestHandlerServer.client()) {
      for (String wish : WISHES) {
        assertRefused(client, wish, missing.status(), FakeKernels.ID.toString());
      }
      assertEquals(missing.status(), client.get(PATH).status());
    }
  }

  @Test
  void shouldNotAskForInstancesOfTheFuture() throws Exception {
    InstanceId future = InstanceId.next(System.currentTimeMillis() + 3_600_000, 3, null);
    try (RequestHandlerServer requestHandlerServer = served(new Behind(), Missing.NOT_FOUND);
        RawHttpClient client = requestHandlerServer.client()) {
      for (String wish : WISHES) {
        HttpReply reply = client.ask("POST", "/v1/instances/" + future + wish, "", "");
        assertEquals(404, reply.status(), () -> wish + " " + reply.body());
      }
    }
  }
}
