package dev.pinion.bootstrap.client.mcp;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.client.ProtocolEngine;
import dev.pinion.bootstrap.client.RpcStub;
import dev.pinion.bootstrap.client.RpcStub.Received;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of a server of the Model Context Protocol over HTTP, through a whole engine. */
class McpCallsTest {
  private static final String CALL = "method: tools/call, parameters: {name: add, arguments: {a: 1}}";

  private ProtocolEngine engine;

  @BeforeEach
  void start() throws IOException {
    engine = new ProtocolEngine(Map.of());
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  private static String call(RpcStub server, String arguments) {
    return "{call: mcp, with: {%s, transport: {http: {endpoint: '%s', headers: {X-Key: k}}}}}"
        .formatted(arguments, server.uri());
  }

  private static String initialized(String version) {
    return "{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {\"protocolVersion\": \"%s\"}}"
        .formatted(version);
  }

  /** Answers the begin of a session, and the request as a test wants. */
  private static RpcStub.Behaviour session(RpcStub.Behaviour behaviour) {
    return (request, answer) -> {
      switch (request.message().path("method").asText()) {
        case "initialize" ->
            answer.with("Mcp-Session-Id", "s-1").json(initialized("2025-03-26"));
        case "notifications/initialized" -> answer.status(202);
        default -> {
          if (request.method().equals("DELETE")) {
            answer.status(204);
          } else {
            behaviour.answer(request, answer);
          }
        }
      }
    };
  }

  private static RpcStub.Behaviour answering(String member) {
    return session(
        (request, answer) ->
            answer.json("{\"jsonrpc\": \"2.0\", \"id\": 2, " + member + "}"));
  }

  @Test
  void shouldBeginASessionAskOnceAndEndIt() throws Exception {
    try (RpcStub server = new RpcStub(answering("\"result\": {\"content\": [1]}"))) {
      JsonNode output =
          engine.output(call(server, CALL + ", client: {name: tester, version: '9'}"));

      assertEquals(ProtocolEngine.json("{\"content\": [1]}"), output);
      await().until(() -> server.received().size() == 4);
      List<Received> all = server.received();
      assertEquals(
          ProtocolEngine.json(
              """
              {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "tester", "version": "9"}}}
              """),
          all.getFirst().message());
      assertNull(all.getFirst().headers().getFirst("Mcp-Session-Id"));
      assertEquals(
          ProtocolEngine.json("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}"),
          all.get(1).message());
      assertEquals(
          ProtocolEngine.json(
              """
              {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
               "params": {"name": "add", "arguments": {"a": 1}}}
              """),
          all.get(2).message());
      assertEquals("DELETE", all.get(3).method());
      for (Received each : all.subList(1, 4)) {
        assertEquals("s-1", each.headers().getFirst("Mcp-Session-Id"));
        assertEquals("2025-03-26", each.headers().getFirst("MCP-Protocol-Version"));
      }
      for (Received each : all) {
        assertEquals("k", each.headers().getFirst("X-Key"));
        assertEquals(
            "application/json, text/event-stream", each.headers().getFirst("Accept"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "prompts/get, parameters: {name: p}",
        "resources/read, parameters: {uri: 'file:///x'}",
      })
  void shouldAskForEveryMethod(String method) throws Exception {
    try (RpcStub server = new RpcStub(answering("\"result\": {\"some\": true}"))) {
      assertTrue(engine.output(call(server, "method: " + method)).path("some").asBoolean());
    }
  }

  @Test
  void shouldReadAnswersFromAStreamAndAnswerRequestsOfTheServer() throws Exception {
    RpcStub.Behaviour behaviour =
        (request, answer) -> {
          if (request.message().has("method")) {
            answer.openEvents(
                "",
                "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/message\", \"params\": {}}",
                "{\"jsonrpc\": \"2.0\", \"id\": \"p\", \"method\": \"ping\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": 5, \"method\": \"roots/list\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": 2, \"result\": {\"n\": 1}}");
          } else {
            answer.status(202);
          }
        };
    try (RpcStub server = new RpcStub(session(behaviour))) {
      assertEquals(1, engine.output(call(server, CALL)).path("n").asInt());

      await().until(() -> server.received().size() == 6);
      assertTrue(
          server.received().stream()
              .map(Received::message)
              .anyMatch(
                  message ->
                      message.path("id").asText().equals("p") && message.path("result").isObject()));
      assertTrue(
          server.received().stream()
              .map(Received::message)
              .anyMatch(
                  message ->
                      message.path("id").asInt() == 5
                          && message.path("error").path("code").asInt() == -32_601));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"error\": {\"code\": -32602, \"message\": \"no tool\"}|expected a result of mcp tools/call at URI, found error -32602: no tool",
        "\"error\": {}|expected a result of mcp tools/call at URI, found error without a code",
        "\"other\": 1|expected a result of mcp tools/call at URI, found an answer without a result",
      })
  void shouldFailByAnErrorOfTheServer(String member, String detail) throws Exception {
    try (RpcStub server = new RpcStub(answering(member))) {
      JsonNode error = engine.error(call(server, CALL));

      assertTrue(error.path("type").asText().endsWith("/errors/runtime"), error::toString);
      assertEquals(
          detail.replace("URI", server.uri()), error.path("detail").asText(), error::toString);
    }
  }

  @Test
  void shouldYieldTheErrorOfAToolAsItsResult() throws Exception {
    try (RpcStub server = new RpcStub(answering("\"result\": {\"isError\": true}"))) {
      assertTrue(engine.output(call(server, CALL)).path("isError").asBoolean());
    }
  }

  @Test
  void shouldRefuseUnknownVersionsOfTheProtocol() throws Exception {
    try (RpcStub server =
        new RpcStub((request, answer) -> answer.json(initialized("2099-01-01")))) {
      JsonNode error = engine.error(call(server, CALL));

      assertTrue(
          error.path("detail").asText().contains("found version 2099-01-01 of the protocol"),
          error::toString);
    }
  }

  @Test
  void shouldFailWithoutAnAnswer() throws Exception {
    try (RpcStub server = new RpcStub((request, answer) -> answer.status(202))) {
      assertTrue(
          engine
              .error(call(server, CALL))
              .path("detail")
              .asText()
              .startsWith("expected an answer to initialize in the answer to mcp tools/call"));
    }
  }

  @ParameterizedTest
  @CsvSource({"404, communication", "503, communication"})
  void shouldFailByAStatus(int status, String type) throws Exception {
    try (RpcStub server = new RpcStub((request, answer) -> answer.status(status))) {
      JsonNode error = engine.error(call(server, CALL));

      assertTrue(error.path("type").asText().endsWith("/" + type), error::toString);
      assertEquals(status, error.path("status").asInt());
    }
  }

  @Test
  void shouldFailByAnAnswerThatIsNoJson() throws Exception {
    try (RpcStub server = new RpcStub((request, answer) -> answer.json("{"))) {
      JsonNode error = engine.error(call(server, CALL));

      assertTrue(error.path("type").asText().endsWith("/communication"), error::toString);
      assertTrue(error.path("detail").asText().contains("could not be read"), error::toString);
    }
  }

  @Test
  void shouldBoundTheMessagesOfAStream() throws Exception {
    String told = "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/message\"}";
    try (ProtocolEngine bounded = new ProtocolEngine(Map.of("protocol.maxMessages", 2));
        RpcStub server =
            new RpcStub(session((request, answer) -> answer.openEvents(told, told, told)))) {
      JsonNode error = bounded.error(call(server, CALL));

      assertTrue(
          error
              .path("detail")
              .asText()
              .startsWith("expected at most 2 messages (protocol.maxMessages) from POST "),
          error::toString);
    }
  }

  @Test
  void shouldEndWithinItsOwnTime() throws Exception {
    try (RpcStub server =
        new RpcStub(session((request, answer) -> answer.openEvents("{\"jsonrpc\": \"2.0\"}")))) {
      JsonNode error = engine.error(call(server, CALL + ", timeout: {milliseconds: 50}"));

      assertTrue(error.path("type").asText().endsWith("/timeout"), error::toString);
      await().until(() -> server.received().getLast().method().equals("DELETE"));
    }
  }

  @Test
  void shouldNeverCallMetadataAddresses() throws Exception {
    JsonNode error =
        engine.error(
            "{call: mcp, with: {method: tools/list, transport: {http: {endpoint:"
                + " 'http://169.254.169.254/latest'}}}}");

    assertTrue(error.path("type").asText().endsWith("/authorization"), error::toString);
  }

  @Test
  void shouldAuthenticateEveryRequest() throws Exception {
    try (RpcStub server = new RpcStub(answering("\"result\": {}"))) {
      assertEquals(
          0,
          engine
              .output(
                  "{call: mcp, with: {method: tools/list, transport: {http: {endpoint: {uri: '%s',"
                      .formatted(server.uri())
                      + " authentication: {bearer: {token: t0ken}}}}}}}")
              .size());

      assertFalse(server.received().isEmpty());
      for (Received each : server.received()) {
        assertEquals("Bearer t0ken", each.headers().getFirst("Authorization"));
      }
    }
  }

  @Test
  void shouldRefuseProgramsThatAreNotAllowed() throws Exception {
    String refused =
        engine
            .deploy(
                "{call: mcp, with: {method: tools/list, transport: {stdio: {command: server}}}}")
            .body();

    assertTrue(refused.contains("mcp"), refused);
    assertTrue(refused.contains("programs"), refused);
  }
}
