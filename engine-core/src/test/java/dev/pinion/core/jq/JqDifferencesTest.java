package dev.pinion.core.jq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.jq.syntax.ExpressionProblem;
import dev.pinion.core.model.ExpressionException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What docs/language.md says of jq: what people miss, and where Pinion differs from jq 1.7. */
class JqDifferencesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '\0',
      textBlock =
          """
          [repeat(.*2, error)?] ~ 1 ~ [2]
          [limit(5; 1 | repeat(.*2))] ~ null ~ [2,2,2,2,2]
          [gsub("a"; "b", "c")] ~ "aa" ~ ["bb","cc"]
          (error("x"))? // 1 ~ null ~ 1
          . + 1 ~ 9223372036854775806 ~ 9223372036854775807
          9223372036854775807 ~ null ~ 9223372036854775807
          1e17 | tojson ~ null ~ "100000000000000000"
          [match("a$").offset] ~ "a\\n" ~ []
          test("\\\\d") ~ "\\u0661" ~ false
          path(last(.a, .b)) ~ {} ~ ["b"]
          path(reduce 1 as $x (.; .a)) ~ {} ~ ["a"]
          [last(empty)] ~ null ~ []
          1 + 2 as $x | $x ~ null ~ 3
          [2015,2,5] | mktime ~ null ~ 1425513600
          [2015,2,5] | strftime("%H") ~ null ~ "00"
          index(",") ~ "\\u00e9," ~ 1
          {a: 1 + 2} ~ null ~ {"a":3}
          reverse ~ "abc" ~ "cba"
          from_entries ~ [{"k":"a","v":1},{"key":1,"value":2},{"key":null},{"key":false}] ~ {"a":1,"1":2,"null":null,"false":null}
          strptime("%Y") ~ "2015" ~ [2015,0,1,0,0,0,4,0]
          [have_decnum, have_literal_numbers] ~ null ~ [false,true]
          """)
  void shouldDiffer(String program, String input, String expected) {
    assertEquals(expected, Expressions.value(program, input));
  }

  @Test
  void shouldSubtractWhereANameHasAHyphen() {
    assertEquals(
        List.of("expected a known function, found \"bar/0\""),
        Expressions.problems(".foo-bar").stream().map(ExpressionProblem::message).toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(5 | .b) // 1",
        "5 | .a.b?",
        "limit(-1; 1)",
        "\"a\" | ltrimstr(1)",
        "1 | ltrimstr(\"a\")",
        "\" 12\" | tonumber",
        "\"a\" | test(\"(?<x>a)|(?<x>b)\")"
      })
  void shouldFail(String program) {
    assertThrows(ExpressionException.class, () -> Expressions.value(program, "null"));
  }

  /**
   * Data that nests too deep is an error that {@code try} catches; uncaught, it names the limit.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          $x == ($x | map(.))        ~ Equality check too deep
          [$x, $x] | sort            ~ Comparison too deep
          $x | contains($x)          ~ Containment check too deep
          $y * $y                    ~ Object merge too deep
          setpath([range(600)]; 1)   ~ Path too deep
          getpath([range(10001)])    ~ Path too deep
          delpaths([[range(10001)]]) ~ Path too deep
          $x | delpaths([[range(600) | 0]]) ~ Path too deep
          """)
  void shouldCatchTheErrorOfTooDeepData(String program, String problem) {
    String deep =
        "reduce range(600) as $i ([]; [.]) as $x | reduce range(600) as $i ({}; {a: .}) as $y | ";

    assertEquals(
        "\"" + problem + "\"", Expressions.value(deep + "try (" + program + ") catch .", "null"));
    ExpressionException uncaught =
        assertThrows(ExpressionException.class, () -> Expressions.value(deep + program, "null"));
    String told = String.valueOf(uncaught.getMessage());
    assertTrue(told.startsWith(problem), told);
    assertTrue(problem.startsWith("Path") || told.contains("expression.maxDepth"), told);
  }

  @Test
  void shouldReadAndDeleteLongPathsOfNothing() {
    assertEquals("null", Expressions.value("getpath([range(10000)])", "null"));
    assertEquals("null", Expressions.value("delpaths([[range(10000)]])", "null"));
    assertEquals("{\"a\":1}", Expressions.value("delpaths([[\"b\", range(9999)]])", "{\"a\":1}"));
  }

  @Test
  void shouldNameTheLimitOfAStringThatNoJqCanMake() {
    assertEquals(
        "\"Repeat string result too long\"",
        Expressions.value("try (. * 1000000000) catch .", "\"abc\""));
    ExpressionException limited =
        assertThrows(ExpressionException.class, () -> Expressions.value(". * 1e7", "\"abc\""));
    String told = String.valueOf(limited.getMessage());
    assertTrue(told.contains("instance.maxPayloadBytes"), told);
  }
}
