package dev.pinion.bootstrap.client.asyncapi;

import static dev.pinion.bootstrap.client.call.InvokerStub.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.HttpCall.HeaderField;
import dev.pinion.core.model.call.MessageEndpoint;
import dev.pinion.core.model.call.MessageLocation;
import dev.pinion.core.model.call.MessageOptions;
import dev.pinion.core.model.call.MessageProtocol;
import dev.pinion.core.model.call.MessageServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values of messages and their bytes. */
class MessageContentTest {
  private static final MessageEndpoint PLAIN =
      SampleMessages.endpoint(MessageProtocol.NATS, 4222, "news");

  private final MessageContent content = SampleMessages.content();

  private static MessageEndpoint correlated(boolean inHeaders, String... path) {
    return new MessageEndpoint(
        MessageProtocol.NATS,
        new MessageServer("127.0.0.1", 4222, false, ""),
        "news",
        "application/json",
        MessageOptions.DEFAULT,
        new MessageLocation(inHeaders, List.of(path)));
  }

  private String encoded(String payload, String type) throws MessageFailure {
    return new String(
        content.encoded(SampleMessages.carrier(PLAIN, json(payload)), type),
        StandardCharsets.UTF_8);
  }

  private static InboundMessage message(
      String payload, @Nullable String type, Map<String, String> headers) {
    return new InboundMessage(
        payload.getBytes(StandardCharsets.UTF_8),
        type,
        headers,
        null,
        InboundMessage.NO_ACKNOWLEDGEMENT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\": [1, null]}|application/json|{\"a\":[1,null]}",
        "\"hi\"|application/json|\"hi\"",
        "\"hi\"|text/plain|hi",
        "{\"a\": 1}|application/vnd.acme+json|{\"a\":1}",
      })
  void shouldWritePayloadsByTheirMediaType(String payload, String type, String bytes)
      throws Exception {
    assertEquals(bytes, encoded(payload, type));
  }

  @Test
  void shouldSendNothingWhereThereIsNoPayload() throws Exception {
    assertEquals(
        0, content.encoded(SampleMessages.carrier(PLAIN, null), "application/json").length);
  }

  @Test
  void shouldRefusePayloadsThatAreTooLong() {
    MessageContent small =
        new MessageContent(EngineLimits.defaults().with(Map.of("messages.maxBytes", 1 << 10)));
    Payload longest = Payload.of("x".repeat(1022));
    Payload longer = Payload.of("x".repeat(1023));

    assertEquals(1024, bytes(small, longest));
    String said =
        String.valueOf(
            assertThrows(
                    MessageFailure.class,
                    () -> small.encoded(SampleMessages.carrier(PLAIN, longer), "application/json"))
                .getMessage());
    assertTrue(said.contains("messages.maxBytes"), said);
    assertThrows(
        MessageFailure.class,
        () -> small.value(PLAIN, message("\"" + "x".repeat(1023) + "\"", null, Map.of())));
  }

  private static int bytes(MessageContent small, Payload payload) {
    try {
      return small.encoded(SampleMessages.carrier(PLAIN, payload), "application/json").length;
    } catch (MessageFailure e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldReadPayloadsByTheTypeThatTheyComeWith() throws Exception {
    assertEquals(
        json("{\"payload\": {\"a\": 1}, \"headers\": {\"h\": \"v\"}}"),
        content.value(PLAIN, message("{\"a\": 1}", null, Map.of("h", "v"))));
    assertEquals(
        json("{\"payload\": \"{\", \"headers\": {}}"),
        content.value(PLAIN, message("{", "text/plain; charset=utf-8", Map.of())));
  }

  @Test
  void shouldReadTheCorrelationIdWhereTheDocumentSaysIt() throws Exception {
    InboundMessage message = message("{\"ref\": {\"id\": 7}}", null, Map.of("trace", "t1"));

    assertEquals(
        Payload.of("7"),
        content.value(correlated(false, "ref", "id"), message).member("correlationId"));
    assertEquals(
        Payload.of("t1"),
        content.value(correlated(true, "trace"), message).member("correlationId"));
    assertNull(content.value(correlated(true, "other"), message).member("correlationId"));
    assertEquals(
        Payload.of("c"),
        content
            .value(
                PLAIN,
                new InboundMessage(
                    new byte[] {'1'}, null, Map.of(), "c", InboundMessage.NO_ACKNOWLEDGEMENT))
            .member("correlationId"));
  }

  @Test
  void shouldTakeTheHeadersOfAMessageFromItsCarrier() {
    MessageEndpoint endpoint = correlated(true, "trace");
    OutgoingMessage message =
        OutgoingMessage.of(
            endpoint,
            SampleMessages.carrier(
                endpoint,
                json("1"),
                new HeaderField("trace", "t1"),
                new HeaderField("Idempotency-Key", "\"i-t0\""),
                SampleMessages.basic("ada", "pass:word")),
            new byte[] {'1'});

    assertEquals(Map.of("trace", "t1", "Idempotency-Key", "\"i-t0\""), message.headers());
    assertEquals("i-t0", message.id());
    assertEquals("t1", message.correlationId());
    assertEquals(new MessageCredentials("ada", "pass:word"), message.credentials());
    assertEquals("a user and a password", String.valueOf(message.credentials()));
  }
}
