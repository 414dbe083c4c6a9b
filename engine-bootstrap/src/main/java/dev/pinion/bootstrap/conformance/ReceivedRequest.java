package dev.pinion.bootstrap.conformance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that a service of a scenario has received.
 *
 * @param method its method
 * @param uri path and query as sent
 * @param headers header fields, names in lower case
 * @param body text of the body, UTF-8
 */
record ReceivedRequest(String method, URI uri, Map<String, List<String>> headers, String body) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FORM = "application/x-www-form-urlencoded";

  /** A name of a header field as requests have it here. */
  static String headerName(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** Method and path, which name the service. */
  String route() {
    return method + " " + uri.getRawPath();
  }

  /** The request as scenarios see it: method, path, query, headers and body. */
  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("method", method);
    json.put("path", uri.getRawPath());
    json.set("query", pairs(uri.getRawQuery()));
    ObjectNode fields = json.putObject("headers");
    headers.forEach((name, values) -> fields.put(name, String.join(", ", values)));
    json.set("body", content(fields.path("content-type").asText("")));
    return json;
  }

  private JsonNode content(String type) {
    if (body.isEmpty()) {
      return NullNode.getInstance();
    }
    if (type.startsWith(FORM)) {
      return pairs(body);
    }
    try {
      return type.contains("json") ? JSON.readTree(body) : TextNode.valueOf(body);
    } catch (JsonProcessingException e) {
      return TextNode.valueOf(body);
    }
  }

  /** Names and values of a query or a form; a repeated name has an array. */
  private static ObjectNode pairs(@Nullable String text) {
    ObjectNode pairs = JsonNodeFactory.instance.objectNode();
    if (text == null || text.isEmpty()) {
      return pairs;
    }
    for (String pair : text.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      String name = decoded(parts[0]);
      TextNode value = TextNode.valueOf(parts.length > 1 ? decoded(parts[1]) : "");
      JsonNode former = pairs.path(name);
      if (former instanceof ArrayNode several) {
        several.add(value);
      } else if (former.isMissingNode()) {
        pairs.set(name, value);
      } else {
        pairs.putArray(name).add(former).add(value);
      }
    }
    return pairs;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
