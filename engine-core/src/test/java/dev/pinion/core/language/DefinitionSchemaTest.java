package dev.pinion.core.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.pinion.core.document.DocumentReader;
import dev.pinion.core.document.DocumentSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.DefinitionSchema;
import dev.pinion.core.model.Diagnostic;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema for editors agrees with the compiler, as far as a schema can. */
class DefinitionSchemaTest {
  private static final String YAML = DocumentReader.YAML;
  private static final EngineLimits LIMITS = EngineLimits.defaults();
  private static final WorkflowCompiler COMPILER = new WorkflowCompiler(LIMITS);
  private static final Schema SCHEMA = schema();

  /** Problems of shape, which a schema can tell. */
  private static final Pattern SHAPE =
      Pattern.compile(
          "^expected (?:one of .+ in .+, found|no key|\"[a-zA-Z]+\" in .+, found none"
              + "|an? (?:object|array|string|integer|number)(?! from)|true or false|one task per item).*");

  private static final Pattern BLOCK = Pattern.compile("(?ms)^```yaml$\n(.*?)^```$");

  private static Schema schema() {
    try {
      JsonNode json = new ObjectMapper().readTree(DefinitionSchema.text());
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(json);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Error> problems(String yaml) throws DocumentSyntaxException {
    return SCHEMA.validate(new DocumentReader(LIMITS).read(yaml, YAML).json());
  }

  /** Whether a document is no YAML with unique keys, or does not fit the schema. */
  private static boolean isRefused(String yaml) {
    try {
      return !problems(yaml).isEmpty();
    } catch (DocumentSyntaxException _) {
      return true;
    }
  }

  private static void assertAccepted(String name, String yaml) throws DocumentSyntaxException {
    List<Error> problems = problems(yaml);
    assertTrue(problems.isEmpty(), () -> name + ": " + problems);
  }

  @Test
  void shouldBeASchemaItself() throws IOException {
    JsonNode json = new ObjectMapper().readTree(DefinitionSchema.text());
    Schema meta =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
    assertEquals(List.of(), meta.validate(json));
    for (String reference : json.findValuesAsText("$ref")) {
      assertFalse(json.at(reference.substring(1)).isMissingNode(), reference);
    }
    List<String> unused = new ArrayList<>();
    json.get("$defs")
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!json.findValuesAsText("$ref").contains("#/$defs/" + name)) {
                unused.add(name);
              }
            });
    assertEquals(List.of(), unused);
  }

  @Test
  void shouldAcceptEveryExampleOfTheSpecification() throws Exception {
    Path examples = Path.of(System.getProperty("pinion.conformance", "../../shared/conformance"));
    assumeTrue(Files.isDirectory(examples), () -> "no conformance examples in " + examples);
    int count = 0;
    try (Stream<Path> files = Files.walk(examples.resolve("examples"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".yaml")).toList()) {
        assertAccepted(file.toString(), Files.readString(file));
        count++;
      }
    }
    assertTrue(count > 100, "examples: " + count);
  }

  @Test
  void shouldRefuseTheInvalidDocumentsOfTheSpecification() throws Exception {
    Path data = Path.of(System.getProperty("pinion.conformance", "../../shared/conformance"));
    assumeTrue(Files.isDirectory(data), () -> "no conformance data in " + data);
    int count = 0;
    try (Stream<Path> files = Files.walk(data.resolve("schema"))) {
      for (Path file :
          files.filter(each -> each.toString().contains("/invalid-fixtures/")).toList()) {
        assertTrue(isRefused(Files.readString(file)), file.toString());
        count++;
      }
    }
    assertEquals(3, count);
  }

  @Test
  void shouldAcceptEveryDefinitionOfTheDocuments() throws Exception {
    Path root = Path.of(System.getProperty("pinion.root", ".."));
    Path pages = root.resolve("docs");
    assumeTrue(Files.isDirectory(pages), () -> "no documents in " + pages);
    int count = 0;
    try (Stream<Path> files = Files.walk(pages)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".md")).toList()) {
        Matcher blocks = BLOCK.matcher(Files.readString(file));
        while (blocks.find()) {
          String block = blocks.group(1);
          if (block.contains("dsl:") && block.contains("\ndo:")) {
            assertAccepted(file + ": " + block, block);
            count++;
          }
        }
      }
    }
    assertTrue(count > 15, "definitions: " + count);
  }

  /** What the compiler refuses for shape only, the schema refuses, too. */
  @Test
  void shouldRefuseWhatTheCompilerRefusesForItsShape() throws Exception {
    String text;
    try (InputStream in = DefinitionSchemaTest.class.getResourceAsStream("bad-definitions.txt")) {
      text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
    int count = 0;
    for (String each : text.split("(?m)^=== ", -1)) {
      int end = each.indexOf("\n>>>\n");
      String source = end < 0 ? "" : each.substring(each.indexOf('\n') + 1, end + 1);
      if (COMPILER.compile(source, YAML) instanceof CompilationResult.Rejected rejected
          && rejected.problems().stream().allMatch(DefinitionSchemaTest::isOfShape)) {
        assertFalse(problems(source).isEmpty(), each);
        count++;
      }
    }
    assertTrue(count > 30, "definitions: " + count);
  }

  private static boolean isOfShape(Diagnostic problem) {
    return SHAPE.matcher(problem.message()).matches();
  }

  private static String definition(String task) {
    return "document: {dsl: 1.0.3, namespace: n, name: d, version: 1.0.0}\ndo: [{a: {"
        + task
        + "}}]\n";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "set: {x: 1}, if: .x, then: end, timeout: {after: PT1S}, metadata: {pinion: {iterations: 3}}",
        "set: .x, metadata: {pinion: {compensate: [{b: {set: $output}}, {c: {wait: PT1S}}]}}",
        "call: http, with: {method: get, endpoint: 'http://a/'}, metadata: {pinion: {xml: json}}",
        "wait: {days: 1, hours: 2}",
        "wait: P1DT2H",
        "wait: '${ .x }'",
        "for: {in: [1, 2], each: x, at: i}, while: .go, do: [{b: {set: .x}}]",
        "try: [{b: {set: .x}}], catch: {}",
        "try: [{b: {set: .x}}], catch: {errors: {with: {details: gone}}}",
        "run: {workflow: {namespace: n, name: w}}",
        "call: 'parallelForEach:1.0.0@default', with: {in: .x, maxConcurrency: 2, do: [{b: {set: .x}}]}",
        "call: http, with: {method: get, endpoint: 'svc://a/b', headers: '${ .h }', redirect: true}",
        "switch: [{x: {when: .x, then: exit}}, {y: {then: a}}]",
        "raise: {error: {type: x, status: 599, instance: /do}}",
        "emit: {event: {with: {type: t}}}",
        "emit: {event: {with: {type: t, source: '/s', ext: 1}}}",
        "listen: {to: {any: [], until: '${ .done }'}, read: raw}, foreach: {item: e, do: [{b: {set: .e}}]}",
        "listen: {to: {all: [{with: {type: t}, correlate: {c: {from: .data.n, expect: 1}}}]}}",
        "listen: {to: {any: [{with: {data: {n: 1}}}], until: {one: {with: {type: t}}}}}"
      })
  void shouldAcceptWhatCompiles(String task) throws Exception {
    assertInstanceOf(
        CompilationResult.Compiled.class, COMPILER.compile(definition(task), YAML), task);
    assertAccepted(task, definition(task));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{every: PT1M}",
        "{every: {minutes: 1, seconds: 30}}",
        "{cron: '@daily'}",
        "{cron: '*/5 9-17 * * MON-FRI'}",
        "{after: P1D}",
        "{on: {one: {with: {type: t}, correlate: {k: {from: .data.k, expect: '${ 1 + 1 }'}}}}}",
        "{on: {all: [{with: {type: a}}, {with: {source: /b, data: {n: '${ [1] }'}}}]}}",
        "{on: {any: [], until: '${ length > 9 }'}}",
        "{on: {any: [{with: {type: a}}], until: {one: {with: {type: b}}}}}"
      })
  void shouldAcceptSchedulesThatCompile(String schedule) throws Exception {
    String yaml = definition("set: {x: 1}") + "schedule: " + schedule + "\n";
    assertInstanceOf(CompilationResult.Compiled.class, COMPILER.compile(yaml, YAML), schedule);
    assertAccepted(schedule, yaml);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run: {workflow: {namespace: n, name: w, version: latest, input: {}}, await: false}",
        "run: {container: {image: i, lifetime: {cleanup: eventually, after: PT1S}}}",
        "run: {script: {language: js, code: '1', arguments: {a: 1}}, return: code}",
        "call: asyncapi, with: {document: {endpoint: 'http://a'}, channel: c, message: {payload: {}}}",
        "call: mine, with: {a: 1}",
        "call: mcp, with: {method: tools/list, transport: {stdio: {command: c}}}",
        "call: grpc, with: {proto: {endpoint: 'http://a'}, service: {name: s, host: h}, method: m},"
            + " metadata: {pinion: {grpc: {tls: true, metadata: {a: b}}}}",
        "call: http, with: {method: get, endpoint: {uri: 'http://a', authentication: {use: x}}}"
      })
  void shouldAcceptTheWholeLanguage(String task) throws Exception {
    assertAccepted(task, definition(task));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "wait: P1Y",
        "wait: PT",
        "wait: {weeks: 1}",
        "call: http, with: {method: connect, endpoint: 'http://a'}",
        "call: http, with: {method: get, endpoint: a/b}",
        "call: http, with: {method: get, endpoint: 'http://a', headers: {x: 1}}",
        "call: http, with: {method: get, endpoint: 'http://a', output: all}",
        "call: 'parallelForEach:1.0.0@default', with: {in: .x, maxConcurrency: 0, do: [{b: {set: .x}}]}",
        "for: {in: .x, each: $x}, do: [{b: {set: .x}}]",
        "raise: {error: {type: x, status: 600}}",
        "fork: {branches: []}",
        "set: {x: 1}, metadata: {pinion: {iterations: -1}}",
        "set: {x: 1}, metadata: {pinion: {round: 1}}",
        "set: {x: 1}, metadata: {pinion: {compensate: []}}",
        "set: {x: 1}, metadata: {pinion: {compensate: [{b: {wait: PT1S, iff: .x}}]}}",
        "try: [{b: {set: .x}}], catch: {errors: {with: {}}}",
        "try: [{b: {set: .x}}], catch: {retry: {backoff: {linear: {}, constant: {}}}}",
        "set: {x: 1}, input: {schema: {document: {}, resource: {endpoint: 'http://a'}}}",
        "set: {x: 1}, input: {schema: {format: xml, document: {}}}"
      })
  void shouldRefuseWhatDoesNotCompile(String task) throws Exception {
    assertInstanceOf(
        CompilationResult.Rejected.class, COMPILER.compile(definition(task), YAML), task);
    assertFalse(problems(definition(task)).isEmpty(), task);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "emit: {event: {with: {source: '/s'}}}",
        "emit: {event: {}}",
        "listen: {to: {any: [], one: {with: {type: t}}}}",
        "listen: {to: {one: {with: {}}}}",
        "listen: {to: {any: [], until: {any: [], until: .x}}}",
        "listen: {to: {one: {with: {type: t}}, until: .x}}",
        "run: {shell: {command: ls}, script: {language: js, code: '1'}}",
        "run: {script: {language: js}}",
        "run: {container: {image: i, lifetime: {cleanup: eventually}}}",
        "run: {container: {image: i, lifetime: {cleanup: always, after: PT1S}}}",
        "call: grpc, with: {proto: {endpoint: 'http://a'}, service: {name: s}, method: m}",
        "call: asyncapi, with: {document: {endpoint: 'http://a'}, message: {}}",
        "call: mcp, with: {method: tools/list, transport: {}}",
        "call: http, with: {method: get, endpoint: {uri: 'http://a', authentication: {basic: {}}}}"
      })
  void shouldRefuseWhatNoTaskMayBe(String task) throws Exception {
    assertInstanceOf(
        CompilationResult.Rejected.class, COMPILER.compile(definition(task), YAML), task);
    assertFalse(problems(definition(task)).isEmpty(), task);
  }
}
