package dev.pinion.handlers.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageTest {
  private static final PayloadCodec CODEC = new PayloadCodec(EngineLimits.defaults().json());
  private static final String ORDER = "{\"order\":{\"total\":7,\"items\":[1,2]},\"a/b\":{\"~\":3}}";

  private static Message message(String json) {
    return Message.of(
        new MessageId(1, 2),
        Point.REQUEST_IN,
        Map.of("header.a", "1", "header.b", "2", "http.method", "GET"),
        Body.of(json.getBytes(StandardCharsets.UTF_8), "application/json"));
  }

  private static String text(Message message) {
    return new String(message.body().bytes(CODEC), StandardCharsets.UTF_8);
  }

  @Test
  void shouldCountBodyAndProperties() {
    String all = "{}" + "header.a" + "1" + "header.b" + "2" + "http.method" + "GET";
    assertEquals(all.length(), message("{}").size());
    assertEquals(0, Message.of(new MessageId(1, 2), Point.REQUEST_IN, Map.of(), Body.EMPTY).size());
  }

  @ParameterizedTest
  @CsvSource({
    "property:a, property:a, true, true",
    "property:a, property:ab, false, false",
    "property:a*, property:ab, true, true",
    "property:ab, property:a*, true, false",
    "property:*, property:header.*, true, true",
    "property:a, bytes, false, false",
    "bytes, bytes, true, true",
    "bytes, body:/x, true, true",
    "body:/x, bytes, true, false",
    "body:, body:/x, true, true",
    "body:/x, body:/x/y, true, true",
    "body:/x/y, body:/x, true, false",
    "body:/order, body:/orders, false, false",
    "body:/x/0, body:/x/1, false, false",
    "body:/a~1b, body:/a~1b/~0, true, true",
  })
  void shouldTellWhichSlotsOverlap(String one, String other, boolean overlaps, boolean covers) {
    Slot first = Slot.parse(one);
    Slot second = Slot.parse(other);

    assertEquals(overlaps, first.overlaps(second));
    assertEquals(overlaps, second.overlaps(first));
    assertEquals(covers, first.covers(second));
    assertEquals(one, first.toString());
  }

  @ParameterizedTest
  @CsvSource({"body:x", "property:", "property:a*b", "byte", "body:/~2", "body:/~"})
  void shouldRefuseWhatIsNoSlot(String text) {
    assertThrows(IllegalArgumentException.class, () -> Slot.parse(text));
  }

  @Test
  void shouldChangePartsOfTheBodyInOrder() throws Exception {
    Changes changes =
        Changes.NONE
            .json("/order/total", Payload.of(8))
            .json("/order/items/1", Payload.of("two"))
            .json("/new/deep", Payload.TRUE)
            .withoutJson("/a~1b/~0")
            .withoutJson("/not/there")
            .property("header.c", "3")
            .withoutProperty("header.a");
    Message before = message(ORDER);

    Message after = before.with(changes, CODEC);

    assertEquals(
        "{\"order\":{\"total\":8,\"items\":[1,\"two\"]},\"a/b\":{},\"new\":{\"deep\":true}}",
        text(after));
    assertEquals("[header.b, header.c, http.method]", after.properties().keySet().toString());
    assertEquals(ORDER, text(before), "messages are immutable");
    assertSame(before, before.with(Changes.NONE, CODEC));
  }

  @ParameterizedTest
  @CsvSource({"/order/total/x", "/order/items/2", "/order/items/01", "/order/items/x"})
  void shouldRefuseChangesWithoutAPlace(String pointer) {
    assertThrows(
        InapplicableChangeException.class,
        () -> message(ORDER).with(Changes.NONE.json(pointer, Payload.TRUE), CODEC));
  }

  @Test
  void shouldRefuseToChangePartsOfWhatIsNoJson() {
    assertThrows(
        PayloadSyntaxException.class,
        () -> message("<xml/>").with(Changes.NONE.json("/x", Payload.TRUE), CODEC));
  }

  @Test
  void shouldReplaceTheBodyByBytesAndReadThemAsJsonWhenAsked() throws Exception {
    Body inflated = Body.of("[1]".getBytes(StandardCharsets.UTF_8), "application/json");

    Message after = message("").with(Changes.NONE.body(inflated), CODEC);

    assertEquals("[1]", after.body().json(CODEC).toString());
    assertSame(after.body().json(CODEC), after.body().json(CODEC), "converted once");
  }

  @Test
  void shouldKeepOnlyWhatIsAskedForAtItsPlace() {
    Message whole = message(ORDER);

    Message part =
        whole.only(
            List.of(
                Slot.body("/order/total"),
                Slot.body("/a~1b"),
                Slot.body("/none"),
                Slot.property("header.*")),
            CODEC);
    assertEquals("{\"order\":{\"total\":7},\"a/b\":{\"~\":3}}", text(part));
    assertEquals("[header.a, header.b]", part.properties().keySet().toString());

    assertSame(Body.EMPTY, whole.only(List.of(Slot.property("http.method")), CODEC).body());
    assertSame(whole.body(), whole.only(List.of(Slot.bytes()), CODEC).body());
    assertEquals(
        "{\"order\":{\"items\":[1,2]}}",
        text(whole.only(List.of(Slot.body("/order/items/1")), CODEC)),
        "whole arrays, so that indices stay");
  }

  @Test
  void shouldShowAHandlerWhatItDeclaredAndNothingElse() throws Exception {
    Declaration declared =
        Declaration.NOTHING.reading(Slot.property("header.*"), Slot.body("/order"));
    View view = View.of(message(ORDER), declared);

    assertEquals("1", view.property("header.a"));
    assertNull(view.property("header.none"));
    assertEquals(Map.of("header.b", "2"), view.properties("header.b"));
    assertEquals(Payload.of(7), view.json("/order/total"));
    assertNull(view.json("/order/none"));
    assertThrows(UndeclaredSlotException.class, () -> view.property("http.method"));
    assertThrows(UndeclaredSlotException.class, () -> view.properties(""));
    assertThrows(UndeclaredSlotException.class, view::json);
    assertThrows(UndeclaredSlotException.class, view::bytes);
    assertArrayEquals(
        ORDER.getBytes(StandardCharsets.UTF_8),
        View.of(message(ORDER), Declaration.NOTHING.reading(Slot.bytes())).bytes());
  }

  @Test
  void shouldReadIdsAsItWritesThem() {
    MessageId id = MessageId.random();

    assertEquals(id, MessageId.parse(id.toString()));
    assertEquals("00000000000000010000000000000002", new MessageId(1, 2).toString());
    assertThrows(IllegalArgumentException.class, () -> MessageId.parse("1"));
  }
}
