package dev.pinion.bootstrap.client.asyncapi;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.client.ProtocolEngine;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls by documents of AsyncAPI, through a whole engine. */
class AsyncApiCallsTest {
  @TempDir Path folder;

  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private ProtocolEngine engine;

  @BeforeEach
  void start() throws IOException {
    engine = ProtocolEngine.withDocuments(folder);
  }

  @AfterEach
  void stop() {
    engine.close();
    thread.shutdownNow();
  }

  /** Writes a document of generation 3 with one server and one channel. */
  private String third(String protocol, int port, String address) throws IOException {
    return written(
        """
        asyncapi: 3.0.0
        info: {title: News, version: 1.0.0}
        servers: {main: {host: '127.0.0.1:%s', protocol: %s}}
        channels: {news: {address: %s}}
        operations:
          follow:
            action: send
            channel: {$ref: '#/channels/news'}
            bindings: {http: {method: GET}}
          tell: {action: receive, channel: {$ref: '#/channels/news'}}
        """
            .formatted(port, protocol, address));
  }

  private String written(String document) throws IOException {
    return Files.writeString(folder.resolve("news.yaml"), document).toUri().toString();
  }

  private static String call(String document, String arguments) {
    return "{call: asyncapi, with: {document: {endpoint: '%s'}, %s}}"
        .formatted(document, arguments);
  }

  private static JsonNode json(String text) throws IOException {
    return ProtocolEngine.json(text);
  }

  @Test
  void shouldDoTasksForTheEventsOfAResponse() throws Exception {
    try (StreamStub server = new StreamStub(200, "text/event-stream")) {
      String document = third("http", server.port(), "/feed");
      for (int i = 1; i <= 4; i++) {
        server.send("data: {\"n\": " + i + "}\n\n");
      }

      JsonNode output =
          engine.output(
              call(
                  document,
                  "operation: follow, subscription: {filter: '${ .payload.n > 1 }', consume:"
                      + " {amount: 2}, foreach: {item: news, do: [{double: {set: {twice:"
                      + " '${ $news.payload.n * 2 }'}}}], output: {as: '${ .twice }'}}}"));

      assertEquals(json("[4, 6]"), output);
      StreamStub.StreamRequest asked = server.asked.getFirst();
      assertEquals("GET /feed", asked.method() + " " + asked.path());
    }
  }

  @Test
  void shouldTakeWhatAChannelHasUntilItEnds() throws Exception {
    try (StreamStub server = new StreamStub(200, "application/x-ndjson")) {
      String document =
          written(
              """
              asyncapi: 2.6.0
              info: {title: News, version: 1.0.0}
              servers: {main: {url: 'http://127.0.0.1:%s', protocol: http}}
              channels: {feed: {subscribe: {operationId: follow}}}
              """
                  .formatted(server.port()));
      server.send("1\n2\n");
      server.end();

      JsonNode output =
          engine.output(
              call(document, "channel: feed, subscription: {consume: {while: '${ true }'}}"));

      assertEquals(
          json("[{\"payload\": 1, \"headers\": {}}, {\"payload\": 2, \"headers\": {}}]"), output);
    }
  }

  @Test
  void shouldExchangeMessagesOverMqtt() throws Exception {
    try (MqttBrokerStub broker = new MqttBrokerStub()) {
      String document = third("mqtt5", broker.port(), "news");
      CompletableFuture<JsonNode> heard =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return engine.output(
                      call(
                          document,
                          "operation: follow, subscription: {consume: {until:"
                              + " '${ .payload == \"last\" }'}, foreach: {output: {as:"
                              + " '${ [.payload, .headers.trace] }'}}}"));
                } catch (Exception e) {
                  throw new AssertionError(e);
                }
              },
              thread);
      await().until(() -> broker.subscribed.contains("news"));

      assertEquals(
          json("{\"payload\": \"first\", \"headers\": {\"trace\": \"t1\"}}"),
          engine.output(
              call(document, "operation: tell, message: {payload: first, headers: {trace: t1}}")));
      engine.output(call(document, "operation: tell, message: {payload: last}"));

      assertEquals(
          json("[[\"first\", \"t1\"], [\"last\", null]]"), heard.get(20, TimeUnit.SECONDS));
    }
  }

  @Test
  void shouldFailTheTaskWhereNoServerIs() throws Exception {
    int port;
    try (StreamStub server = new StreamStub(200, "text/plain")) {
      port = server.port();
    }
    JsonNode error =
        engine.error(call(third("mqtt", port, "news"), "operation: tell, message: {payload: 1}"));

    assertTrue(error.path("type").asText().endsWith("/communication"), error::toString);
    assertTrue(
        error.path("detail").asText().contains("the MQTT server 127.0.0.1:" + port),
        error::toString);
  }

  @Test
  void shouldRefuseADefinitionWhoseProtocolNobodySpeaks() throws Exception {
    HttpResponse<String> response =
        engine.deploy(call(third("kafka", 9092, "news"), "operation: tell, message: {payload: 1}"));

    assertEquals(422, response.statusCode(), response::body);
    assertTrue(response.body().contains("a call over kafka"), response::body);
  }
}
