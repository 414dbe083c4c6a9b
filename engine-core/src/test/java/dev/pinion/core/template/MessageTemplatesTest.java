package dev.pinion.core.template;

import static dev.pinion.core.jq.Expressions.budget;
import static dev.pinion.core.jq.Expressions.compile;
import static dev.pinion.core.jq.Expressions.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.MessageLocation;
import dev.pinion.core.model.call.MessageOptions;
import dev.pinion.core.model.call.MessageProtocol;
import dev.pinion.core.model.call.MessageServer;
import dev.pinion.core.template.MessageAddress.ChannelParameter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers, addresses and contents of messages. */
class MessageTemplatesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nats.test | NATS | false | nats.test | 4222 | false | ''",
        "nats://nats.test:4223 | NATS | false | nats.test | 4223 | false | ''",
        "tls://nats.test | NATS | false | nats.test | 4222 | true | ''",
        "mqtt.test | MQTT | true | mqtt.test | 8883 | true | ''",
        "mqtt.test | MQTT5 | false | mqtt.test | 1883 | false | ''",
        "amqp://amqp.test/shop | AMQP | false | amqp.test | 5672 | false | shop",
        "amqps://amqp.test/a%2Fb | AMQP | false | amqp.test | 5671 | true | a%2Fb",
        "https://web.test/v1/x/ | HTTP | false | web.test | 443 | true | v1/x/",
        "[::1]:8080 | WS | false | ::1 | 8080 | false | ''",
      })
  void shouldReadAddressesOfServers(
      String address,
      MessageProtocol protocol,
      boolean secure,
      String host,
      int port,
      boolean tls,
      String path) {
    assertEquals(
        new MessageServer(host, port, tls, path),
        MessageServerTemplate.parse(address, protocol, secure));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nats test",
        "http://",
        "a:b",
        "host:70000",
        "host:0",
        "user@host",
        "host?x",
        "//host"
      })
  void shouldRefuseAddressesThatAreNone(String address) {
    assertThrows(
        IllegalArgumentException.class,
        () -> MessageServerTemplate.parse(address, MessageProtocol.HTTP, false));
  }

  private static MessageServer server(String input, String... allowed) {
    return new MessageServerTemplate(
            "{zone}.nats.test:{port}",
            Map.of(
                "zone",
                new MessageServerTemplate.ServerVariable(compile(".zone"), List.of(allowed)),
                "port",
                new MessageServerTemplate.ServerVariable(compile(".port"), List.of())),
            MessageProtocol.NATS,
            false)
        .evaluate(json(input), Scope.EMPTY, budget());
  }

  @Test
  void shouldFillVariablesIn() {
    assertEquals(
        new MessageServer("eu.nats.test", 4223, false, ""),
        server("{\"zone\": \"eu\", \"port\": 4223}", "eu", "us"));
    assertEquals(
        new MessageServer("x-1.nats.test", 1, false, ""),
        server("{\"zone\": \"x-1\", \"port\": \"1\"}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"zone\": \"asia\", \"port\": 1}",
        "{\"zone\": \"eu\", \"port\": null}",
        "{\"zone\": \"eu\", \"port\": [1]}",
        "{\"zone\": \"eu\", \"port\": \"1/x?y\"}",
        "{\"zone\": \"eu\", \"port\": \"99999\"}"
      })
  void shouldCallNoServerThatTheDocumentDoesNotHave(String input) {
    ExpressionException failure =
        assertThrows(ExpressionException.class, () -> server(input, "eu", "us"));
    assertEquals("Configuration Error", failure.error().title());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "$message.payload | false | ''",
        "$message.header#/trace | true | trace",
        "$message.payload#/a/b | false | a b",
        "$message.payload#/a~1b/~0c | false | a/b ~c",
        "$message.payload#/items/0 | false | items 0",
      })
  void shouldReadLocations(String expression, boolean inHeaders, String path) {
    assertEquals(
        new MessageLocation(inHeaders, path.isEmpty() ? List.of() : List.of(path.split(" ", -1))),
        MessageLocation.of(expression));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "$message", "$message.body#/a", "$message.payload#a", "$request.x"})
  void shouldReadNoOtherLocations(String expression) {
    assertNull(MessageLocation.of(expression));
  }

  @Test
  void shouldFindValuesInMessages() {
    Payload payload = json("{\"a\": {\"b\": [5, {\"c\": \"x\"}]}}");
    Payload headers = json("{\"trace\": \"t\"}");

    assertEquals(json("5"), find("$message.payload#/a/b/0", payload, headers));
    assertEquals(json("\"x\""), find("$message.payload#/a/b/1/c", payload, headers));
    assertEquals(json("\"t\""), find("$message.header#/trace", payload, headers));
    assertNull(find("$message.payload#/a/b/2", payload, headers));
    assertNull(find("$message.payload#/a/b/x", payload, headers));
    assertNull(find("$message.payload#/a/b/0/c", payload, headers));
  }

  private static @Nullable Payload find(String expression, Payload payload, Payload headers) {
    MessageLocation location = MessageLocation.of(expression);
    return location == null ? null : location.find(payload, headers);
  }

  private static String address(
      MessageProtocol protocol, String pattern, String payload, String... allowed) {
    ChannelParameter parameter =
        new ChannelParameter(
            "id", new MessageLocation(false, List.of("id")), null, List.of(allowed));
    return MessageAddress.of(pattern, protocol, Map.of("id", parameter))
        .of(json(payload), Payload.EMPTY_OBJECT);
  }

  @Test
  void shouldKnowTheParametersOfAnAddress() {
    assertEquals(Set.of("a", "b"), MessageAddress.names("x/{a}/{b}/{a}"));
    assertEquals(Set.of(), MessageAddress.names("x"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "NATS|orders.{id}|{\"id\": \"a-1\"}|orders.a-1",
        "NATS|orders.{id}.{id}|{\"id\": 7}|orders.7.7",
        "AMQP|{id}|{\"id\": \"x\"}|x",
        "MQTT|t/{id}/x|{\"id\": \"a b.c\"}|t/a b.c/x",
        "HTTP|/t/{id}|{\"id\": \"a/b ?\"}|/t/a%2Fb%20%3F",
      })
  void shouldMakeAddresses(
      MessageProtocol protocol, String pattern, String payload, String address) {
    assertEquals(address, address(protocol, pattern, payload));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "NATS|{\"id\": \"a.b\"}",
        "NATS|{\"id\": \">\"}",
        "NATS|{\"id\": \"\"}",
        "NATS|{\"id\": \"a b\"}",
        "NATS|{\"id\": [1]}",
        "NATS|{}",
        "AMQP|{\"id\": \"#\"}",
        "MQTT|{\"id\": \"a/b\"}",
        "MQTT5|{\"id\": \"+\"}",
        "MQTT|{\"id\": \"a\\nb\"}",
        "HTTP|{\"id\": \"..\"}",
        "WS|{\"id\": \"\"}",
      })
  void shouldRefuseValuesThatLeadElsewhere(MessageProtocol protocol, String payload) {
    assertThrows(ExpressionException.class, () -> address(protocol, "x{id}", payload));
  }

  @Test
  void shouldTakeAllowedValuesOnly() {
    assertEquals("x.a", address(MessageProtocol.NATS, "x.{id}", "{\"id\": \"a\"}", "a", "b"));
    assertThrows(
        ExpressionException.class,
        () -> address(MessageProtocol.NATS, "x.{id}", "{\"id\": \"c\"}", "a", "b"));
  }

  private static MessageContentTemplate.Addressed made(MessageProtocol protocol, String headers) {
    MessageServerTemplate server = new MessageServerTemplate("x.test", Map.of(), protocol, false);
    return new MessageContentTemplate(
            compile(".payload"), NameValuePairs.computed(compile(headers), ""), null, null)
        .evaluate(
            new MessageEndpointTemplate(
                server,
                MessageAddress.of("news", protocol, Map.of()),
                "application/json",
                MessageOptions.DEFAULT,
                null),
            json("{\"payload\": 1}"),
            Scope.EMPTY,
            budget());
  }

  @Test
  void shouldMakeHeadersLikeThoseOfRequests() {
    assertEquals(
        List.of(new HttpCall.HeaderField("a", "1")),
        made(MessageProtocol.NATS, "{a: 1}").carrier().headers());
    assertEquals(
        List.of(
            new HttpCall.HeaderField("a", "1"),
            new HttpCall.HeaderField("Content-Type", "application/json")),
        made(MessageProtocol.HTTP, "{a: 1}").carrier().headers());
    assertEquals(
        List.of(new HttpCall.HeaderField("content-type", "text/plain")),
        made(MessageProtocol.HTTP, "{\"content-type\": \"text/plain\"}").carrier().headers());
    assertEquals(json("1"), made(MessageProtocol.NATS, "{}").carrier().body());
    assertEquals("http://x.test:80/news", made(MessageProtocol.HTTP, "{}").carrier().uri());
  }

  @Test
  void shouldRefuseHeadersWhereAProtocolHasNone() {
    for (MessageProtocol protocol : List.of(MessageProtocol.MQTT, MessageProtocol.WS)) {
      assertEquals(List.of(), made(protocol, "{}").carrier().headers());
      ExpressionException failure =
          assertThrows(ExpressionException.class, () -> made(protocol, "{a: 1}"));
      String detail = String.valueOf(failure.error().detail());
      assertTrue(detail.startsWith("expected no headers of a message over"), detail);
    }
  }
}
