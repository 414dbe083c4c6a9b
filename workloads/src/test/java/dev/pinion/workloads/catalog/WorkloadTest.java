package dev.pinion.workloads.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadTest {
  private static final URI STUB = URI.create("http://127.0.0.1:4711");
  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @EnumSource(Workload.class)
  void shouldPredictOutputAndCallsOfEveryInput(Workload workload) throws IOException {
    for (ObjectNode input : workload.inputs()) {
      // given
      Map<String, Long> calls = new TreeMap<>();
      MiniInterpreter interpreter =
          new MiniInterpreter(
              workload.definition(STUB), (endpoint, body) -> answer(endpoint, body, calls));

      // when
      JsonNode output = interpreter.run(input);

      // then
      assertEquals(output.toString(), workload.expectedOutput(input).toString());
      assertEquals(calls, workload.expectedCalls(input));
      assertEquals(6, calls.values().stream().mapToLong(Long::longValue).sum());
    }
  }

  @ParameterizedTest
  @EnumSource(Workload.class)
  void shouldExpectAnotherOutputOfEveryInput(Workload workload) {
    // given
    List<ObjectNode> inputs = workload.inputs();

    // when
    Set<String> outputs = new HashSet<>();
    inputs.forEach(input -> outputs.add(workload.expectedOutput(input).toString()));

    // then
    assertEquals(inputs.size(), outputs.size());
  }

  @Test
  void shouldTakeBothWaysOfTheTripPlanner() {
    // when
    Set<Map<String, Long>> ways = new HashSet<>();
    Workload.TRIP_PLANNER
        .inputs()
        .forEach(input -> ways.add(Workload.TRIP_PLANNER.expectedCalls(input)));

    // then
    assertEquals(2, ways.size());
  }

  @ParameterizedTest
  @EnumSource(Workload.class)
  void shouldNameItsDefinitionAndKeepItInMemory(Workload workload) throws IOException {
    // when
    String yaml = workload.definition(STUB);
    JsonNode document = new YAMLMapper().readTree(yaml).get("document");

    // then
    assertEquals("1.0.3", document.get("dsl").textValue());
    assertEquals(Workload.NAMESPACE, document.get("namespace").textValue());
    assertEquals(workload.id(), document.get("name").textValue());
    assertEquals("none", document.at("/metadata/pinion/durability").textValue());
    assertFalse(yaml.contains("@STUB@"));
    assertEquals(workload, Workload.named(workload.id()));
  }

  @ParameterizedTest
  @EnumSource(Workload.class)
  void shouldBeValidUnderThePublishedSchemas(Workload workload) throws IOException {
    // given
    String conformance = System.getProperty("pinion.conformance", "");
    Path schemas = Path.of(conformance, "schema");
    assumeTrue(Files.isDirectory(schemas), "the conformance data is not here: " + schemas);

    for (String version : List.of("v1.0.3", "main-4d42471")) {
      Schema schema = schema(schemas.resolve(version).resolve("workflow.yaml"));

      // when
      List<?> problems = schema.validate(workload.definition(STUB), InputFormat.YAML);

      // then
      assertTrue(problems.isEmpty(), () -> version + ": " + problems);
    }
  }

  @Test
  void shouldNoticeAnInvalidDefinition() throws IOException {
    // given
    Path schemas = Path.of(System.getProperty("pinion.conformance", ""), "schema");
    assumeTrue(Files.isDirectory(schemas), "the conformance data is not here: " + schemas);
    Schema schema = schema(schemas.resolve("main-4d42471/workflow.yaml"));
    String misspelt = Workload.LOOP.definition(STUB).replace("method: post", "methd: post");

    // when
    List<?> problems = schema.validate(misspelt, InputFormat.YAML);

    // then
    assertFalse(problems.isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Sequential", "six"})
  void shouldRefuseAnUnknownName(String name) {
    // when
    var refusal = assertThrows(IllegalArgumentException.class, () -> Workload.named(name));

    // then
    assertEquals(
        "expected one of sequential, for-each, parallel, loop, trip-planner, found \""
            + name
            + "\"",
        refusal.getMessage());
  }

  /** The documented result of the stub's {@code s<k>}: twice the value plus k. */
  private static JsonNode answer(String endpoint, JsonNode body, Map<String, Long> calls) {
    assertTrue(endpoint.startsWith(STUB + "/svc/s"), endpoint);
    String name = URI.create(endpoint).getPath().split("/", -1)[2];
    calls.merge(name, 1L, Long::sum);
    long value = body.get("value").longValue() * 2 + Long.parseLong(name.substring(1));
    return JSON.createObjectNode().put("service", name).put("value", value);
  }

  private static Schema schema(Path file) throws IOException {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(Files.readString(file), InputFormat.YAML);
  }
}
