package dev.pinion.core.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The queue of starts without a kernel: the test decides when a kernel has time. */
class StartRoomTest {
  private static final int STARTS = 1_000;

  private final Served served = Served.plain();
  private final StartRoom room = new StartRoom(1, true);
  private final Exchange exchange =
      new Exchange(
          new Connection(served.handler, false),
          new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/"),
          null,
          "");
  private final List<Integer> begun = new ArrayList<>();
  private int compared;

  /** Records that it began, and counts its comparisons with others. */
  private final class Start implements StartRoom.Begin {
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
  void letThemWait() throws Refusal {
    room.offered(1);
    for (int i = 0; i < STARTS; i++) {
      room.enter(exchange, Unpooled.EMPTY_BUFFER, new Start(i));
    }
    assertEquals(List.of(), begun);
  }

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldBeginThoseThatCameFirstAndLendTheLast() throws Refusal {
    room.taken(1);

    assertEquals(STARTS / 2, room.release());

    assertEquals(IntStream.range(0, STARTS / 2).boxed().toList(), begun);
    StartRoom.Waiting last = room.takeLast();
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

    exchange.end();

    assertTrue(room.isEmpty());
    assertTrue(compared <= STARTS, compared + " comparisons");
  }
}
