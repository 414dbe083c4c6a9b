package dev.pinion.handlers.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.remote.protocol.Frame;
import dev.pinion.handlers.remote.protocol.HandlerOperation;
import dev.pinion.handlers.remote.protocol.HandlerTask;
import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.protocol.RemoteTimeouts;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Attempts that a host takes and remembers, at the edges of its bounds. */
class AttemptTableTest {
  private static final int BUDGET_MILLIS = 1_000;
  private static final long KEPT_NANOS =
      BUDGET_MILLIS * 1_000_000L + RemoteTimeouts.DEFAULTS.late().toNanos();

  private static final MessageId ID = new MessageId(1, 1);

  private static AttemptTable window(int inFlight, int memory, int bytes) {
    RemoteLimits limits =
        RemoteSettings.DEFAULTS
            .with(
                Map.of(
                    "handlers.remote.hostWindow", inFlight,
                    "handlers.remote.hostMemory", memory,
                    "handlers.remote.hostMemoryBytes", bytes))
            .limits();
    return new AttemptTable(limits, RemoteTimeouts.DEFAULTS);
  }

  private static HostAttempt attempt(long number) {
    return attempt(number, Message.of(ID, Point.REQUEST_IN, Map.of(), Body.EMPTY));
  }

  private static HostAttempt attempt(long number, Message message) {
    HandlerTask handlerTask =
        new HandlerTask(HandlerOperation.HANDLE, "c", "s", "k", Payload.EMPTY_OBJECT, message);
    return new HostAttempt(
        new Frame.Run(new UUID(1, 1), number, 1, List.of(), BUDGET_MILLIS, handlerTask), 0);
  }

  private static HostAttempt ended(
      AttemptTable window, long number, boolean repeatable, int bytes) {
    HostAttempt hostAttempt = attempt(number);
    assertNull(window.admit(hostAttempt, 0));
    hostAttempt.answered(new byte[bytes]);
    window.complete(hostAttempt, repeatable);
    return hostAttempt;
  }

  @Test
  void shouldTakeNoMoreAtOnceThanItsCredit() {
    AttemptTable window = window(2, 10, 1 << 20);
    HostAttempt first = attempt(1);
    HostAttempt third = attempt(3);
    assertNull(window.admit(first, 0));
    assertNull(window.admit(attempt(2), 0));

    assertSame(third, window.admit(third, 0), "there is no room");
    assertSame(first, window.admit(attempt(1), 0), "but it is known");
    window.complete(first, true);
    assertNull(window.admit(third, 0));
  }

  @Test
  void shouldForgetWhatMayBeRepeatedWhenItsMemoryIsFull() {
    AttemptTable window = window(3, 3, 1 << 20);
    HostAttempt effect = ended(window, 1, false, 10);
    HostAttempt stateless = ended(window, 2, true, 10);
    HostAttempt other = ended(window, 3, false, 10);

    assertNull(window.admit(attempt(4), 0));

    assertSame(effect, window.known(effect.key()));
    assertSame(other, window.known(other.key()));
    assertNull(window.known(stateless.key()));
    assertEquals(3, window.size());
  }

  @Test
  void shouldRatherBeFullThanForgetAnEffect() {
    AttemptTable window = window(2, 2, 1 << 20);
    ended(window, 1, false, 10);
    ended(window, 2, false, 10);

    assertFalse(window.hasRoom(KEPT_NANOS - 1));
    assertTrue(window.hasRoom(KEPT_NANOS), "nobody sends it again after that");
  }

  @Test
  void shouldBoundTheBytesOfWhatItRemembers() {
    AttemptTable window = window(4, 10, 1_024);
    ended(window, 1, false, 1_024);
    assertTrue(window.hasRoom(0), "at the bound");

    ended(window, 2, false, 1);
    assertFalse(window.hasRoom(0), "beyond it");
  }

  @Test
  void shouldBoundTheBytesOfTheMessagesThatItHas() {
    int settings = Payload.EMPTY_OBJECT.weight();
    AttemptTable window = window(4, 10, 1_024);
    Body body = Body.of(new byte[24 - settings], "x/y");
    Message message =
        Message.of(ID, Point.REQUEST_IN, Map.of("name", "x".repeat(996)), body); // 1,024 in all
    HostAttempt first = attempt(1, message);
    assertNull(window.admit(first, 0));
    assertTrue(window.hasRoom(0), "at the bound");
    HostAttempt second = attempt(2);
    assertNull(window.admit(second, 0));
    assertFalse(window.hasRoom(0), "beyond it");

    window.forget(second);
    first.answered(new byte[1_024]);
    window.complete(first, false);
    assertTrue(window.hasRoom(0), "the answer in the place of the message");
    assertEquals(Map.of(), first.run().task().message().properties(), "which is let go");
    assertEquals(Body.EMPTY, first.run().task().message().body());
    assertSame(first, window.known(first.key()));
  }

  @Test
  void shouldNotEndWhatWasBegunAnew() {
    AttemptTable window = window(4, 10, 1_024);
    HostAttempt old = attempt(1);
    window.admit(old, 0);
    window.forget(old);
    HostAttempt anew = attempt(1);
    window.admit(anew, 0);

    window.complete(old, true);
    window.forget(old);

    assertEquals(1, window.inFlight());
    assertSame(anew, window.known(anew.key()));
  }
}
