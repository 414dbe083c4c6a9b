package dev.pinion.bootstrap.client.asyncapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages in one long response. */
class HttpStreamTest {
  private static final int MAX_BYTES = 20;

  private static List<InboundMessage> messages(@Nullable String type, String body)
      throws IOException, MessageFailure {
    HttpStream stream =
        HttpStream.of(
            type, new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)), MAX_BYTES);
    List<InboundMessage> messages = new ArrayList<>();
    for (InboundMessage each = stream.next(); each != null; each = stream.next()) {
      messages.add(each);
    }
    return messages;
  }

  private static List<String> payloads(@Nullable String type, String body)
      throws IOException, MessageFailure {
    return messages(type, body).stream()
        .map(each -> new String(each.payload(), StandardCharsets.UTF_8))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void shouldReadEventsWithAnyEndOfLine(String end) throws Exception {
    String body =
        """
        : comment

        data: one
        data:two

        retry: 10
        data

        data:  é
        """
            .replace("\n", end);

    assertEquals(List.of("one\ntwo", ""), payloads("text/event-stream; charset=utf-8", body));
    assertEquals(
        List.of("one\ntwo", "", " é"), payloads("Text/Event-Stream", "\ufeff" + body + end));
  }

  @Test
  void shouldReadNamesAndIdsOfEvents() throws Exception {
    String body = "id: 1\nevent: placed\ndata: a\n\ndata: b\n\nevent: idle\n\nid:\ndata: c\n\n";

    List<Map<String, String>> headers =
        messages("text/event-stream", body).stream().map(InboundMessage::headers).toList();

    assertEquals(
        List.of(Map.of("id", "1", "event", "placed"), Map.of("id", "1"), Map.of()), headers);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/x-ndjson",
        "application/jsonl; charset=utf-8",
        "application/json-seq"
      })
  void shouldReadLinesOfJson(String type) throws Exception {
    List<InboundMessage> messages = messages(type, "\u001e{\"a\": 1}\n\r\n\n2\r\n3");

    assertEquals(
        List.of("{\"a\": 1}", "2", "3"),
        messages.stream().map(each -> new String(each.payload(), StandardCharsets.UTF_8)).toList());
    assertEquals("application/json", messages.getFirst().contentType());
  }

  @Test
  void shouldReadAnyOtherResponseAsOneMessage() throws Exception {
    assertEquals(List.of("1\n2"), payloads("application/json", "1\n2"));
    assertEquals("text/plain", messages("text/plain", "x").getFirst().contentType());
    assertEquals(List.of("x"), payloads(null, "x"));
    assertEquals(List.of(), payloads("application/json", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/event-stream", "application/x-ndjson", "text/plain"})
  void shouldRefuseMessagesThatAreTooLong(String type) throws Exception {
    String prefix = type.equals("text/event-stream") ? "data:" : "";
    String longest = "x".repeat(MAX_BYTES - prefix.length());
    assertEquals(List.of(longest), payloads(type, prefix + longest + end(type)));

    MessageFailure failure =
        assertThrows(
            MessageFailure.class, () -> payloads(type, prefix + longest + "x" + end(type)));

    String said = String.valueOf(failure.getMessage());
    assertTrue(said.contains("messages.maxBytes"), said);
  }

  private static String end(String type) {
    return type.equals("text/plain") ? "" : "\n\n";
  }

  @Test
  void shouldRefuseEventsWhoseLinesAreTooLongTogether() {
    String body = "data: 0123456789\n".repeat(3) + "\n";

    assertThrows(MessageFailure.class, () -> payloads("text/event-stream", body));
  }
}
