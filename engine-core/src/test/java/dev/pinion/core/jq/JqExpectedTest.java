package dev.pinion.core.jq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.EvaluationLimits;
import dev.pinion.core.jq.value.ValueOrder;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Field fault 13: about eleven hundred small programs with the outputs of jq 1.7, among them errors
 * on the left of {@code //}, {@code repeat}, and {@code ?} behind a path.
 */
class JqExpectedTest {
  private static final EvaluationContext RUN =
      new EvaluationContext(
          Scope.EMPTY, Budget.unlimited(), new EvaluationLimits(EngineLimits.defaults()));

  @Test
  void shouldGiveTheOutputsOfJq() throws IOException {
    List<String> wrong = new ArrayList<>();
    int cases = 0;
    for (String line : lines()) {
      JsonNode test = new JsonMapper().readTree(line);
      cases++;
      String found = difference(test);
      if (found != null) {
        wrong.add(line + " found " + found);
      }
    }
    assertTrue(cases > 1_000, cases + " cases");
    assertEquals(List.of(), wrong);
  }

  private static List<String> lines() throws IOException {
    try (InputStream in = JqExpectedTest.class.getResourceAsStream("jq-expected.jsonl")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  /** The outputs when they are not the expected ones, or null. */
  private static @Nullable String difference(JsonNode test) {
    CompiledExpression program = Expressions.compile(test.path("program").textValue());
    List<Payload> outputs = new ArrayList<>();
    boolean failed = false;
    try {
      program.all(Payload.of(test.path("input")), Scope.EMPTY, new Budget(1_000_000), outputs);
    } catch (ExpressionException e) {
      failed = true;
    }
    return failed == test.path("fails").booleanValue() && same(test.path("outputs"), outputs)
        ? null
        : outputs + (failed ? " and an error" : "");
  }

  private static boolean same(JsonNode expected, List<Payload> found) {
    boolean same = expected.size() == found.size();
    for (int i = 0; same && i < found.size(); i++) {
      same = near(expected.get(i), found.get(i).json());
    }
    return same;
  }

  /** Equal, except for the last digits of trigonometric functions and logarithms. */
  private static boolean near(JsonNode a, JsonNode b) {
    if (a.isDouble() && b.isDouble()) {
      double scale = Math.max(1, Math.abs(a.doubleValue()));
      return Math.abs(a.doubleValue() - b.doubleValue()) <= 1e-12 * scale;
    }
    return ValueOrder.equal(a, b, RUN);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '\0',
      value = {
        "(5 | .b) // 1 ~ null",
        "(error(\"x\")) // 1 ~ null",
        "[.a[] // 1] ~ null",
        "[.a.b?] ~ 1",
        "[.a[error(\"x\")]?] ~ {\"a\":[1]}"
      })
  void shouldNotSwallowErrors(String program, String input) {
    CompiledExpression compiled = Expressions.compile(program);

    assertThrows(
        ExpressionException.class,
        () -> compiled.evaluate(Expressions.json(input), Scope.EMPTY, Expressions.budget()));
  }

  @Test
  void shouldRepeatForTheSameInputUntilAnError() {
    assertEquals("[2]", Expressions.value("[repeat(.*2, error)?]", "1"));
    assertEquals("[2,2,2,2,2]", Expressions.value("[limit(5; 1 | repeat(.*2))]", "null"));
  }

  @Test
  void shouldReadHalfASurrogatePairAsTheReplacementCharacter() {
    assertEquals("[65533]", Expressions.value("\"\\ud83d\" | explode", "null"));
    assertEquals("[128512]", Expressions.value("\"\\ud83d\\ude00\" | explode", "null"));
    assertEquals("[65533,65]", Expressions.value("\"\\ud83d\\u0041\" | explode", "null"));
  }
}
