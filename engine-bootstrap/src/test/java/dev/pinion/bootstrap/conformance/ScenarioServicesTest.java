package dev.pinion.bootstrap.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScenarioServicesTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private ScenarioServices services;

  @BeforeEach
  void open() throws Exception {
    services = new ScenarioServices(Clock.system());
  }

  @AfterEach
  void close() {
    services.close();
    client.close();
  }

  private HttpResponse<String> get(String url) throws Exception {
    return client.send(request(url).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String url) {
    return HttpRequest.newBuilder(URI.create(services.resolved(url)));
  }

  private void serve(String route, String answers) throws ScenarioFailure {
    services.serve(route, ServiceAnswer.parseAll(JsonExpectation.parse(answers)));
  }

  @Test
  void shouldAnswerOneAfterTheOtherAndRepeatTheLast() throws Exception {
    serve("GET /a", "[{status: 503}, {status: 201, headers: {X-B: c}, body: {d: 1}}]");

    assertEquals(503, get("http://services.example/a").statusCode());
    get("https://services.example/a");
    HttpResponse<String> third = get("http://services.example/a?x=1");

    assertEquals(201, third.statusCode());
    assertEquals("{\"d\":1}", third.body());
    assertEquals("c", third.headers().firstValue("X-B").orElseThrow());
    assertEquals("application/json", third.headers().firstValue("Content-Type").orElseThrow());
    assertEquals(3, services.received("GET /a").size());
    assertEquals(List.of(), services.received("POST /a"));
  }

  @Test
  void shouldSendTextsAndBytes() throws Exception {
    serve("GET /text", "body: hello");
    serve("GET /bytes", "base64: AAEC");

    assertEquals("hello", get("http://services.example/text").body());
    HttpResponse<byte[]> bytes =
        client.send(request("http://services.example/bytes").build(), BodyHandlers.ofByteArray());
    assertArrayEquals(new byte[] {0, 1, 2}, bytes.body());
  }

  @Test
  void shouldMakeAnswersFromRequests() throws Exception {
    serve(
        "POST /a",
        "body: '${ {method, query, n: (.body.n + 1), type: .headers[\"content-type\"]} }'");

    HttpResponse<String> response =
        client.send(
            request("http://services.example/a?x=1&x=2&y=z%20z")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"n\": 4}"))
                .build(),
            BodyHandlers.ofString());

    assertEquals(
        JsonExpectation.parse(
            "{method: POST, query: {x: ['1', '2'], y: z z}, n: 5, type: application/json}"),
        JsonExpectation.parse(response.body()));
  }

  @Test
  void shouldShowFormsAndBrokenJson() throws Exception {
    client.send(
        request("http://services.example/f")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("a=1&b=x+y&c"))
            .build(),
        BodyHandlers.ofString());
    client.send(
        request("http://services.example/f")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"n\":"))
            .build(),
        BodyHandlers.ofString());

    List<ReceivedRequest> received = services.received("POST /f");
    assertEquals(
        JsonExpectation.parse("{a: '1', b: x y, c: ''}"), received.getFirst().json().get("body"));
    assertEquals("{\"n\":", received.getLast().json().get("body").asText());
  }

  @Test
  void shouldCloseConnectionsWithoutAnswer() throws Exception {
    serve("GET /a", "close: true");

    assertThrows(IOException.class, () -> get("http://services.example/a"));
  }

  @Test
  void shouldDelayAnswersButNotItsEnd() throws Exception {
    serve("GET /slow", "{delay: PT0.05S, body: {a: 1}}");
    serve("GET /never", "{delay: PT1H, body: {a: 1}}");
    long began = System.nanoTime();

    get("http://services.example/slow");
    assertTrue(System.nanoTime() - began >= 50_000_000);
    CompletableFuture<HttpResponse<String>> never =
        client.sendAsync(request("http://services.example/never").build(), BodyHandlers.ofString());
    assertEquals(1, services.await("GET /never", 1, Duration.ofSeconds(10)).size());
    services.close();

    assertThrows(CompletionException.class, never::join);
  }

  @Test
  void shouldGiveUpWaitingForRequests() throws Exception {
    assertEquals(List.of(), services.await("GET /a", 1, Duration.ofMillis(1)));
  }

  @Test
  void shouldStandInForPublicServices() throws Exception {
    String find = "https://petstore.swagger.io/v2/pet/findByStatus?status=sold";
    assertEquals(
        JsonExpectation.parse("{id: 2, name: pet-2, status: sold}"),
        JsonExpectation.parse(get(find).body()).get(1));
    assertTrue(get("https://petstore.swagger.io/v2/pet/3").body().contains("pet-3"));
    assertEquals(404, get("https://petstore.swagger.io/v2/pet/getPetByName/x").statusCode());
    assertFalse(
        get("https://petstore.swagger.io/v2/swagger.json").body().contains("petstore.swagger.io"));
    assertEquals(401, get("https://httpbin.org/basic-auth/ada/secret").statusCode());
    HttpResponse<String> allowed =
        client.send(
            request("https://httpbin.org/basic-auth/ada/secret")
                .header("Authorization", "Basic YWRhOnNlY3JldA==")
                .build(),
            BodyHandlers.ofString());
    assertEquals(200, allowed.statusCode());
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "{state: 200}", "{delay: soon}", "{body: '${ .a + }'}"})
  void shouldRefuseAnswersThatAreWrong(String answers) {
    assertThrows(ScenarioFailure.class, () -> serve("GET /a", answers));
  }
}
