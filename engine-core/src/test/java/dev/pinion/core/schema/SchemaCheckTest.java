package dev.pinion.core.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.RegexSize;
import dev.pinion.core.model.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaCheckTest {
  private static final long STEPS = 5_000_000;

  private final SchemaCompiler compiler = new SchemaCompiler(EngineLimits.defaults());

  private static Payload json(String text) {
    try {
      return Payload.of(new ObjectMapper().readTree(text));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private SchemaCheck check(String schema) {
    List<SchemaProblem> problems = new ArrayList<>();
    SchemaCheck check = compiler.compile(json(schema), problems::add);
    assertEquals(List.of(), problems);
    return Objects.requireNonNull(check);
  }

  private static String violation(SchemaCheck check, String value) {
    ExpressionException failed =
        assertThrows(
            ExpressionException.class,
            () -> check.evaluate(json(value), Scope.EMPTY, new Budget(STEPS)));
    assertEquals(ErrorType.VALIDATION.uri(), failed.error().type());
    return String.valueOf(failed.error().detail());
  }

  private List<String> problems(String schema) {
    List<String> problems = new ArrayList<>();
    assertNull(
        compiler.compile(
            json(schema),
            p -> problems.add((p.pointer().isEmpty() ? "-" : p.pointer()) + " " + p.message())));
    return problems;
  }

  @Test
  void shouldReturnWhatMatches() {
    Payload value = json("{\"id\":3}");
    SchemaCheck check = check("{\"type\":\"object\",\"required\":[\"id\"]}");

    assertSame(value, check.evaluate(value, Scope.EMPTY, new Budget(1_000)));
  }

  @Test
  void shouldListTheFirstViolationsWithTheirPlaces() {
    SchemaCheck check = check("{\"items\":{\"type\":\"integer\"},\"maxItems\":3}");

    assertEquals(
        "expected a value that matches the schema, found: /0 string found, integer expected",
        violation(check, "[\"a\"]"));
    String many = violation(check, "[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\"]");
    assertTrue(many.contains("/4 string found"), many);
    assertTrue(many.endsWith("; and 3 more"), many);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema"
      })
  void shouldHonourTheDraftThatASchemaNames(String draft) {
    SchemaCheck check = check("{\"$schema\":\"" + draft + "\",\"type\":\"string\"}");

    assertTrue(violation(check, "1").contains("string expected"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"$schema\":\"http://example.com/x\"}|/$schema expected the URI of JSON Schema draft",
        "{\"type\":\"strng\"}|/type expected a JSON Schema, found:",
        "{\"properties\":{\"a\":3}}|/properties/a expected a JSON Schema, found:",
        "3|- expected a JSON Schema, found:",
        "{\"$ref\":\"http://127.0.0.1:1/x.json\"}|/$ref expected a reference into this schema",
        "{\"$ref\":\"file:///etc/passwd\"}|/$ref expected a reference into this schema",
        "{\"$ref\":\"classpath:logback.xml\"}|/$ref expected a reference into this schema",
        "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/b\"}}}|/properties/a/$ref expected a reference",
        "{\"items\":{\"$ref\":\"#b\"}}|/items/$ref expected a reference into this schema",
        "{\"pattern\":\"(\"}|- expected a pattern that RE2 can match, found: error parsing regexp",
        "{\"pattern\":\"(?=a)b\"}|- expected a pattern that RE2 can match, found: error parsing regexp",
        "{\"properties\":{\"a\":{\"pattern\":\"((a{1000}){1000}){1000}\"}}}|- expected a pattern of at most 10000 parts"
      })
  void shouldRefuseWhatIsNoSchemaToUse(String schema, String expected) {
    List<String> problems = problems(schema);

    assertTrue(problems.getFirst().startsWith(expected), problems.toString());
  }

  @Test
  void shouldFollowReferencesWithinASchemaAndToMetaSchemas() {
    check("{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}");
    check(
        "{\"$defs\":{\"a/b\":{\"$anchor\":\"x\"}},\"anyOf\":[{\"$ref\":\"#x\"},{\"$ref\":\"#/$defs/a~1b\"}]}");
    check("{\"properties\":{\"$ref\":{\"type\":\"string\"}},\"const\":{\"$ref\":\"http://x\"}}");
    SchemaCheck tree = check("{\"type\":\"object\",\"properties\":{\"next\":{\"$ref\":\"#\"}}}");

    assertTrue(violation(tree, "{\"next\":{\"next\":3}}").contains("/next/next integer found"));
  }

  @Test
  void shouldChargeTheSizeOfTheValueFirst() {
    SchemaCheck anything = check("{}");
    String large = "[" + "1,".repeat(20_000) + "1]";
    String text = "\"" + "x".repeat(1_000_000) + "\"";

    assertThrows(
        BudgetExceededException.class,
        () -> anything.evaluate(json(large), Scope.EMPTY, new Budget(10_000)));
    assertThrows(
        BudgetExceededException.class,
        () -> anything.evaluate(json(text), Scope.EMPTY, new Budget(10_000)));
    assertNotNull(anything.evaluate(json(large), Scope.EMPTY, new Budget(50_000)));
  }

  @Test
  void shouldNotLetPatternsHoldAThread() {
    SchemaCheck catastrophic = check("{\"pattern\":\"^(a+)+$\"}");
    SchemaCheck large = check("{\"pattern\":\"^(a{0,99}){0,90}b$\"}");

    assertTimeoutPreemptively(
        Duration.ofMinutes(2),
        () -> {
          violation(catastrophic, "\"" + "a".repeat(10_000) + "b\"");
          assertThrows(
              BudgetExceededException.class,
              () ->
                  large.evaluate(
                      json("\"" + "a".repeat(1_000_000) + "\""), Scope.EMPTY, new Budget(STEPS)));
        });
  }

  @Test
  void shouldNotLetReferencesHoldAThread() {
    StringBuilder defs = new StringBuilder("\"d40\":{\"type\":\"string\"}");
    for (int i = 0; i < 40; i++) {
      String next = "{\"$ref\":\"#/$defs/d" + (i + 1) + "\"}";
      defs.append(",\"d").append(i).append("\":{\"allOf\":[").append(next).append(',').append(next);
      defs.append("]}");
    }
    SchemaCheck explosive = check("{\"$defs\":{" + defs + "},\"$ref\":\"#/$defs/d0\"}");
    SchemaCheck endless = check("{\"$ref\":\"#\"}");

    assertTimeoutPreemptively(
        Duration.ofMinutes(2),
        () -> {
          assertThrows(
              BudgetExceededException.class,
              () -> explosive.evaluate(json("1"), Scope.EMPTY, new Budget(STEPS)));
          assertTrue(violation(endless, "1").contains("nest at most 1024 keywords"));
        });
  }

  @Test
  void shouldHoldPatternsToTheirLimit() {
    SchemaCompiler narrow =
        new SchemaCompiler(EngineLimits.defaults().with(Map.of("definition.maxPatternSize", 10)));

    assertNotNull(narrow.compile(json("{\"pattern\":\"abcdefghij\"}"), p -> {}));
    assertNull(narrow.compile(json("{\"pattern\":\"abcdefghijk\"}"), p -> {}));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "abc|3",
        "a{3}|5",
        "(ab){3}|15",
        "[a-z]{2}|4",
        "[]x]|1",
        "\\{3}|3",
        "a{,3}|5",
        "a{2,}|4",
        "(((a{9}){9}){9})|1464",
        "a|1"
      })
  void shouldEstimatePatternsFromAbove(String pattern, long expected) {
    assertEquals(expected, RegexSize.of(pattern));
  }
}
