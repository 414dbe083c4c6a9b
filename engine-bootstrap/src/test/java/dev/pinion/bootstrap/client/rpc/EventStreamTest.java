package dev.pinion.bootstrap.client.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events in bodies that come in parts. */
class EventStreamTest {
  private static final String TEXT =
      """
      : a comment
      event: message
      data: one
      data:two

      id: 7
      data

      retry: 10

      data:  three é
      """;

  private static final List<String> EVENTS = List.of("one\ntwo", "", " three é");

  private static List<String> events(byte[] all, int partBytes) {
    List<String> events = new ArrayList<>();
    EventStream stream = new EventStream();
    ByteBuf body = Unpooled.buffer().writeZero(3).skipBytes(3);
    for (int from = 0; from < all.length; from += partBytes) {
      body.writeBytes(all, from, Math.min(partBytes, all.length - from));
      assertTrue(stream.read(body, false, events::add));
    }
    assertTrue(stream.read(body, true, events::add));
    return events;
  }

  @Test
  void shouldReadEventsInPartsOfAnyLength() {
    for (String text : List.of(TEXT, TEXT.replace("\n", "\r\n"))) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      for (int partBytes = 1; partBytes <= bytes.length; partBytes++) {
        assertEquals(EVENTS, events(bytes, partBytes));
      }
    }
  }

  @Test
  void shouldStopWhereNoMoreEventsAreWanted() {
    List<String> events = new ArrayList<>();
    EventStream stream = new EventStream();
    ByteBuf body =
        Unpooled.copiedBuffer("data: a\n\ndata: b\n\ndata: c\n\n", StandardCharsets.UTF_8);

    assertFalse(
        stream.read(
            body,
            false,
            event -> {
              events.add(event);
              return !event.equals("b");
            }));
    assertEquals(List.of("a", "b"), events);
  }

  @Test
  void shouldReadNothingFromAnEmptyStream() {
    List<String> events = new ArrayList<>();
    assertTrue(new EventStream().read(Unpooled.EMPTY_BUFFER, true, events::add));
    assertEquals(List.of(), events);
  }
}
