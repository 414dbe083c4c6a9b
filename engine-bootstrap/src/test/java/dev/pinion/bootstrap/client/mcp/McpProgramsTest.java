package dev.pinion.bootstrap.client.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.client.ProtocolEngine;
import dev.pinion.core.model.call.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls of a server of the Model Context Protocol that is a program, through a whole engine. */
class McpProgramsTest {
  private static final String BEGUN =
      """
      read -r first
      echo '{"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-06-18"}}'
      read -r second
      read -r third
      """;

  @TempDir private Path folder;
  private ProtocolEngine engine;

  @BeforeEach
  void start() throws IOException {
    engine = new ProtocolEngine(Map.of(), Set.of(Program.Kind.MCP), "");
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  /** A call of a tool of a server that is a script. */
  private String call(String script, String more) throws IOException {
    Path program = folder.resolve("server");
    Files.writeString(program, "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return ("{call: mcp, with: {method: tools/call, parameters: {name: add, arguments: {a: 1}},"
            + " transport: {stdio: {command: '%s', arguments: ['${ \"a b\" }'], environment: {WORD:"
            + " hello}}}%s}}")
        .formatted(program, more);
  }

  @Test
  void shouldExchangeMessagesWithAProgram() throws Exception {
    String script =
        "echo this is no message\n"
            + BEGUN
            + """
            echo '{"jsonrpc": "2.0", "id": "p", "method": "ping"}'
            read -r pong
            printf '{"jsonrpc": "2.0", "id": 2, "result": {"sent": [%s, %s, %s, %s]' \\
              "$first" "$second" "$third" "$pong"
            printf ', "words": ["%s", "%s"]}}\\n' "$1" "$WORD"
            """;

    JsonNode output = engine.output(call(script, ", client: {name: tester, version: '9'}"));

    assertEquals(
        ProtocolEngine.json(
            """
            {"sent": [
               {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                 "protocolVersion": "2025-06-18", "capabilities": {},
                 "clientInfo": {"name": "tester", "version": "9"}}},
               {"jsonrpc": "2.0", "method": "notifications/initialized"},
               {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
                "params": {"name": "add", "arguments": {"a": 1}}},
               {"jsonrpc": "2.0", "id": "p", "result": {}}],
             "words": ["a b", "hello"]}
            """),
        output);
  }

  @Test
  void shouldFailByTheErrorOfAProgram() throws Exception {
    String script =
        BEGUN
            + "echo '{\"jsonrpc\": \"2.0\", \"id\": 2, \"error\": {\"code\": 7, \"message\":"
            + " \"no\"}}'\n";

    JsonNode error = engine.error(call(script, ""));

    assertTrue(error.path("type").asText().endsWith("/runtime"), error::toString);
    assertTrue(error.path("detail").asText().endsWith(", found error 7: no"), error::toString);
  }

  @Test
  void shouldFailByTheEndOfAProgram() throws Exception {
    JsonNode error = engine.error(call("echo no key >&2; exit 3\n", ""));

    assertTrue(error.path("type").asText().endsWith("/runtime"), error::toString);
    assertTrue(
        error
            .path("detail")
            .asText()
            .startsWith(
                "expected run mcp to answer, found its end with exit code 3: no key, in mcp"),
        error::toString);
  }

  @Test
  void shouldEndWithinItsOwnTime() throws Exception {
    JsonNode error =
        engine.error(call(BEGUN + "exec sleep 600\n", ", timeout: {milliseconds: 200}"));

    assertTrue(error.path("type").asText().endsWith("/timeout"), error::toString);
  }
}
