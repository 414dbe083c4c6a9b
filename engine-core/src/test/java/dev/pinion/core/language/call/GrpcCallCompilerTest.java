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
import dev.pinion.core.model.PinnedDocument;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code call: grpc} may say. */
class GrpcCallCompilerTest {
  private static final String PROTO =
      """
      syntax = "proto3";
      package demo;
      import "types/person.proto";
      service Greeter {
        rpc Hello(Person) returns (Greeting);
        rpc Follow(Person) returns (stream Greeting);
        rpc Collect(stream Person) returns (Greeting);
      }
      message Greeting { string text = 1; }
      """;
  private static final String PERSON =
      """
      syntax = "proto3";
      package demo;
      message Person {
        string first_name = 1;
        Address address = 2;
        repeated Address others = 3;
        map<string, Address> named = 4;
        message Address { string street = 1; }
      }
      """;

  private final Map<String, String> texts =
      new HashMap<>(
          Map.of(
              "file:///protos/greeter.proto", PROTO, "file:///protos/types/person.proto", PERSON));

  private CompilationResult compile(String with, String metadata) {
    String yaml =
        """
        document: {dsl: 1.0.3, namespace: test, name: grpc, version: 1.0.0}
        do:
          - greet:
              call: grpc
              with: %s
              metadata: {pinion: %s}
        """
            .formatted(with, metadata);
    return new WorkflowCompiler(EngineLimits.defaults())
        .compile(yaml, DocumentReader.YAML, (_, _) -> new TextDocuments(texts));
  }

  private static String with(String service, String method, String more) {
    return "{proto: {endpoint: 'file:///protos/greeter.proto'}, service: %s, method: %s%s}"
        .formatted(service, method, more);
  }

  private List<String> problems(String with, String metadata) {
    return assertInstanceOf(CompilationResult.Rejected.class, compile(with, metadata))
        .problems()
        .stream()
        .map(Diagnostic::toString)
        .map(text -> text.replace("/do/0/greet/", ""))
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{name: demo.Greeter, host: localhost, port: 5011}|Hello|, arguments: {firstName: Ada, address: {street: x}}|{}",
        "{name: Greeter, host: 127.0.0.1, port: 5011}|Follow|, arguments: {first_name: '${ .name }'}|{}",
        "{name: demo.Greeter, host: '[::1]', port: 443}|Hello|, arguments: '${ .person }'|{}",
        "{name: demo.Greeter, host: example.com}|Hello||{grpc: {tls: true, metadata: {x-key: '${ .key }'}}}",
        "{name: demo.Greeter, host: example.com, port: 443}|Hello||{grpc: {tls: false}, iterations: 1}",
      })
  void shouldCompile(String service, String method, @Nullable String more, String metadata) {
    CompilationResult result = compile(with(service, method, more == null ? "" : more), metadata);

    CompilationResult.Compiled compiled =
        assertInstanceOf(CompilationResult.Compiled.class, result, result::toString);
    assertEquals(
        List.of("file:///protos/greeter.proto", "file:///protos/types/person.proto"),
        compiled.documents().stream().map(PinnedDocument::uri).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{name: demo.Greter, host: h, port: 1}|Hello||{}|expected a service of the proto (demo.Greeter), found \"demo.Greter\"; did you mean \"demo.Greeter\"?",
        "{name: Greeter, host: h, port: 1}|Helo||{}|expected a method of Greeter (Hello, Follow, Collect), found \"Helo\"; did you mean \"Hello\"?",
        "{name: Greeter, host: h, port: 1}|Collect||{}|expected a method that takes one message, found \"Collect\", which takes a stream of them",
        "{name: Greeter, host: 'http://h', port: 1}|Hello||{}|expected a host name without scheme, port and path, found \"http://h\"",
        "{name: Greeter, host: h, port: 70000}|Hello||{}|expected an integer from 1 to 65535 as \"port\", found the number 70000",
        "{name: Greeter, host: h}|Hello||{grpc: {tls: false}}|expected \"port\" of a gRPC service without TLS, found none",
        "{name: Greeter, hosts: h}|Hello||{}|expected one of name, host, port, authentication in a gRPC service, found \"hosts\"; did you mean \"host\"?",
        "{host: h, port: 1}|Hello||{}|expected \"name\" in a gRPC service, found none",
        "{name: Greeter, host: h, port: 1}|Hello|, arguments: [1]|{}|expected an object or an expression within ${ } as \"arguments\", found an array",
        "{name: Greeter, host: h, port: 1}|Hello|, arguments: {fistName: x}|{}|expected a field of demo.Person (firstName, address, others, named), found \"fistName\"; did you mean \"firstName\"?",
        "{name: Greeter, host: h, port: 1}|Hello|, arguments: {address: {stret: x}}|{}|expected a field of demo.Person.Address (street), found \"stret\"; did you mean \"street\"?",
        "{name: Greeter, host: h, port: 1}|Hello|, arguments: {others: [{street: x}, {stret: x}]}|{}|expected a field of demo.Person.Address (street), found \"stret\"; did you mean \"street\"?",
        "{name: Greeter, host: h, port: 1}|Hello|, arguments: {named: {any: {stret: x}}}|{}|expected a field of demo.Person.Address (street), found \"stret\"; did you mean \"street\"?",
        "{name: Greeter, host: h, port: 1}|Hello||{grpc: {tls: yes}}|expected true or false as \"tls\", found \"yes\"",
        "{name: Greeter, host: h, port: 1}|Hello||{grpc: {metadata: {grpc-timeout: 1S}}}|expected metadata that a definition may set, found \"grpc-timeout\", which the engine sets itself",
        "{name: Greeter, host: h, port: 1}|Hello||{grpc: {metadata: {te: x}}}|expected a header field that a definition may set, found \"te\", which the engine sets itself",
        "{name: Greeter, host: h, port: 1}|Hello||{grpc: {metadata: {x!: x}}}|expected letters, digits, \"_\", \"-\" and \".\" as a name of metadata, found \"x!\"",
        "{name: Greeter, host: h, port: 1, authentication: {digest: {username: a, password: b}}}|Hello||{}|expected authentication by basic, bearer, oauth2 or oidc over gRPC, found digest",
        "{name: Greeter, host: h, port: 1}|Hello||{xml: json}|expected one of compensate, iterations, grpc in metadata.pinion of a task, found \"xml\"",
      })
  void shouldSayWhatIsWrong(
      String service, String method, @Nullable String more, String metadata, String problem) {
    List<String> problems = problems(with(service, method, more == null ? "" : more), metadata);

    assertEquals(1, problems.size(), problems::toString);
    assertTrue(problems.getFirst().endsWith(problem), problems::toString);
  }

  @Test
  void shouldPointIntoTheFileThatIsWrong() {
    texts.put("file:///protos/types/person.proto", "syntax = \"proto3\";\nmessage {");

    List<String> problems = problems(with("{name: Greeter, host: h, port: 1}", "Hello", ""), "{}");

    assertEquals(1, problems.size(), problems::toString);
    assertTrue(
        problems
            .getFirst()
            .endsWith(
                "file:///protos/types/person.proto#, line 2, column 9: expected the name of a"
                    + " message, found \"{\""),
        problems::toString);
  }

  @Test
  void shouldTellWhichFileIsMissing() {
    texts.remove("file:///protos/types/person.proto");

    List<String> problems = problems(with("{name: Greeter, host: h, port: 1}", "Hello", ""), "{}");

    assertEquals(1, problems.size(), problems::toString);
    assertTrue(
        problems
            .getFirst()
            .endsWith("expected a document, found no file:///protos/types/person.proto"),
        problems::toString);
  }

  @Test
  void shouldReadAFileOnceForAllCalls() {
    TextDocuments documents = new TextDocuments(texts);
    String task =
        "{call: grpc, with: " + with("{name: Greeter, host: h, port: 1}", "Hello", "") + "}";
    CompilationResult result =
        new WorkflowCompiler(EngineLimits.defaults())
            .compile(
                "document: {dsl: 1.0.3, namespace: test, name: grpc, version: 1.0.0}\n"
                    + "do: [{a: "
                    + task
                    + "}, {b: "
                    + task
                    + "}]\n",
                DocumentReader.YAML,
                (_, _) -> documents);

    assertInstanceOf(CompilationResult.Compiled.class, result, result::toString);
    assertEquals(2, documents.asked().size());
  }
}
