package dev.pinion.handlers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.Step;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages are handed to workers in the order in which they came, whatever the window. One worker
 * takes them, so that it sees the order of the hand-overs; both it and the thread that brings
 * messages hand over.
 */
class OrderOfStartsTest {
  private static final int MESSAGES = 40_000;

  /** Records the first message that starts before an earlier one. */
  private static final class Numbers implements Handler {
    private final CountDownLatch left = new CountDownLatch(MESSAGES);
    private volatile long next;
    private volatile String wrong = "";

    @Override
    public Declaration declaration() {
      return Declaration.NOTHING.mandatory();
    }

    @Override
    public Verdict handle(View message) {
      long number = message.id().low();
      if (number != next && wrong.isEmpty()) {
        wrong = number + " in place of " + next;
      }
      next = number + 1;
      left.countDown();
      return Verdict.UNCHANGED;
    }
  }

  private static Message message(long number) {
    return Message.of(new MessageId(0, number), Point.REQUEST_IN, Map.of(), Body.of(Payload.NULL));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, ChainOptions.ADAPTIVE})
  void shouldHandMessagesOverInOrderOfArrival(int window) throws Exception {
    Numbers numbers = new Numbers();
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(1, 0), Clock.system());
        Chain chain =
            new Chain(
                ChainPlan.inOrder(
                    "ordered",
                    List.of(Step.of("numbers", numbers)),
                    new ChainOptions(null, window, ChainOptions.SideBySide.AUTO)),
                pool,
                Messages.LIMITS.with(Map.of("handlers.maxQueued", MESSAGES)))) {
      for (long i = 0; i < MESSAGES; i++) {
        chain.enter(message(i), "", (context, outcome) -> {});
      }
      assertTrue(numbers.left.await(60, TimeUnit.SECONDS), "all are handled");
      assertEquals("", numbers.wrong);
      assertEquals(MESSAGES, chain.entered());
    }
  }

  @Test
  void shouldStartThoseThatWaitWhenTheirTurnComesOnTheSameThread() {
    Numbers numbers = new Numbers();
    Chain chain =
        new Chain(
            ChainPlan.inOrder(
                "ordered", List.of(Step.of("numbers", numbers)), ChainOptions.DEFAULT),
            new CallerRunsWorkers(Clock.system()),
            Messages.LIMITS);
    for (long i = 0; i < 100; i++) {
      chain.enter(message(i), "", (context, outcome) -> {});
      assertEquals(i + 1, numbers.next, "before enter returned");
    }
    chain.close();
  }
}
