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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Replies run foreign code: they are called without the caller's monitor. */
class ExchangeTest {
  private static final UUID HOST = new UUID(1, 1);
  private static final long TIME = Duration.ofSeconds(1).toNanos();
  private static final long OVER = 2 * TIME;

  private final Wire wire = new Wire(RemoteLimits.DEFAULTS, 1);
  private final Noting reply = new Noting();
  private final Exchange exchange = new Exchange(wire.requester, 1, task(), 0, true, TIME, reply);

  @AfterEach
  void close() {
    wire.close();
  }

  private static Task task() {
    Message message = Message.of(new MessageId(1, 1), Point.REQUEST_IN, Map.of(), Body.EMPTY);
    return new Task(Operation.HANDLE, "c", "s", "k", Payload.EMPTY_OBJECT, message);
  }

  private Frame.Failed failed(Reason reason) {
    return new Frame.Failed(wire.requester.id(), 1, HOST, reason, "why");
  }

  @Test
  void shouldTellAVerdictOutsideOfItsMonitor() {
    exchange.begin(0);
    exchange.done(Verdict.UNCHANGED, 5);
    exchange.done(Verdict.UNCHANGED, 5);

    reply.assertTold("handled in 5", "done");
  }

  @Test
  void shouldTellAFailureOutsideOfItsMonitor() {
    exchange.begin(0);
    exchange.failed(failed(Reason.FAILED), 0);

    reply.assertTold("failed");
  }

  @Test
  void shouldTellWhatCannotBeSentOutsideOfItsMonitor() {
    wire.network.maxBytes = 1;
    exchange.begin(0);

    reply.assertTold("failed");
    assertTrue(exchange.turn(0));
  }

  @Test
  void shouldTellThatTimeIsOverAndWhatComesLateOutsideOfItsMonitor() {
    exchange.begin(0);
    assertFalse(exchange.turn(OVER));
    reply.assertTold("failed");
    exchange.done(Verdict.UNCHANGED, 5);

    reply.assertTold("failed", "handled in 5", "done");
    assertTrue(exchange.turn(OVER));
  }

  @Test
  void shouldTellOneThingAfterAnother() {
    exchange.begin(0);
    reply.meanwhile =
        () -> {
          exchange.done(Verdict.UNCHANGED, 5); // like another thread would
          reply.assertTold("failed");
        };
    exchange.turn(OVER);

    reply.assertTold("failed", "handled in 5", "done");
  }

  @Test
  void shouldTellWhatIsStoredOutsideOfItsMonitor() {
    CompletableFuture<Void> kept = new CompletableFuture<>();
    Storing storing = storing(kept);
    reply.own = storing;
    assertFalse(storing.turn(0, true));
    kept.complete(null);

    assertTrue(storing.turn(1, true));
    assertTrue(storing.turn(2, true));
    reply.assertTold("done");
  }

  @Test
  void shouldTellWhatCouldNotBeStoredOutsideOfItsMonitor() {
    Storing storing = storing(new CompletableFuture<>());
    reply.own = storing;
    assertFalse(storing.turn(TIME - 1, true));

    assertTrue(storing.turn(TIME, true));
    reply.assertTold("failed");
  }

  private Storing storing(CompletableFuture<?> kept) {
    FrameStore store =
        new FrameStore() {
          @Override
          public CompletableFuture<?> keep(String subject, String id, byte[] frame) {
            return kept;
          }

          @Override
          public Transport.Subscription take(String kind, int atOnce, Receiver receiver) {
            throw new AssertionError("a requester takes nothing");
          }
        };
    return new Storing(store, "subject", "id", new byte[1], 1, TIME, 1, reply);
  }

  /** Records the calls, and whether the monitor is held then. */
  private final class Noting implements TimedReply {
    private final List<String> told = new ArrayList<>();
    private Object own = this;
    private Runnable meanwhile = () -> {};

    private void note(String what) {
      Object teller = own == this ? exchange : own;
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
