package dev.pinion.handlers.builtin.state;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.builtin.security.FieldCipher;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A stored answer that can be sent again.
 *
 * @param status its status
 * @param fields its header fields by name in lower case
 * @param body its body; empty when that was too large to be stored
 */
record StoredResponse(int status, SortedMap<String, String> fields, Body body) {
  StoredResponse {
    fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
  }

  /** The answer, with one more field. */
  Verdict toVerdict(String field, String value) {
    SortedMap<String, String> all = new TreeMap<>(fields);
    all.put(field, value);
    return new Verdict.Answer(status, all, body);
  }

  /** As text that {@link #parse} reads. */
  String text() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("status", status);
    ObjectNode names = json.putObject("fields");
    fields.forEach(names::put);
    json.put("type", body.mediaType());
    json.put("body", Base64.getEncoder().encodeToString(body.bytes(FieldCipher.CODEC)));
    return json.toString();
  }

  /**
   * Reads the output of {@link #text}.
   *
   * @throws PayloadSyntaxException when it is something else
   */
  static StoredResponse parse(String text) throws PayloadSyntaxException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Payload read = FieldCipher.CODEC.read(bytes, 0, bytes.length);
    JsonNode json = read.json();
    SortedMap<String, String> fields = new TreeMap<>();
    for (Map.Entry<String, JsonNode> each : json.path("fields").properties()) {
      fields.put(each.getKey(), each.getValue().asText());
    }
    byte[] body = Base64.getDecoder().decode(json.path("body").asText());
    return new StoredResponse(
        json.path("status").asInt(), fields, Body.of(body, json.path("type").asText()));
  }
}
