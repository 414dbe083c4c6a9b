package dev.pinion.bootstrap.client.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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

  /** Bytes were searched again with each part: a line of 2 MiB held an event loop for minutes. */
  @Test
  @Timeout(20)
  void shouldSearchEachByteOnce() {
    byte[] line = new byte[2 << 20];
    Arrays.fill(line, (byte) 'x');
    System.arraycopy("data:".getBytes(StandardCharsets.UTF_8), 0, line, 0, 5);
    List<String> events = new ArrayList<>();
    EventStream stream = new EventStream();
    ByteBuf body = Unpooled.buffer(line.length);
    for (byte each : line) {
      body.writeByte(each);
      assertTrue(stream.read(body, false, events::add));
    }
    assertTrue(stream.read(body, true, events::add));
    assertEquals(List.of(line.length - 5), events.stream().map(String::length).toList());
  }

  @Test
  void shouldReadNothingFromAnEmptyStream() {
    List<String> events = new ArrayList<>();
    assertTrue(new EventStream().read(Unpooled.EMPTY_BUFFER, true, events::add));
    assertEquals(List.of(), events);
  }
}
