package dev.pinion.handlers.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.remote.protocol.FailureReason;
import dev.pinion.handlers.remote.protocol.Frame;
import dev.pinion.handlers.remote.protocol.HandlerOperation;
import dev.pinion.handlers.remote.protocol.HandlerTask;
import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.transport.FrameStore;
import dev.pinion.handlers.remote.transport.FrameTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Replies run foreign code: they are called without the caller's monitor. */
class RemoteAttemptTest {
  private static final UUID HOST = new UUID(1, 1);
  private static final long TIME = Duration.ofSeconds(1).toNanos();
  private static final long OVER = 2 * TIME;

  private final RemoteHarness remoteHarness = new RemoteHarness(RemoteLimits.DEFAULTS, 1);
  private final Noting reply = new Noting();
  private final RemoteAttempt remoteAttempt =
      new RemoteAttempt(remoteHarness.requester, 1, task(), 0, true, TIME, reply);

  @AfterEach
  void close() {
    remoteHarness.close();
  }

  private static HandlerTask task() {
    Message message = Message.of(new MessageId(1, 1), Point.REQUEST_IN, Map.of(), Body.EMPTY);
    return new HandlerTask(HandlerOperation.HANDLE, "c", "s", "k", Payload.EMPTY_OBJECT, message);
  }

  private Frame.Failed failed(FailureReason failureReason) {
    return new Frame.Failed(remoteHarness.requester.id(), 1, HOST, failureReason, "why");
  }

  @Test
  void shouldTellAVerdictOutsideOfItsMonitor() {
    remoteAttempt.begin(0);
    remoteAttempt.done(Verdict.UNCHANGED, 5);
    remoteAttempt.done(Verdict.UNCHANGED, 5);

    reply.assertTold("handled in 5", "done");
  }

  @Test
  void shouldTellAFailureOutsideOfItsMonitor() {
    remoteAttempt.begin(0);
    remoteAttempt.failed(failed(FailureReason.FAILED), 0);

    reply.assertTold("failed");
  }

  @Test
  void shouldTellWhatCannotBeSentOutsideOfItsMonitor() {
    remoteHarness.network.maxBytes = 1;
    remoteAttempt.begin(0);

    reply.assertTold("failed");
    assertTrue(remoteAttempt.tick(0));
  }

  @Test
  void shouldTellThatTimeIsOverAndWhatComesLateOutsideOfItsMonitor() {
    remoteAttempt.begin(0);
    assertFalse(remoteAttempt.tick(OVER));
    reply.assertTold("failed");
    remoteAttempt.done(Verdict.UNCHANGED, 5);

    reply.assertTold("failed", "handled in 5", "done");
    assertTrue(remoteAttempt.tick(OVER));
  }

  @Test
  void shouldTellOneThingAfterAnother() {
    remoteAttempt.begin(0);
    reply.meanwhile =
        () -> {
          remoteAttempt.done(Verdict.UNCHANGED, 5); // like another thread would
          reply.assertTold("failed");
        };
    remoteAttempt.tick(OVER);

    reply.assertTold("failed", "handled in 5", "done");
  }

  @Test
  void shouldTellWhatIsStoredOutsideOfItsMonitor() {
    CompletableFuture<Void> kept = new CompletableFuture<>();
    StorePublication storePublication = storing(kept);
    reply.own = storePublication;
    assertFalse(storePublication.tick(0, true));
    kept.complete(null);

    assertTrue(storePublication.tick(1, true));
    assertTrue(storePublication.tick(2, true));
    reply.assertTold("done");
  }

  @Test
  void shouldTellWhatCouldNotBeStoredOutsideOfItsMonitor() {
    StorePublication storePublication = storing(new CompletableFuture<>());
    reply.own = storePublication;
    assertFalse(storePublication.tick(TIME - 1, true));

    assertTrue(storePublication.tick(TIME, true));
    reply.assertTold("failed");
  }

  private StorePublication storing(CompletableFuture<?> kept) {
    FrameStore store =
        new FrameStore() {
          @Override
          public CompletableFuture<?> publish(String subject, String id, byte[] frame) {
            return kept;
          }

          @Override
          public FrameTransport.Subscription take(
              String kind, int atOnce, StoredFrameReceiver storedFrameReceiver) {
            throw new AssertionError("a requester takes nothing");
          }
        };
    return new StorePublication(
        () -> store.publish("subject", "id", new byte[1]), 1, TIME, 1, reply);
  }

  /** Records the calls, and whether the monitor is held then. */
  private final class Noting implements TimedReply {
    private final List<String> told = new ArrayList<>();
    private Object own = this;
    private Runnable meanwhile = () -> {};

    private void note(String what) {
      Object teller = own == this ? remoteAttempt : own;
      told.add(Thread.holdsLock(teller) ? what + " under the monitor" : what);
      Runnable then = meanwhile;
      meanwhile = () -> {};
      then.run();
    }

    void assertTold(String... expected) {
      assertEquals(List.of(expected), told);
    }

    @Override
    public void handledIn(long nanos) {
      note("handled in " + nanos);
    }

    @Override
    public void done(Verdict verdict) {
      note("done");
    }

    @Override
    public void failed(Throwable failure) {
      note("failed");
    }
  }
}
