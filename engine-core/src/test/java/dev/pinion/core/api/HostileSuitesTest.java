package dev.pinion.core.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.api.RawHttpClient.HttpReply;
import dev.pinion.core.http.message.PercentEncoding;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Third-party collections of hostile messages, bodies and strings. */
class HostileSuitesTest {
  private static final String START = "/v1/namespaces/test/definitions/echo/instances";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Messages that llhttp rejects and that are not answered 400 here, each with the reason. */
  private static final Map<String, String> EXCEPTIONS =
      Map.of(
          "No restart when keep-alive is off (1.0)",
          "a complete request, answered and closed; what follows its close is not read",
          "HTTP protocol and ANNOUNCE method",
          "any token is a method (RFC 9110 section 9.1): 404 or 405",
          "Invalid method",
          "any token is a method (RFC 9110 section 9.1): 404 or 405",
          "No extension after semicolon",
          "an empty chunk extension: nothing is ambiguous about the framing");

  /** JSON does not define a duplicate member (RFC 8259 section 4); here it is refused. */
  private static final Set<String> MEMBER_TWICE =
      Set.of("y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json");

  private static RequestHandlerServer requestHandlerServer;

  @BeforeAll
  static void serve() {
    requestHandlerServer = RequestHandlerServer.plain();
  }

  @AfterAll
  static void stop() {
    requestHandlerServer.close();
  }

  private static Path suite(String name) {
    Path path = Path.of(System.getProperty("pinion.suites", "missing"), name);
    assumeTrue(Files.exists(path), "skipped: third-party data " + path + " is missing");
    return path;
  }

  /** The reaction of the server to a message and to the marker after it on the same connection. */
  private record Seen(List<Integer> statuses, int markers, boolean closed) {}

  @Test
  void shouldNeverLoseOrRepeatTheRequestAfterAMessage() throws Exception {
    List<String> wrong = new ArrayList<>();
    Map<String, Integer> counts = new TreeMap<>();
    for (JsonNode message : JSON.readTree(suite("llhttp/cases.json").toFile())) {
      if (!message.path("type").asText().startsWith("request")) {
        continue;
      }
      byte[] bytes = HexFormat.of().parseHex(message.path("hex").asText());
      String name = message.path("name").asText();
      boolean strict = !message.path("lenient").asBoolean() && !message.path("skip").asBoolean();
      boolean mustReject = strict && message.path("expect").asText().equals("error");
      for (String form : List.of("as it is", "with Host")) {
        byte[] variant = form.equals("with Host") ? withHost(bytes) : bytes;
        Seen seen = exchange(variant);
        String outcome = judge(seen, mustReject && !EXCEPTIONS.containsKey(name));
        String kind = mustReject ? "must reject: " : "other: ";
        counts.merge(form + ", " + kind + outcome, 1, Integer::sum);
        if (outcome.startsWith("wrong")) {
          wrong.add(outcome + " " + seen + ": " + name + " " + HexFormat.of().formatHex(variant));
        }
      }
    }
    System.out.println("llhttp: " + counts + "; exceptions: " + EXCEPTIONS);
    assertEquals(List.of(), wrong);
  }

  /** Most messages have no Host, which alone would have them rejected: adds one. */
  private static byte[] withHost(byte[] message) {
    String text = new String(message, StandardCharsets.ISO_8859_1);
    int firstLine = text.indexOf("HTTP/1.1\r\n");
    if (firstLine < 0 || text.toLowerCase(Locale.ROOT).contains("\nhost:")) {
      return message;
    }
    int at = firstLine + "HTTP/1.1\r\n".length();
    return (text.substring(0, at) + "Host: localhost\r\n" + text.substring(at))
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /**
   * Sends the message, ended like a head, then a marker, and uses the connection as long as the
   * server allows.
   */
  private static Seen exchange(byte[] message) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(message);
    all.write(
        "\r\nGET /readyz?marker HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII));
    List<Integer> statuses = new ArrayList<>();
    int markers = 0;
    try (RawHttpClient client = requestHandlerServer.client()) {
      client.sendWhatFits(all.toByteArray());
      requestHandlerServer.pass(Duration.ZERO);
      for (HttpReply reply = read(client); reply != null; reply = read(client)) {
        statuses.add(reply.status());
        markers += reply.body().contains("\\\"marker\\\"") ? 1 : 0;
        if (reply.header("connection").equals("close")) {
          return new Seen(statuses, markers, client.isEnded());
        }
      }
      return new Seen(statuses, markers, true);
    }
  }

  private static @Nullable HttpReply read(RawHttpClient client) throws IOException {
    client.timeout(300);
    return client.readOrEnd(false);
  }

  private static String judge(Seen seen, boolean mustReject) {
    if (seen.markers > 1) {
      return "wrong: marker answered twice";
    }
    if (seen.statuses.stream().anyMatch(status -> status >= 500 && status != 505)) {
      return "wrong: 5xx";
    }
    boolean refused = seen.statuses.contains(400) || seen.statuses.contains(505);
    boolean rejected = refused && seen.markers == 0 && seen.closed;
    if (mustReject && !rejected) {
      return "wrong: not rejected";
    }
    if (seen.markers == 1) {
      return "marker answered once";
    }
    return rejected ? "rejected and closed" : "no marker, as the message or its end swallowed it";
  }

  @Test
  void shouldAcceptJsonAndNothingElse() throws Exception {
    Map<String, Integer> counts = new TreeMap<>();
    List<String> wrong = new ArrayList<>();
    try (Stream<Path> files = Files.list(suite("JSONTestSuite/test_parsing"))) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        int status = start(Files.readAllBytes(file));
        counts.merge(name.charAt(0) + "_ " + status, 1, Integer::sum);
        boolean right =
            switch (name.charAt(0)) {
              case 'y' -> status == (MEMBER_TWICE.contains(name) ? 400 : 200);
              case 'n' -> status == 400;
              default -> status == 200 || status == 400;
            };
        if (!right) {
          wrong.add(name + " " + status);
        }
      }
    }
    System.out.println("JSONTestSuite: " + counts);
    assertEquals(List.of(), wrong);
    assertEquals(318, counts.values().stream().mapToInt(Integer::intValue).sum());
  }

  private static int start(byte[] input) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write("{\"input\":".getBytes(StandardCharsets.US_ASCII));
    body.write(input);
    body.write('}');
    String type = "Content-Type: application/json\r\n";
    try (RawHttpClient client = requestHandlerServer.client()) {
      client.send(RawHttpClient.request("POST", START, type, body.toByteArray()));
      return client.read().status();
    }
  }

  @Test
  void shouldKeepNaughtyStringsAsTheyAre() throws Exception {
    int kept = 0;
    try (RawHttpClient client = requestHandlerServer.client()) {
      for (JsonNode naughty : JSON.readTree(suite("blns/blns.json").toFile())) {
        String text = naughty.asText();
        HttpReply reply = client.post(START, "{\"input\":" + JSON.writeValueAsString(text) + "}");
        assertEquals(200, reply.status(), text);
        assertEquals(text, JSON.readTree(reply.body()).path("output").asText());

        String segment = PercentEncoding.encode(text);
        HttpReply named = client.get("/v1/namespaces/" + segment + "/definitions/" + segment);
        assertTrue(named.status() == 404 || named.status() == 400, text);
        HttpReply put =
            client.ask(
                "PUT",
                "/v1/namespaces/" + segment + "/definitions/x/versions/1.0.0",
                "Content-Type: application/json\r\n",
                "{\"document\":{\"namespace\":"
                    + JSON.writeValueAsString(text)
                    + ",\"name\":\"x\",\"version\":\"1.0.0\"}}");
        if (put.status() < 300) {
          HttpReply again = client.get(put.header("location"));
          assertEquals(text, JSON.readTree(again.body()).at("/document/namespace").asText(), text);
          kept++;
        } else {
          assertTrue(put.status() < 500, put.toString());
        }
      }
    }
    System.out.println("blns: " + kept + " names of definitions kept exactly, the rest refused");
    assertTrue(kept > 0);
  }
}
