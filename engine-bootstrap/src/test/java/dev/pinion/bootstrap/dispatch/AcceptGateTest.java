package dev.pinion.bootstrap.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AcceptGateTest {
  private final List<String> log = new ArrayList<>();
  private long nowNs = 1_000;
  private final RateLimitedWarning failed = new RateLimitedWarning(() -> nowNs, log::add);
  private final AcceptGate gate = new AcceptGate(failed);
  private final EmbeddedChannel channel = channel();

  private EmbeddedChannel channel() {
    EmbeddedChannel made = new EmbeddedChannel(gate);
    made.freezeTime();
    return made;
  }

  private void fail() {
    channel.pipeline().fireExceptionCaught(new IOException("accept(..): Too many open files"));
  }

  private void pass(long millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
  }

  private boolean accepts() {
    return channel.config().isAutoRead();
  }

  @Test
  void shouldAcceptWhileThereIsRoom() {
    gate.room(true);
    assertTrue(accepts());

    gate.room(false);

    assertFalse(accepts());
  }

  @Test
  void shouldPauseAfterAFailureThoughRoomIsMadeMeanwhile() {
    gate.room(true);
    fail();
    assertFalse(accepts());

    gate.room(true);

    assertFalse(accepts(), "a replica that takes a connection ends no pause");
    pass(AcceptGate.PAUSE_MILLIS - 1);
    assertFalse(accepts());
    pass(1);
    assertTrue(accepts());
  }

  @Test
  void shouldAcceptNothingAfterAPauseWithoutRoom() {
    gate.room(true);
    fail();
    gate.room(false);

    pass(AcceptGate.PAUSE_MILLIS);

    assertFalse(accepts());
  }

  @Test
  void shouldCountEachFailureAndTellOfThemNowAndThen() {
    for (int i = 0; i < 5; i++) {
      fail();
      pass(AcceptGate.PAUSE_MILLIS);
    }
    assertEquals(1, log.size());
    assertTrue(log.getFirst().contains("Too many open files; check"), log.getFirst());

    nowNs += RateLimitedWarning.INTERVAL.toNanos();
    fail();

    assertEquals(6, failed.count());
    assertEquals(2, log.size());
    assertTrue(log.getLast().endsWith("(5 times since this was last logged)"), log.getLast());
  }
}
