package dev.pinion.core.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.document.DocumentReader;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.reference.DocumentSource;
import dev.pinion.core.language.reference.TextDocuments;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Diagnostic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the examples and invalid fixtures of the specification through the compiler. */
class ConformanceExamplesTest {
  private static final DocumentSource DOCUMENTS =
      new TextDocuments(
          Map.of(
              "https://raw.githubusercontent.com/serverlessworkflow/catalog/main/functions/log/1.0.0/function.yaml",
              "set: {logged: '${ .message }'}",
              "https://petstore.swagger.io/v2/swagger.json",
              """
              {"swagger": "2.0", "info": {"title": "Pets", "version": "1"}, "basePath": "/v2",
               "paths": {"/pet/findByStatus": {"get": {
                 "operationId": "findPetsByStatus",
                 "security": [{"petstore_auth": ["read:pets"]}],
                 "parameters": [{"name": "status", "in": "query", "required": true,
                   "type": "array", "items": {"type": "string"}, "collectionFormat": "multi"}],
                 "responses": {"200": {"description": "Pets"}}}}},
               "securityDefinitions": {"petstore_auth": {"type": "oauth2", "flow": "implicit"}}}
              """,
              "http://myorg.io/ordersservices.json",
              """
              {"openapi": "3.1.0", "info": {"title": "Orders", "version": "1"}, "paths": {
                "/readings": {"post": {"operationId": "logreading", "responses": {}}},
                "/report": {"get": {"operationId": "produceReport", "responses": {}}}}}
              """,
              "https://fake.com/docs/asyncapi.json",
              """
              {"asyncapi": "2.6.0", "info": {"title": "Pets", "version": "1.0.0"},
               "servers": {"staging": {"url": "https://staging.fake.com", "protocol": "https"},
                           "live": {"url": "wss://live.fake.com", "protocol": "wss"}},
               "channels": {"/notifications": {"subscribe": {"operationId": "getNotifications"}},
                            "/pets": {"publish": {"operationId": "findPetsByStatus"}}}}
              """,
              "file://app/greet.proto",
              """
              syntax = "proto3";
              package GreeterApi;
              service Greeter { rpc SayHello (HelloRequest) returns (HelloReply); }
              message HelloRequest { string name = 1; }
              message HelloReply { string message = 1; }
              """));

  private final WorkflowCompiler compiler = new WorkflowCompiler(EngineLimits.defaults());

  private CompilationResult compile(Path file) throws IOException {
    return compiler.compile(Files.readString(file), DocumentReader.YAML, (_, _) -> DOCUMENTS);
  }

  private static List<Path> yamlFiles(String below) throws IOException {
    Path directory = Suites.directory("pinion.conformance", below);
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  @ParameterizedTest
  @CsvSource({"examples/main-4d42471, 68", "examples/v1.0.3, 66"})
  void shouldCompileAllExamples(String below, int number) throws IOException {
    List<String> refused = new ArrayList<>();
    List<Path> files = yamlFiles(below);
    for (Path file : files) {
      if (compile(file) instanceof CompilationResult.Rejected(List<Diagnostic> problems, var _)) {
        refused.add(file.getFileName() + " " + problems);
      }
    }

    assertEquals(List.of(), refused);
    assertEquals(number, files.size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"examples/main-4d42471", "examples/v1.0.3"})
  void shouldCompileAllExamplesOfAuthentication(String below) throws IOException {
    List<String> refused = new ArrayList<>();
    int found = 0;
    for (Path file : yamlFiles(below)) {
      if (file.getFileName().toString().startsWith("authentication-")) {
        found++;
        CompilationResult result = compiler.compile(Files.readString(file), DocumentReader.YAML);
        if (!(result instanceof CompilationResult.Compiled)) {
          refused.add(file.getFileName() + " " + result);
        }
      }
    }

    assertEquals(7, found);
    assertEquals(List.of(), refused);
  }

  @Test
  void shouldRefuseInvalidFixtures() throws IOException {
    List<Path> files = yamlFiles("schema/main-4d42471/invalid-fixtures");

    assertEquals(3, files.size());
    for (Path file : files) {
      CompilationResult compilationResult = compile(file);
      Diagnostic first =
          assertInstanceOf(CompilationResult.Rejected.class, compilationResult)
              .problems()
              .getFirst();
      assertTrue(!first.message().contains(Diagnostics.NOT_SUPPORTED_YET), first::toString);
    }
  }
}
