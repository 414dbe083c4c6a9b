package dev.pinion.handlers.builtin.observe;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.EventTables;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Metered;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.SettingProblem;
import dev.pinion.handlers.builtin.HandlerTrial;
import dev.pinion.handlers.builtin.data.EnrichFactory;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.HandlerKinds;
import dev.pinion.handlers.config.HandlerProvider;
import dev.pinion.handlers.config.InvalidChainsException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Events sent by handlers. */
class NotifyTest {
  private record Put(UUID id, String namespace, String definition, Payload event) {}

  private final HandlerTrial.Hands clock = new HandlerTrial.Hands();
  private final List<Put> put = new ArrayList<>();
  private final NotifyFactory factory =
      new NotifyFactory(
          clock, (id, namespace, name, event) -> put.add(new Put(id, namespace, name, event)));

  private static Message message(long number, String body) {
    return Message.of(
        new MessageId(7, number),
        Point.REQUEST_IN,
        Map.of("definition", "shop/order/1.0.0", "header.x-customer", "c7"),
        HandlerTrial.json(body));
  }

  private String told(String settings, Message message) throws Exception {
    try (Handler handler = HandlerTrial.handler(factory, settings)) {
      assertTrue(handler.declaration().oneway(), "nobody waits for it");
      assertEquals(message, HandlerTrial.after(handler, message));
      assertEquals(1.0, ((Metered) handler).metrics().getFirst().value());
    }
    return put.getLast().event().json().toString();
  }

  @Test
  void shouldTellOfAMessage() throws Exception {
    String event =
        told(
            "{\"type\": \"com.example.arrived\", \"source\": \"/shop\", \"data\": \"/order\","
                + " \"subject\": \"property:header.x-customer\"}",
            message(1, "{\"order\":{\"n\":1},\"secret\":2}"));
    Put first = put.getFirst();
    assertEquals(
        "{\"specversion\":\"1.0\",\"id\":\""
            + first.id()
            + "\",\"source\":\"/shop\",\"type\":\"com.example.arrived\",\"subject\":\"c7\","
            + "\"time\":\"2023-11-14T22:13:20Z\",\"sequence\":\"0000001700000000000\","
            + "\"datacontenttype\":\"application/json\",\"data\":{\"n\":1}}",
        event);
    assertEquals("shop order", first.namespace() + " " + first.definition());
  }

  @Test
  void shouldNameAnEventAlikeForEachAttemptAndNoOtherSo() throws Exception {
    told("{\"type\": \"a\"}", message(1, "1"));
    told("{\"type\": \"a\"}", message(1, "1"));
    told("{\"type\": \"b\"}", message(1, "1"));
    told("{\"type\": \"a\", \"source\": \"/b\"}", message(1, "1"));
    told("{\"type\": \"a\"}", message(2, "1"));
    assertEquals(put.get(0).id(), put.get(1).id());
    assertEquals(4, put.stream().map(Put::id).distinct().count());
  }

  @Test
  void shouldLeaveOutDataThatIsTooLargeOrNotWanted() throws Exception {
    String most = "{\"type\": \"a\", \"maxDataBytes\": 4}";
    assertTrue(told(most, message(1, "\"ab\"")).endsWith("\"data\":\"ab\"}"));
    assertTrue(told(most, message(1, "\"abc\"")).endsWith("\"data\":{\"omittedBytes\":5}}"));
    String without = "{\"type\": \"a\", \"withData\": false}";
    assertTrue(told(without, message(1, "no JSON")).endsWith("\"data\":null}"));
    assertTrue(
        told("{\"type\": \"a\", \"data\": \"/b\"}", message(1, "{}")).endsWith("\"data\":null}"));
  }

  @Test
  void shouldFailWhereNothingTakesEvents() throws Exception {
    try (Handler handler = HandlerTrial.handler(new NotifyFactory(), "{\"type\": \"a\"}")) {
      assertThrows(IOException.class, () -> HandlerTrial.verdict(handler, message(1, "1")));
    }
    NotifyFactory none = new NotifyFactory(clock, null);
    String problem = HandlerTrial.problems(none, "{\"type\": \"a\"}");
    assertTrue(problem.contains("serve --history"), problem);
  }

  @Test
  void shouldSayWhatIsWrongWithSettings() throws Exception {
    assertTrue(HandlerTrial.problems(factory, "{}").contains("expected the setting \"type\""));
    for (String type : List.of("", "a b", "dev.pinion.instance.completed", "t".repeat(129))) {
      String found = HandlerTrial.problems(factory, "{\"type\": \"" + type + "\"}");
      assertTrue(found.contains("expected a type such as com.example"), found);
    }
    assertEquals("[]", HandlerTrial.problems(factory, "{\"type\": \"" + "t".repeat(128) + "\"}"));
    assertTrue(
        HandlerTrial.problems(factory, "{\"type\": \"a\", \"source\": \"a b\"}")
            .contains("RFC 3986"));
    assertTrue(
        HandlerTrial.problems(factory, "{\"type\": \"a\", \"data\": \"/a\", \"withData\": false}")
            .contains("expected no part"));
    assertTrue(
        HandlerTrial.problems(factory, "{\"type\": \"a\", \"maxDataBytes\": 1048577}")
            .contains("1 to 1048576"));
  }

  /** A host has no history that notifies subscribers, and receives no external events. */
  @Test
  void shouldBeRefusedWhereHandlerHostsWouldRunIt() {
    HandlerKinds kinds =
        HandlerKinds.installed(NotifyTest.class.getClassLoader())
            .with(new NotifyFactory(clock, (id, namespace, name, event) -> {}))
            .with(new EnrichFactory(EventTables.EMPTY));
    ChainReader reader =
        new ChainReader(
            kinds, EngineLimits.defaults(), HandlerProvider.RemoteHandlerRequest::local);
    String document =
        """
        chains:
        - name: a
          handlers:
          - {use: notify, name: told, place: remote, settings: {type: a}}
          - use: enrich
            place: auto
            settings: {key: /a, target: /b, table: {events: {namespace: shop, type: changed}}}
        """;

    InvalidChainsException refused =
        assertThrows(InvalidChainsException.class, () -> reader.read(document));
    assertEquals(
        List.of("/chains/0/handlers/0/place", "/chains/0/handlers/1/place"),
        refused.problems().stream().map(SettingProblem::pointer).toList(),
        refused.problems()::toString);
    assertDoesNotThrow(
        () -> reader.read(document.replace("remote", "local").replace("auto", "local")));
  }
}
