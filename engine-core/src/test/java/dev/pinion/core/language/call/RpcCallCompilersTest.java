package dev.pinion.core.language.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.document.DocumentReader;
import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.WorkflowCompiler;
import dev.pinion.core.language.reference.TextDocuments;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Diagnostic;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code call: mcp} and {@code call: a2a} may say. */
class RpcCallCompilersTest {
  private static final Map<String, String> CARDS =
      Map.of(
          "https://a.test/card.json",
          "{\"url\": \"https://a.test/rpc\", \"capabilities\": {\"streaming\": true}}",
          "https://a.test/other.json",
          """
          {"url": "https://a.test/grpc", "preferredTransport": "GRPC", "capabilities": {"streaming": false},
           "additionalInterfaces": [{"url": "https://a.test/rpc", "transport": "JSONRPC"}]}
          """,
          "https://a.test/grpc.json",
          "{\"url\": \"https://a.test/grpc\", \"preferredTransport\": \"GRPC\"}",
          "https://a.test/none.json",
          "{\"name\": \"x\"}",
          "https://a.test/secured.json",
          "{\"url\": \"https://a.test/rpc\", \"security\": [{\"key\": []}]}");

  private static CompilationResult compile(String call, String with) {
    String yaml =
        """
        document: {dsl: 1.0.3, namespace: test, name: rpc, version: 1.0.0}
        do:
          - ask:
              call: %s
              with: %s
        """
            .formatted(call, with);
    return new WorkflowCompiler(EngineLimits.defaults())
        .compile(yaml, DocumentReader.YAML, (_, _) -> new TextDocuments(CARDS));
  }

  private static CompilationResult.Compiled compiled(String call, String with) {
    CompilationResult result = compile(call, with);
    return assertInstanceOf(CompilationResult.Compiled.class, result, result::toString);
  }

  private static void refused(String call, String with, String problem) {
    List<String> problems =
        assertInstanceOf(CompilationResult.Rejected.class, compile(call, with)).problems().stream()
            .map(Diagnostic::toString)
            .toList();
    assertEquals(1, problems.size(), problems::toString);
    assertTrue(problems.getFirst().endsWith(problem), problems::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{method: tools/list, transport: {http: {endpoint: 'https://m.test'}}}",
        "{method: tools/call, parameters: {name: x}, transport: {http: {endpoint: {uri: 'https://m.test/{id}'}, headers: {a: '${ .b }'}}}}",
        "{method: prompts/get, parameters: '${ .p }', timeout: PT5S, protocolVersion: '2025-03-26', transport: {stdio: {command: npx, arguments: [a, '${ .b }'], environment: {KEY: v}}}}",
        "{method: resources/read, parameters: {uri: 'x:y'}, timeout: {seconds: 1}, client: {name: a, version: '1'}, transport: {stdio: {command: x}, options: {}}}",
      })
  void shouldCompileMcp(String with) {
    CompilationResult.Compiled compiled = compiled("mcp", with);
    assertEquals(with.contains("stdio") ? 1 : 0, compiled.programs().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{method: tool/list, transport: {http: {endpoint: 'https://m.test'}}}|expected one of prompts/get, prompts/list, resources/list, resources/read, resources/templates/list, tools/call, tools/list, found \"tool/list\"; did you mean \"tools/list\"?",
        "{method: tools/call, transport: {http: {endpoint: 'https://m.test'}}}|expected \"parameters\" with \"name\" for tools/call, found none",
        "{method: resources/read, parameters: {url: x}, transport: {http: {endpoint: 'https://m.test'}}}|expected \"uri\" in the parameters of resources/read, found none",
        "{method: tools/list, parameters: x, transport: {http: {endpoint: 'https://m.test'}}}|expected an object or an expression within ${ } as \"parameters\", found \"x\"",
        "{method: tools/list}|expected \"transport\" in the arguments of an MCP call, found none",
        "{method: tools/list, transport: {}}|expected \"http\" or \"stdio\" in a transport, found none",
        "{method: tools/list, transport: {http: {endpoint: 'https://m.test'}, stdio: {command: x}}}|expected either \"http\" or \"stdio\" in a transport, found both",
        "{method: tools/list, transport: {http: {endpoint: 'svc://m/x'}}}|expected a URI with scheme http or https, found \"svc://m/x\"",
        "{method: tools/list, transport: {http: {}}}|expected \"endpoint\" in the HTTP transport of a server, found none",
        "{method: tools/list, transport: {stdio: {}}}|expected \"command\" in the stdio transport of a server, found none",
        "{method: tools/list, transport: {stdio: {command: x}, options: {a: b}}}|expected no key in the options of a transport, as it has none, found \"a\"",
        "{method: tools/list, protocolVersion: 2024-01-01, transport: {stdio: {command: x}}}|expected 2025-06-18 or 2025-11-25 or 2025-03-26 or 2024-11-05, found \"2024-01-01\"; did you mean \"2024-11-05\"?",
        "{method: tools/list, client: {name: x}, transport: {stdio: {command: x}}}|expected \"version\" in a client, found none",
        "{method: tools/list, transport: {http: {endpoint: {uri: 'https://m.test', authentication: {digest: {username: a, password: b}}}}}}|/do/0/ask/with/transport/http/endpoint/authentication: expected authentication by basic, bearer, oauth2 or oidc over MCP, found digest",
        "{method: tools/list, timeout: soon, transport: {stdio: {command: x}}}|expected an ISO 8601 duration such as PT1M30S, found \"soon\"",
      })
  void shouldSayWhatIsWrongWithMcp(String with, String problem) {
    refused("mcp", with, problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{method: message/send, server: 'https://a.test/rpc', parameters: {message: {parts: []}}}",
        "{method: tasks/get, server: {uri: 'https://a.test/{id}', authentication: {bearer: {token: x}}}, parameters: {id: '${ .id }'}}",
        "{method: message/stream, agentCard: {endpoint: 'https://a.test/card.json'}, parameters: '${ .p }'}",
        "{method: tasks/list, agentCard: {name: card, endpoint: 'https://a.test/other.json'}}",
      })
  void shouldCompileA2a(String with) {
    assertEquals(List.of(), compiled("a2a", with).warnings());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{method: message/sent, server: 'https://a.test'}|; did you mean \"message/send\"?",
        "{method: message/send, server: 'https://a.test'}|expected \"parameters\" with \"message\" for message/send, found none",
        "{method: message/send, server: 'https://a.test', parameters: {text: x}}|expected \"message\" in the parameters of message/send, found none",
        "{method: tasks/get}|expected \"agentCard\" or \"server\" in the arguments of an A2A call, found none",
        "{method: tasks/get, serve: 'https://a.test'}|found \"serve\"; did you mean \"server\"?",
        "{method: tasks/get, server: 'svc://a'}|expected a URI with scheme http or https, found \"svc://a\"",
        "{method: tasks/get, agentCard: {endpoint: 'https://a.test/missing.json'}}|expected a document, found no https://a.test/missing.json",
        "{method: tasks/get, agentCard: {endpoint: 'https://a.test/grpc.json'}}|expected an agent card with the URL of an interface for JSONRPC, found none",
        "{method: tasks/get, agentCard: {endpoint: 'https://a.test/none.json'}}|expected an agent card with the URL of an interface for JSONRPC, found none",
        "{method: tasks/resubscribe, agentCard: {endpoint: 'https://a.test/other.json'}}|expected an agent that streams for tasks/resubscribe, found one that does not",
      })
  void shouldSayWhatIsWrongWithA2a(String with, String problem) {
    refused("a2a", with, problem);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{call: mcp, with: {method: tools/call, parameters: .p, transport: {stdio: {command: x, arguments: .a}}}}",
        "{call: mcp, with: {method: tools/list, transport: {http: {endpoint: 'https://m.test', headers: .h}}}}",
        "{call: a2a, with: {method: message/send, server: 'https://a.test', parameters: .p}}",
      })
  void shouldTakeTextsForExpressionsWhereTheModeIsLoose(String task) {
    String yaml =
        """
        document: {dsl: 1.0.3, namespace: test, name: rpc, version: 1.0.0}
        evaluate: {mode: %s}
        do: [{ask: %s}]
        """;
    WorkflowCompiler compiler = new WorkflowCompiler(EngineLimits.defaults());

    CompilationResult loose =
        compiler.compile(
            yaml.formatted("loose", task), DocumentReader.YAML, (_, _) -> new TextDocuments(CARDS));
    assertInstanceOf(CompilationResult.Compiled.class, loose, loose::toString);
    assertInstanceOf(
        CompilationResult.Rejected.class,
        compiler.compile(
            yaml.formatted("strict", task),
            DocumentReader.YAML,
            (_, _) -> new TextDocuments(CARDS)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"username: a, password: b", "use: login"})
  void shouldRefuseDigestAuthenticationByName(String parameters) {
    String yaml =
        """
        document: {dsl: 1.0.3, namespace: test, name: rpc, version: 1.0.0}
        use:
          secrets: [login]
          authentications:
            agent: {digest: {%s}}
        do:
          - ask:
              call: a2a
              with:
                method: tasks/list
                server: {uri: 'https://a.test', authentication: {use: agent}}
        """
            .formatted(parameters);
    CompilationResult result =
        new WorkflowCompiler(EngineLimits.defaults())
            .compile(yaml, DocumentReader.YAML, (_, _) -> new TextDocuments(CARDS));

    assertEquals(
        List.of(
            "/do/0/ask/with/server/authentication: expected authentication by basic, bearer, oauth2"
                + " or oidc over A2A, found digest"),
        assertInstanceOf(CompilationResult.Rejected.class, result).problems().stream()
            .map(problem -> problem.pointer() + ": " + problem.message())
            .toList());
  }

  @Test
  void shouldWarnOfWhatAnAgentCardMakesDifferent() {
    String card = "agentCard: {endpoint: 'https://a.test/secured.json'}";
    List<String> warnings =
        compiled("a2a", "{method: tasks/list, " + card + ", server: 'https://a.test'}")
            .warnings()
            .stream()
            .map(Diagnostic::message)
            .toList();

    assertEquals(
        List.of(
            "expected \"server\" with \"authentication\" for an agent whose card asks for one,"
                + " found \"agentCard\"",
            "expected no \"server\" beside \"agentCard\", which tells where the agent is"),
        warnings);
  }
}
