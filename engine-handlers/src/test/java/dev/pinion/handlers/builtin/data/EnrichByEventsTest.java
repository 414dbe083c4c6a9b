package dev.pinion.handlers.builtin.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.EventTable;
import dev.pinion.handlers.api.EventTables;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.builtin.HandlerTrial;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows in messages that events update. */
class EnrichByEventsTest {
  private static final String EVENTS = "\"events\":{\"namespace\":\"shop\",\"type\":\"changed\"%s}";
  private final Map<String, Payload> rows = new ConcurrentHashMap<>();
  private final Map<EventTables.Source, Boolean> open = new ConcurrentHashMap<>();

  private EventTable open(EventTables.Source source) {
    open.put(source, true);
    return new EventTable() {
      @Override
      public @Nullable Payload row(String subject) {
        return rows.get(subject);
      }

      @Override
      public int size() {
        return rows.size();
      }

      @Override
      public void close() {
        open.put(source, false);
      }
    };
  }

  private static String settings(String table) {
    return "{\"key\":\"/customer\",\"target\":\"/who\",\"table\":{" + table + "}}";
  }

  private static String after(Handler handler, String customer) throws Exception {
    return HandlerTrial.text(
        HandlerTrial.after(
                handler,
                HandlerTrial.message(
                    Map.of(), HandlerTrial.json("{\"customer\":\"" + customer + "\"}")))
            .body());
  }

  @Test
  void shouldPutTheRowOfASubjectIntoTheMessage() throws Exception {
    String events = EVENTS.formatted(",\"removedBy\":\"deleted\"");
    try (Handler handler = HandlerTrial.handler(new EnrichFactory(this::open), settings(events))) {
      assertFalse(after(handler, "a").contains("who"));
      rows.put("a", Payload.of("Anna"));
      assertEquals("{\"customer\":\"a\",\"who\":\"Anna\"}", after(handler, "a"));
      rows.remove("a");
      assertFalse(after(handler, "a").contains("who"));
      assertEquals(
          Map.of(new EventTables.Source("shop", "changed", "deleted"), true), Map.copyOf(open));
    }
    assertFalse(open.containsValue(true), "closed with its handler");
  }

  @Test
  void shouldRefuseSettingsThatMakeNoTable() throws Exception {
    refused("\"events\":{\"type\":\"changed\"}", "namespace", this::open);
    refused("\"events\":{\"namespace\":\"shop\"}", "type", this::open);
    refused(EVENTS.formatted(",\"removedBy\":\"changed\""), "removedBy", this::open);
    refused(EVENTS.formatted("") + ",\"file\":\"x\"", "file", this::open);
    refused(EVENTS.formatted(""), "takes no external events", EventTables.NONE);
    refused(
        EVENTS.formatted(""),
        "locked",
        source -> {
          throw new IOException("locked");
        });
  }

  private static void refused(String table, String told, EventTables tables) throws Exception {
    String problems = HandlerTrial.problems(new EnrichFactory(tables), settings(table));
    assertTrue(problems.contains(told), problems);
  }
}
