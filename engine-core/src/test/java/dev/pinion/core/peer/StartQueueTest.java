package dev.pinion.core.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.api.RequestHandlerServer;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.TestExchanges;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.limits.EngineLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The queue of starts without a kernel: the test decides when a kernel has time. */
class StartQueueTest {
  private static final int STARTS = 1_000;

  private final RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
  private final StartQueue room =
      new StartQueue(
          EngineLimits.defaults().with(Map.of("request.startsAhead", 1)).request(), true);
  private final HttpExchange httpExchange = TestExchanges.open(requestHandlerServer.handler.http());
  private final List<Integer> begun = new ArrayList<>();
  private int compared;

  /** Records that it began, and counts its comparisons with others. */
  private final class Start implements StartQueue.StartAction {
    private final int number;

    Start(int number) {
      this.number = number;
    }

    @Override
    public void begin(ByteBuf body) {
      begun.add(number);
      if (begun.size() == STARTS / 2) {
        room.offered(2);
      }
    }

    @Override
    public boolean equals(@Nullable Object other) {
      compared++;
      return this == other;
    }

    @Override
    public int hashCode() {
      return number;
    }
  }

  @BeforeEach
  void letThemWait() throws ProblemException {
    room.offered(1);
    for (int i = 0; i < STARTS; i++) {
      room.enqueue(httpExchange, Unpooled.EMPTY_BUFFER, new Start(i));
    }
    assertEquals(List.of(), begun);
  }

  @AfterEach
  void close() {
    requestHandlerServer.close();
  }

  @Test
  void shouldBeginThoseThatCameFirstAndLendTheLast() throws ProblemException {
    room.taken(1);

    assertEquals(STARTS / 2, room.release());

    assertEquals(IntStream.range(0, STARTS / 2).boxed().toList(), begun);
    StartQueue.QueuedStart last = room.takeLast();
    assertTrue(last != null && last.begin() instanceof Start lent && lent.number == STARTS - 1);
    assertEquals(STARTS / 2 - 1, room.takeAll().size());
    assertTrue(room.isEmpty());
  }

  /** A kernel answers questions too: they make no room for starts. */
  @Test
  void shouldCountNoOtherReply() {
    room.taken(3);
    assertEquals(0, room.release());

    room.taken(1);
    room.taken(1);
    assertEquals(STARTS / 2, room.release());
    assertEquals(0, room.release(), "the second reply to one start counts no more");
  }

  /** In overload many wait at the end of each, so the cost of one must not depend on them. */
  @Test
  void shouldSearchForNoneThatEnds() {
    room.taken(1);
    room.release();

    TestExchanges.end(httpExchange);

    assertTrue(room.isEmpty());
    assertTrue(compared <= STARTS, compared + " comparisons");
  }
}
