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
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Attempts that a host takes and remembers, at the edges of its bounds. */
class AttemptWindowTest {
  private static final int BUDGET_MILLIS = 1_000;
  private static final long KEPT_NANOS =
      BUDGET_MILLIS * 1_000_000L + RemoteTimes.DEFAULTS.late().toNanos();

  private static final MessageId ID = new MessageId(1, 1);

  private static AttemptWindow window(int inFlight, int memory, int bytes) {
    RemoteLimits limits =
        RemoteSettings.DEFAULTS
            .with(
                Map.of(
                    "handlers.remote.hostWindow", inFlight,
                    "handlers.remote.hostMemory", memory,
                    "handlers.remote.hostMemoryBytes", bytes))
            .limits();
    return new AttemptWindow(limits, RemoteTimes.DEFAULTS);
  }

  private static Attempt attempt(long number) {
    return attempt(number, Message.of(ID, Point.REQUEST_IN, Map.of(), Body.EMPTY));
  }

  private static Attempt attempt(long number, Message message) {
    Task task = new Task(Operation.HANDLE, "c", "s", "k", Payload.EMPTY_OBJECT, message);
    return new Attempt(new Frame.Run(new UUID(1, 1), number, 1, List.of(), BUDGET_MILLIS, task), 0);
  }

  private static Attempt ended(AttemptWindow window, long number, boolean repeatable, int bytes) {
    Attempt attempt = attempt(number);
    assertNull(window.enter(attempt, 0));
    attempt.answered(new byte[bytes]);
    window.leave(attempt, repeatable);
    return attempt;
  }

  @Test
  void shouldTakeNoMoreAtOnceThanItsCredit() {
    AttemptWindow window = window(2, 10, 1 << 20);
    Attempt first = attempt(1);
    Attempt third = attempt(3);
    assertNull(window.enter(first, 0));
    assertNull(window.enter(attempt(2), 0));

    assertSame(third, window.enter(third, 0), "there is no room");
    assertSame(first, window.enter(attempt(1), 0), "but it is known");
    window.leave(first, true);
    assertNull(window.enter(third, 0));
  }

  @Test
  void shouldForgetWhatMayBeRepeatedWhenItsMemoryIsFull() {
    AttemptWindow window = window(3, 3, 1 << 20);
    Attempt effect = ended(window, 1, false, 10);
    Attempt stateless = ended(window, 2, true, 10);
    Attempt other = ended(window, 3, false, 10);

    assertNull(window.enter(attempt(4), 0));

    assertSame(effect, window.known(effect.key()));
    assertSame(other, window.known(other.key()));
    assertNull(window.known(stateless.key()));
    assertEquals(3, window.size());
  }

  @Test
  void shouldRatherBeFullThanForgetAnEffect() {
    AttemptWindow window = window(2, 2, 1 << 20);
    ended(window, 1, false, 10);
    ended(window, 2, false, 10);

    assertFalse(window.hasRoom(KEPT_NANOS - 1));
    assertTrue(window.hasRoom(KEPT_NANOS), "nobody sends it again after that");
  }

  @Test
  void shouldBoundTheBytesOfWhatItRemembers() {
    AttemptWindow window = window(4, 10, 1_024);
    ended(window, 1, false, 1_024);
    assertTrue(window.hasRoom(0), "at the bound");

    ended(window, 2, false, 1);
    assertFalse(window.hasRoom(0), "beyond it");
  }

  @Test
  void shouldBoundTheBytesOfTheMessagesThatItHas() {
    int settings = Payload.EMPTY_OBJECT.weight();
    AttemptWindow window = window(4, 10, 1_024);
    Body body = Body.of(new byte[24 - settings], "x/y");
    Message message =
        Message.of(ID, Point.REQUEST_IN, Map.of("name", "x".repeat(996)), body); // 1,024 in all
    Attempt first = attempt(1, message);
    assertNull(window.enter(first, 0));
    assertTrue(window.hasRoom(0), "at the bound");
    Attempt second = attempt(2);
    assertNull(window.enter(second, 0));
    assertFalse(window.hasRoom(0), "beyond it");

    window.forget(second);
    first.answered(new byte[1_024]);
    window.leave(first, false);
    assertTrue(window.hasRoom(0), "the answer in the place of the message");
    assertEquals(Map.of(), first.run().task().message().properties(), "which is let go");
    assertEquals(Body.EMPTY, first.run().task().message().body());
    assertSame(first, window.known(first.key()));
  }

  @Test
  void shouldNotEndWhatWasBegunAnew() {
    AttemptWindow window = window(4, 10, 1_024);
    Attempt old = attempt(1);
    window.enter(old, 0);
    window.forget(old);
    Attempt anew = attempt(1);
    window.enter(anew, 0);

    window.leave(old, true);
    window.forget(old);

    assertEquals(1, window.inFlight());
    assertSame(anew, window.known(anew.key()));
  }
}
