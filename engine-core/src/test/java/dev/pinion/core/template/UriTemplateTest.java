package dev.pinion.core.template;

import static dev.pinion.core.jq.Expressions.budget;
import static dev.pinion.core.jq.Expressions.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pinion.core.jq.syntax.ExpressionProblem;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UriTemplateTest {
  private static final Pattern LEVEL_1 =
      Pattern.compile("[^{}]*(?:\\{[A-Za-z0-9_%][A-Za-z0-9_.%]*\\}[^{}]*)*");

  private static @Nullable UriTemplate compile(String source, List<ExpressionProblem> problems) {
    return UriTemplate.compile(source, Set.of("item", "error"), problems::add);
  }

  private static String expand(String source, String input) {
    List<ExpressionProblem> problems = new ArrayList<>();
    UriTemplate template = compile(source, problems);
    assertNotNull(template, problems::toString);
    return template.evaluate(json(input), Scope.EMPTY, budget());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          http://x/{id}        ~ {"id": 5}            ~ http://x/5
          http://x/{id}        ~ {"id": "a b/c?d"}    ~ http://x/a%20b%2Fc%3Fd
          http://x/{id}        ~ {"id": true}         ~ http://x/true
          http://x/{id}        ~ {"id": 1.5}          ~ http://x/1.5
          http://x/{pet.id}    ~ {"pet.id": 1, "pet": {"id": 2}} ~ http://x/1
          http://x/{a-b}       ~ {"a-b": "\u00e9"}    ~ http://x/%C3%A9
          http://x/\u00e9/%20  ~ {}                   ~ http://x/%C3%A9/%20
          http://x/{id}        ~ {"id": "..\\r\\nX"}  ~ http://x/..%0D%0AX
          """)
  void shouldExpand(String source, String input, String expected) {
    assertEquals(expected, expand(source, input));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          http://x/{id      ~ 9
          http://x/{}       ~ 10
          http://x/id}      ~ 11
          http://x/{+id}    ~ 10
          http://x/{?id}    ~ 10
          http://x/{a,b}    ~ 10
          http://x/{a:3}    ~ 10
          http://x/{a*}     ~ 10
          http://x/{a b}    ~ 10
          http://x/a b      ~ 10
          http://x/%zz      ~ 9
          http://x/<        ~ 9
          """)
  void shouldLocateProblems(String source, int offset) {
    List<ExpressionProblem> problems = new ArrayList<>();

    assertNull(compile(source, problems));
    assertEquals(offset, problems.getFirst().offset(), problems::toString);
  }

  /** Field fault 15. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{}             ~ for {id} of the endpoint, found none in the task's input",
        "{\"id\": null}   ~ for {id} of the endpoint, found null",
        "[1]            ~ for {id} of the endpoint, found none in the task's input",
        "null           ~ for {id} of the endpoint, found none in the task's input"
      })
  void shouldNameAVariableThatHasNoValue(String input, String message) {
    ExpressionException found =
        assertThrows(ExpressionException.class, () -> expand("http://x/{id}", input));

    assertTrue(String.valueOf(found.getMessage()).contains(message), found::toString);
    assertEquals(ErrorType.EXPRESSION.uri(), found.error().type());
  }

  /** Field fault 15. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          http://x/pay/{id}      ~ {"id": ""}
          http://x/pay/{id}/a    ~ {"id": ""}
          http://x/pay/{id}?q=1  ~ {"id": "."}
          http://x/pay/{id}      ~ {"id": ".."}
          http://x/pay/.{id}     ~ {"id": "."}
          http://x/pay/{id}{id}  ~ {"id": "."}
          http://x/pay/{id}{id}  ~ {"id": ""}
          http://x/{id}#f        ~ {"id": ""}
          """)
  void shouldRefuseASegmentOfThePathThatIsEmptyOrClimbs(String source, String input) {
    ExpressionException found =
        assertThrows(ExpressionException.class, () -> expand(source, input));

    assertTrue(String.valueOf(found.getMessage()).contains("{id}"), found::toString);
  }

  /** Field fault 15. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          http://x/a{id}b        ~ {"id": ""}    ~ http://x/ab
          http://x/a/{id}        ~ {"id": "..."} ~ http://x/a/...
          http://x/v{id}/a       ~ {"id": ".."}  ~ http://x/v../a
          http://x/a?q={id}      ~ {"id": ""}    ~ http://x/a?q=
          http://x/a?q=/{id}     ~ {"id": ".."}  ~ http://x/a?q=/..
          http://x/a/{id}{n}     ~ {"id": ".", "n": 5} ~ http://x/a/.5
          """)
  void shouldTakeAnEmptyValueWhereItLeavesASegment(String source, String input, String expected) {
    assertEquals(expected, expand(source, input));
  }

  /** Field fault 15. */
  @Test
  void shouldLookIntoTheInputFirstAndThenForVariablesOfLoopsAndCatches() {
    Map<String, Payload> variables = Map.of("item", Payload.of("x"), "context", Payload.of("y"));
    UriTemplate template = compile("http://x/{item}", new ArrayList<>());
    UriTemplate other = compile("http://x/{context}", new ArrayList<>());
    assertNotNull(template);
    assertNotNull(other);

    assertEquals("http://x/x", template.evaluate(json("{}"), variables::get, budget()));
    assertEquals("http://x/x", template.evaluate(json("[]"), variables::get, budget()));
    assertEquals("http://x/1", template.evaluate(json("{\"item\":1}"), variables::get, budget()));
    assertThrows(
        ExpressionException.class,
        () -> template.evaluate(json("{\"item\":null}"), variables::get, budget()));
    assertThrows(
        ExpressionException.class, () -> other.evaluate(json("{}"), variables::get, budget()));
  }

  @Test
  void shouldRefuseValuesThatAreNoScalars() {
    assertThrows(ExpressionException.class, () -> expand("http://x/{a}", "{\"a\":[1]}"));
    assertThrows(ExpressionException.class, () -> expand("http://x/{a}", "{\"a\":{}}"));
  }

  @Test
  void shouldPassTheLevelOneCasesOfThePublishedSuite() throws IOException {
    int passed = 0;
    for (String file :
        List.of("spec-examples.json", "spec-examples-by-section.json", "extended-tests.json")) {
      for (JsonNode group : suite(file)) {
        for (JsonNode test : group.path("testcases")) {
          passed += check(group.path("variables"), test) ? 1 : 0;
        }
      }
    }
    System.out.println("URI templates: " + passed + " cases of level 1 pass");
    assertTrue(passed >= 16, "expected at least 16 cases of level 1, found " + passed);
  }

  private static boolean check(JsonNode variables, JsonNode test) {
    String source = test.get(0).textValue();
    if (!LEVEL_1.matcher(source).matches()) {
      return false;
    }
    String[] parts = source.split("[{}]", -1);
    boolean undefined = false;
    for (int i = 0; i < parts.length; i++) {
      if (variables.path(parts[i]).isContainerNode()) {
        return false;
      }
      undefined |= i % 2 == 1 && !variables.hasNonNull(parts[i]);
    }
    if (undefined) {
      // the RFC expands undefined variables to nothing
      assertThrows(ExpressionException.class, () -> expand(source, variables.toString()));
      return true;
    }
    String found = expand(source, variables.toString());
    JsonNode expected = test.get(1);
    assertEquals(expected.isArray() ? expected.get(0).textValue() : expected.textValue(), found);
    return true;
  }

  @Test
  void shouldRefuseTheNegativeCasesOfThePublishedSuite() throws IOException {
    int refused = 0;
    for (JsonNode group : suite("negative-tests.json")) {
      for (JsonNode test : group.path("testcases")) {
        String source = test.get(0).textValue();
        UriTemplate template = compile(source, new ArrayList<>());
        if (template != null) {
          Payload variables = Payload.of(group.path("variables"));
          assertThrows(
              ExpressionException.class,
              () -> template.evaluate(variables, Scope.EMPTY, budget()),
              source);
        }
        refused++;
      }
    }
    System.out.println("URI templates: " + refused + " negative cases refused");
    assertTrue(refused >= 30);
  }

  private static JsonNode suite(String name) throws IOException {
    Path file =
        Path.of(System.getProperty("pinion.suites", "../shared/suites"), "uritemplate", name);
    assumeTrue(Files.exists(file), "expected the suite at " + file + ", found none: skipped");
    return new JsonMapper().readTree(Files.readString(file));
  }

  @ParameterizedTest
  @CsvSource({
    "http://host, http://host/",
    "http://host:8080, http://host:8080/",
    "https://host/pets/{id}, https://host/",
    "http://host?x={id}, http://host/",
    "http://host#{id}, http://host/",
    "http://[::1]:8080/{id}, http://[::1]:8080/",
    "http://host{id}, ",
    "http://host:{port}/, ",
    "http://{host}/, ",
    "'{uri}', ",
  })
  void shouldTellTheOriginThatNoVariableChanges(String source, @Nullable String origin) {
    UriTemplate template = compile(source, new ArrayList<>());
    assertNotNull(template);
    assertEquals(origin, template.origin());
  }
}
