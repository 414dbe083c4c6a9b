package dev.pinion.core.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.http.Route;
import dev.pinion.core.http.message.PercentEncoding;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Field fault 29: the OpenAPI document states the checks of the routes, no more and no less. Values
 * on both sides of each bound are sent and compared with the document.
 */
class OpenApiConstraintsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String START = "/v1/namespaces/test/definitions/echo/instances";
  private static final String TYPE = "Content-Type: application/json\r\n";

  private static RequestHandlerServer requestHandlerServer;
  private static JsonNode document;

  @BeforeAll
  static void serve() throws IOException {
    requestHandlerServer =
        RequestHandlerServer.with(
            Map.of(
                "request.maxKeyChars", 8,
                "request.maxBusinessKeyChars", 6,
                "request.maxLabels", 2,
                "request.maxLabelChars", 5,
                "request.maxListed", 70));
    try (RawHttpClient client = requestHandlerServer.client()) {
      document = JSON.readTree(client.get("/openapi.json").body());
    }
  }

  @AfterAll
  static void stop() {
    requestHandlerServer.close();
  }

  private static JsonNode schema(String name) {
    JsonNode schema = document.at("/components/schemas/" + name);
    assertTrue(schema.isObject(), name);
    return schema;
  }

  private static int ask(String method, String target, String fields, String body)
      throws IOException {
    try (RawHttpClient client = requestHandlerServer.client()) {
      return client.ask(method, target, fields, body).status();
    }
  }

  /** Whether the document accepts a text. */
  private static boolean allows(JsonNode schema, String text) {
    int length = text.codePointCount(0, text.length());
    if (schema.has("anyOf")) {
      for (JsonNode each : schema.path("anyOf")) {
        if (each.has("const") ? each.path("const").asText().equals(text) : allows(each, text)) {
          return true;
        }
      }
      return false;
    }
    return Pattern.compile(schema.path("pattern").asText("").replaceAll("\\$$", "\\\\z"))
            .matcher(text)
            .find()
        && length >= schema.path("minLength").asInt(0)
        && length <= schema.path("maxLength").asInt(Integer.MAX_VALUE)
        && !schema.at("/not/const").asText("-").equals(text);
  }

  private interface Sent {
    int with(String value) throws IOException;
  }

  /** Sends values; the document must accept exactly those that are not answered 400. */
  private static void compare(String what, Predicate<String> allowed, Sent sent, String... values)
      throws IOException {
    boolean both = false;
    for (String value : values) {
      assertEquals(allowed.test(value), sent.with(value) != 400, what + " with <" + value + ">");
      both |= allowed.test(value) != allowed.test(values[0]);
    }
    assertTrue(both, what + ": expected values on both sides");
  }

  @Test
  void shouldTellWhatKeysAre() throws IOException {
    JsonNode key = schema("Key");
    compare(
        "Idempotency-Key",
        value -> allows(key, value),
        value -> ask("POST", START, TYPE + "Idempotency-Key: " + value + "\r\n", "{}"),
        "\"a\"",
        "a",
        "12345678",
        "\"12345678\"",
        "\"a b\"",
        "\"\\\\\"",
        "",
        "\"\"",
        "\"",
        "a b",
        "123456789",
        "\"123456789\"",
        "a,b",
        "a;b",
        "\"a");
  }

  @Test
  void shouldTellWhatInstanceIdsAre() throws IOException {
    JsonNode id = schema("InstanceId");
    compare(
        "parent",
        value -> allows(id, value),
        value -> ask("GET", "/v1/history/instances?parent=" + value, "", ""),
        "i_0000000000000",
        "i_7zzzzzzzzzzzz",
        "i_8000000000000",
        "i_000000000000",
        "i_00000000000000",
        "i_000000000000i",
        "i_000000000000l",
        "i_000000000000A",
        "j_0000000000000",
        "");
  }

  @Test
  void shouldTellWhatEntityTagsAre() throws IOException {
    JsonNode tags = schema("EntityTags");
    String path = "/v1/namespaces/test/definitions/echo/versions/1.0.0";
    compare(
        "If-None-Match",
        value -> allows(tags, value),
        value -> ask("GET", path, "If-None-Match: " + value + "\r\n", ""),
        "*",
        "\"a\"",
        "W/\"a\"",
        "\"a\", \"b\"",
        "\"\"",
        "",
        "a",
        "\"a",
        "\"a\",",
        "\"a\" \"b\"",
        "*, \"a\"");
  }

  @Test
  void shouldTellWhatQueriesAre() throws IOException {
    JsonNode name = schema("Name");
    compare(
        "name",
        value -> allows(name, value),
        value -> ask("GET", "/v1/definitions?name=" + PercentEncoding.encode(value), "", ""),
        "a",
        "\u00fc \ud83d\ude00",
        "",
        "\u0000",
        "a\nb",
        "\u007f",
        "\u0085");
    JsonNode limit = schema("Limit");
    compare(
        "limit",
        value ->
            Integer.parseInt(value) >= limit.path("minimum").asInt()
                && Integer.parseInt(value) <= limit.path("maximum").asInt(),
        value -> ask("GET", "/v1/definitions?limit=" + value, "", ""),
        "1",
        "70",
        "0",
        "71",
        "-1");
  }

  @Test
  void shouldTellApartWhatIsNoCursorAndWhatIsNoneOfItsOwn() throws IOException {
    JsonNode cursor = schema("Cursor");
    compare(
        "cursor",
        value -> allows(cursor, value),
        value -> ask("GET", "/v1/definitions?cursor=" + value, "", ""),
        "AAAAAAAAAAAA",
        "a-b_c-d_e-f_g",
        "",
        "short",
        "AAAAAAAAAAA=",
        "A%20AAAAAAAAAAAAA");
    assertEquals(404, ask("GET", "/v1/definitions?cursor=AAAAAAAAAAAA", "", ""));
  }

  @Test
  void shouldTellWhatStartsAre() throws IOException {
    JsonNode start = schema("Start");
    compare(
        "businessKey",
        value -> allows(start.at("/properties/businessKey"), value),
        value -> start("{\"businessKey\":" + JSON.writeValueAsString(value) + "}"),
        "a",
        "123456",
        "",
        "1234567",
        "a\tb");
    compare(
        "label",
        value -> allows(start.at("/properties/labels/propertyNames"), value),
        value -> start("{\"labels\":{" + JSON.writeValueAsString(value) + ":\"v\"}}"),
        "a",
        "12345",
        "",
        "123456",
        "\u0000");
    compare(
        "value of a label",
        value -> allows(start.at("/properties/labels/additionalProperties"), value),
        value -> start("{\"labels\":{\"a\":" + JSON.writeValueAsString(value) + "}}"),
        "a",
        "12345",
        "",
        "123456",
        "\u0000");
    assertEquals(2, start.at("/properties/labels/maxProperties").asInt());
    assertEquals(200, start("{\"labels\":{\"a\":\"1\",\"b\":\"2\"}}"));
    assertEquals(400, start("{\"labels\":{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\"}}"));
    assertFalse(start.path("additionalProperties").asBoolean(true));
    assertEquals(400, start("{\"other\":1}"));
  }

  private static int start(String body) throws IOException {
    return ask("POST", START, TYPE, body);
  }

  @Test
  void shouldTellWhatEveryOperationMayAnswer() {
    assertEquals("/", document.at("/servers/0/url").asText());
    List<String> tags = document.path("tags").findValuesAsText("name");
    for (Route route : requestHandlerServer.handler.http().routes()) {
      JsonNode operation =
          document
              .path("paths")
              .path(route.path().toString())
              .path(route.method().toLowerCase(Locale.ROOT));
      assertTrue(tags.contains(operation.at("/tags/0").asText()), route.operation().id());
      for (String status : List.of("400", "405", "421", "500", "503", "505")) {
        assertTrue(operation.path("responses").has(status), route.operation().id() + " " + status);
      }
      assertEquals(!route.method().equals("GET"), operation.path("responses").has("507"));
    }
  }
}
