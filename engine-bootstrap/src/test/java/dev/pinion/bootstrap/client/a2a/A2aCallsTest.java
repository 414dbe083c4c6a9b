package dev.pinion.bootstrap.client.a2a;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.client.ProtocolEngine;
import dev.pinion.bootstrap.client.RpcStub;
import dev.pinion.bootstrap.client.RpcStub.Received;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of an agent, through a whole engine. */
class A2aCallsTest {
  private static final String ANSWER = "{\"jsonrpc\": \"2.0\", \"id\": 1, %s}";
  private static final String SEND = "method: message/send, parameters: {message: {parts: [hi]}}";
  private static final String STREAM =
      "method: message/stream, parameters: {message: {messageId: m, role: agent}}";

  @TempDir private Path folder;
  private ProtocolEngine engine;

  @BeforeEach
  void start() throws IOException {
    engine = ProtocolEngine.withDocuments(folder);
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  private static String call(RpcStub agent, String arguments) {
    return "{call: a2a, with: {%s, server: '%s'}}".formatted(arguments, agent.uri());
  }

  private static RpcStub answering(String member) throws IOException {
    return new RpcStub((request, answer) -> answer.json(ANSWER.formatted(member)));
  }

  private static String result(String result) {
    return ANSWER.formatted("\"result\": " + result);
  }

  @Test
  void shouldSendAMessageWithAnIdAndARole() throws Exception {
    try (RpcStub agent = answering("\"result\": {\"kind\": \"task\", \"id\": \"t\"}")) {
      assertEquals("t", engine.output(call(agent, SEND)).path("id").asText());

      assertEquals(1, agent.received().size());
      JsonNode sent = agent.received().getFirst().message();
      JsonNode message = sent.path("params").path("message");
      String id = message.path("messageId").asText();
      assertEquals(id, UUID.fromString(id).toString());
      assertEquals("user", message.path("role").asText());
      assertEquals(ProtocolEngine.json("[\"hi\"]"), message.path("parts"));
      assertEquals("message/send", sent.path("method").asText());
      assertEquals("2.0", sent.path("jsonrpc").asText());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tasks/get",
        "tasks/list",
        "tasks/cancel",
        "tasks/pushNotificationConfig/set",
        "tasks/pushNotificationConfig/get",
        "tasks/pushNotificationConfig/list",
        "tasks/pushNotificationConfig/delete",
        "agent/getAuthenticatedExtendedCard",
      })
  void shouldAskForEveryMethod(String method) throws Exception {
    try (RpcStub agent = answering("\"result\": [1]")) {
      JsonNode output = engine.output(call(agent, "method: " + method + ", parameters: {id: t}"));

      assertEquals(ProtocolEngine.json("[1]"), output);
      assertEquals(
          ProtocolEngine.json(
              "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"%s\", \"params\": {\"id\": \"t\"}}"
                  .formatted(method)),
          agent.received().getFirst().message());
    }
  }

  @Test
  void shouldYieldAnArrayOfTheResultsOfAStream() throws Exception {
    try (RpcStub agent =
        new RpcStub((request, answer) -> answer.events(result("{\"n\": 1}"), result("2")))) {
      assertEquals(ProtocolEngine.json("[{\"n\": 1}, 2]"), engine.output(call(agent, STREAM)));
      assertEquals(
          ProtocolEngine.json("{\"message\": {\"messageId\": \"m\", \"role\": \"agent\"}}"),
          agent.received().getFirst().message().path("params"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"kind\": \"message\"}", "{\"final\": true}"})
  void shouldNotWaitBehindTheLastResult(String last) throws Exception {
    try (RpcStub agent =
        new RpcStub(
            (request, answer) -> answer.openEvents(result("{\"kind\": \"task\"}"), result(last)))) {
      assertEquals(2, engine.output(call(agent, STREAM)).size());
    }
  }

  @Test
  void shouldTakeAStreamThatIsAnsweredByOneResult() throws Exception {
    try (RpcStub agent = answering("\"result\": {\"kind\": \"task\"}")) {
      assertEquals(1, engine.output(call(agent, STREAM)).size());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"error\": {\"code\": -32001, \"message\": \"no task\"}|error -32001: no task",
        "\"other\": 1|an answer without a result",
      })
  void shouldFailByAnErrorOfTheAgent(String member, String found) throws Exception {
    try (RpcStub agent = answering(member)) {
      JsonNode error = engine.error(call(agent, "method: tasks/get, parameters: {id: x}"));

      assertTrue(error.path("type").asText().endsWith("/runtime"), error::toString);
      assertEquals(
          "expected a result of a2a tasks/get at " + agent.uri() + ", found " + found,
          error.path("detail").asText());
    }
  }

  /** Such an error was ignored, and a stream of nothing else succeeded. */
  @ParameterizedTest
  @ValueSource(strings = {"\"id\": null, ", ""})
  void shouldFailByAnErrorWithoutAnId(String id) throws Exception {
    String answer =
        "{\"jsonrpc\": \"2.0\", %s\"error\": {\"code\": -32700, \"message\": \"what?\"}}"
            .formatted(id);
    try (RpcStub agent = new RpcStub((request, sent) -> sent.json(answer))) {
      for (String method : List.of(SEND, STREAM)) {
        JsonNode error = engine.error(call(agent, method));

        assertTrue(error.path("type").asText().endsWith("/runtime"), error::toString);
        assertTrue(
            error.path("detail").asText().endsWith(", found error -32700: what?"), error::toString);
      }
    }
  }

  @Test
  void shouldFailWithoutAnAnswer() throws Exception {
    try (RpcStub agent = new RpcStub((request, answer) -> answer.status(204))) {
      JsonNode error = engine.error(call(agent, SEND));

      assertTrue(error.path("detail").asText().endsWith(", found no answer"), error::toString);
    }
  }

  @Test
  void shouldBoundTheResultsOfAStream() throws Exception {
    try (ProtocolEngine bounded = new ProtocolEngine(Map.of("protocol.maxMessages", 1));
        RpcStub agent =
            new RpcStub((request, answer) -> answer.openEvents(result("1"), result("2")))) {
      JsonNode error = bounded.error(call(agent, STREAM));

      assertTrue(
          error.path("detail").asText().startsWith("expected at most 1 messages"), error::toString);
    }
  }

  @Test
  void shouldAuthenticate() throws Exception {
    RpcStub.Behaviour guarded =
        (request, answer) -> {
          if ("Bearer t0ken".equals(request.headers().getFirst("Authorization"))) {
            answer.json(result("true"));
          } else {
            answer.status(401);
          }
        };
    try (RpcStub agent = new RpcStub(guarded)) {
      String with =
          "{call: a2a, with: {%s, server: {uri: '%s', authentication: {bearer: {token: %s}}}}}";
      assertTrue(engine.output(with.formatted(SEND, agent.uri(), "t0ken")).asBoolean());
      JsonNode error = engine.error(with.formatted(SEND, agent.uri(), "other"));

      assertTrue(error.path("type").asText().endsWith("/communication"), error::toString);
      assertEquals(401, error.path("status").asInt());
    }
  }

  @Test
  void shouldAskAgainWithANewToken() throws Exception {
    AtomicInteger tokens = new AtomicInteger();
    RpcStub.Behaviour guarded =
        (request, answer) -> {
          String authorization = request.headers().getFirst("Authorization");
          if (!request.message().has("method")) {
            answer.json("{\"access_token\": \"t" + tokens.incrementAndGet() + "\"}");
          } else if ("Bearer t2".equals(authorization)) {
            answer.json(result("true"));
          } else {
            answer.status(401);
          }
        };
    try (RpcStub agent = new RpcStub(guarded)) {
      String policy =
          "{oauth2: {authority: '%s', grant: client_credentials, client: {id: a, secret: b}}}"
              .formatted(agent.uri());

      assertTrue(
          engine
              .output(
                  "{call: a2a, with: {%s, server: {uri: '%s', authentication: %s}}}"
                      .formatted(SEND, agent.uri(), policy))
              .asBoolean());
      assertEquals(
          List.of("", "Bearer t1", "", "Bearer t2"),
          agent.received().stream()
              .map(each -> each.headers().getFirst("Authorization"))
              .map(each -> each == null ? "" : each)
              .toList());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"error\": {\"code\": 1, \"message\": \"SAID\"}} | "
            + "error 1 and a message that repeats a secret of the request",
        "{\"a\": TOKEN-4711} | could not be read"
      })
  void shouldNotShowAPartOfATokenThatTheAgentRepeats(String said, String end) throws Exception {
    String token = "canary".repeat(20);
    String body =
        said.replace("SAID", "x".repeat(200) + token + "-4711" + "y".repeat(400))
            .replace("TOKEN", token);
    try (RpcStub agent = new RpcStub((request, answer) -> answer.json(body))) {
      JsonNode error =
          engine.error(
              ("{call: a2a, with: {%s, server: {uri: '%s', authentication: {bearer: {token:"
                      + " %s-4711}}}}}")
                  .formatted(SEND, agent.uri(), token));

      String detail = error.path("detail").asText();
      assertFalse(detail.contains("canary"), detail);
      assertTrue(detail.endsWith(end), detail);
    }
  }

  @Test
  void shouldFindAnAgentByItsCard() throws Exception {
    try (RpcStub agent = answering("\"result\": {}")) {
      Path card = folder.resolve("card.json");
      Files.writeString(card, "{\"name\": \"a\", \"url\": \"%s\"}".formatted(agent.uri()));

      JsonNode output =
          engine.output(
              "{call: a2a, with: {%s, agentCard: {endpoint: '%s'}}}".formatted(SEND, card.toUri()));

      assertTrue(output.isObject(), output::toString);
      assertFalse(agent.received().isEmpty());
      for (Received each : agent.received()) {
        assertEquals("POST", each.method());
      }
    }
  }

  @Test
  void shouldNeverCallMetadataAddresses() throws Exception {
    JsonNode error =
        engine.error("{call: a2a, with: {method: tasks/list, server: 'http://169.254.169.254'}}");

    assertTrue(error.path("type").asText().endsWith("/authorization"), error::toString);
  }
}
