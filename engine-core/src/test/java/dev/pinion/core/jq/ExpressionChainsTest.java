package dev.pinion.core.jq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Chains of operators of one level: however long, they are no depth, and mean what short ones do.
 */
class ExpressionChainsTest {
  private static final int LONG = 5_000;
  private static final int STACK_BYTES = 256 << 10;

  /** A chain and its first output. */
  record Chain(String source, String input, String expected) {
    @Override
    public String toString() {
      return source.substring(0, Math.min(40, source.length()));
    }
  }

  static List<Chain> longChains() {
    return List.of(
        new Chain("1" + "+1".repeat(LONG), "null", "5001"),
        new Chain("1" + "+1-1*1/1%2".repeat(LONG / 5), "null", "1"),
        new Chain("." + "+.".repeat(LONG), "1", "5001"),
        new Chain("\"a\"" + "+\"b\"".repeat(LONG) + "|length", "null", "5001"),
        new Chain("[1]" + "+[.]".repeat(LONG) + "|length", "null", "5001"),
        new Chain("1" + "+.a?".repeat(LONG), "{\"a\":1}", "5001"),
        new Chain("[1" + "+.a?".repeat(LONG) + "]", "5", "[]"),
        new Chain("(1,2)" + "+1".repeat(LONG), "null", "5001"),
        new Chain("1" + "+1".repeat(LONG) + "==5001", "null", "true"),
        new Chain(".a".repeat(LONG), "null", "null"),
        new Chain(".a[0]".repeat(LONG), "null", "null"),
        new Chain("." + "[0]".repeat(LONG), "null", "null"),
        new Chain("." + "[0:1]".repeat(LONG), "[1,2]", "[1]"),
        new Chain(".a?".repeat(LONG), "null", "null"),
        new Chain("[" + ".a?".repeat(LONG) + "]", "5", "[]"),
        new Chain("." + "[length]".repeat(LONG), "null", "null"),
        new Chain("." + "?".repeat(LONG), "1", "1"),
        new Chain("." + "|.".repeat(LONG), "1", "1"),
        new Chain("." + "|.a".repeat(LONG), "null", "null"),
        new Chain("." + "|.+1".repeat(LONG), "0", "5000"),
        new Chain("." + "|select(.)".repeat(LONG), "1", "1"),
        new Chain("[." + "|select(.)".repeat(LONG) + "]", "false", "[]"),
        new Chain("(." + "|select(.)".repeat(LONG) + ")|=5", "1", "5"),
        new Chain("[path(." + "|select(.)".repeat(LONG) + ")]", "1", "[[]]"),
        new Chain("[." + ",.".repeat(LONG) + "]|length", "null", "5001"),
        new Chain("null" + "//null".repeat(LONG) + "//7", "null", "7"),
        new Chain("empty" + "//.a?".repeat(LONG) + "//7", "1", "7"),
        new Chain("true" + " and true".repeat(LONG), "null", "true"),
        new Chain("true" + " and .a?".repeat(LONG) + " and false", "{\"a\":1}", "false"),
        new Chain("[true" + " and .a?".repeat(LONG) + "]", "1", "[]"),
        new Chain("false" + " or false".repeat(LONG), "null", "false"),
        new Chain("false" + " or false and 1".repeat(LONG / 2) + " or 1", "null", "true"),
        new Chain("if false then 1" + " elif .==1 then 2".repeat(LONG / 2) + " end", "7", "7"),
        new Chain("if .a? then 1" + " elif .a? then 2".repeat(LONG / 2) + " end", "{}", "{}"),
        new Chain("1 as $x|".repeat(LONG) + "$x", "null", "1"),
        new Chain("def f: 1;".repeat(LONG) + "f", "null", "1"),
        new Chain("[{a:1" + ",a:1".repeat(LONG) + "}]", "null", "[{\"a\":1}]"),
        new Chain("." + "|.a=1".repeat(LONG), "null", "{\"a\":1}"));
  }

  @ParameterizedTest
  @MethodSource("longChains")
  void shouldRunLongChainsOnASmallStack(Chain chain) throws InterruptedException {
    List<String> found = new ArrayList<>();
    Throwable[] thrown = new Throwable[1];
    Thread thread =
        new Thread(
            null,
            () -> found.add(Expressions.value(chain.source, chain.input)),
            "chain",
            STACK_BYTES);
    thread.setUncaughtExceptionHandler((t, e) -> thrown[0] = e);
    thread.start();
    thread.join();

    assertNull(thrown[0]);
    assertEquals(List.of(chain.expected), found);
  }

  /** Operands whose evaluation can be told apart: several outputs, none, errors. */
  private static final List<String> OPERANDS =
      List.of(
          "1", "(2,3)", ".a", ".a?", ".b[]", "empty", "error(\"x\")", "(4,error(\"y\"))", "null");

  /** Shapes of chains; F stands for an operand, and each has a part that may repeat. */
  static List<String> shapes() {
    return List.of(
        "F + 1 + 2",
        "1 + F - 2 + F",
        "F and true and F",
        "F or false or F",
        "F // null // F",
        "F | . | F",
        "(.a | F | .), F",
        "if F then 1 elif null then 2 elif F then 3 else 4 end",
        "F as $x | 1 as $y | F as $z | [$x, $y, $z]",
        ".b[F].c[F]?",
        "first(F | F)",
        "[limit(2; F + 0 + F)]",
        "path(.a | F)");
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void shouldMeanTheSameHoweverLong(String shape) {
    for (String first : OPERANDS) {
      for (String last : OPERANDS) {
        String filled = shape.replaceFirst("F", quoted(first)).replace("F", last);
        for (String input : List.of("{\"a\":5,\"b\":[{\"c\":[6]}]}", "{\"b\":[]}", "7")) {
          assertEquals(outcome(filled, input), outcome(lengthened(filled), input), filled);
        }
      }
    }
  }

  private static String quoted(String replacement) {
    return Matcher.quoteReplacement(replacement);
  }

  /** The same chain with many parts that change nothing. */
  private static String lengthened(String source) {
    int n = 12;
    return source
        .replace(" + ", " + null".repeat(n) + " + ")
        .replace(" and ", " and 1".repeat(n) + " and ")
        .replace(" or ", " or null".repeat(n) + " or ")
        .replace(" // ", " // null".repeat(n) + " // ")
        .replace(" | ", " | select(true)".repeat(n) + " | ")
        .replace(" elif ", " elif false then 9".repeat(n) + " elif ")
        .replace(" as $y | ", " as $y | " + "8 as $w | ".repeat(n))
        .replace(".b[", ".b" + "[0:]".repeat(n) + "[");
  }

  /** All outputs, and the error if there is one. */
  private static String outcome(String source, String input) {
    List<Payload> outputs = new ArrayList<>();
    String error = "";
    try {
      CompiledExpression expression = Expressions.compile(source);
      expression.all(Expressions.json(input), Scope.EMPTY, Expressions.budget(), outputs);
    } catch (ExpressionException e) {
      error = String.valueOf(e.getMessage());
    }
    return outputs + error;
  }

  @Test
  void shouldGivePathsAndAssignThroughLongAccesses() {
    assertEquals(
        "[1,2,3,4]",
        Expressions.value(
            "[.[][0][0][0][0][0][0][0][0][]]", "[[[[[[[[[[1,2]]]]]]]]],[[[[[[[[[3,4]]]]]]]]]]"));
    assertEquals(
        "[[[[[[[[[[9]]]]]]]]]]", Expressions.value(".[0][0][0][0][0][0][0][0][0][0] = 9", "null"));
    assertEquals(
        "[[0,0,0,0,0,0,0,0,0,0],[0,0,0,0,0,0,0,0,0,1]]",
        Expressions.value("[path(.[0][0][0][0][0][0][0][0][0][0,1])]", "null"));
  }

  @Test
  void shouldRefuseDeepFieldPathsInAssignmentsByTheirDepth() {
    assertNull(failure(".a".repeat(400) + " = 1"));
    assertNotNull(failure(".a".repeat(LONG) + " = 1"));
    assertNotNull(failure("(" + ".a[0]".repeat(LONG) + ") |= 1"));
  }

  private static @Nullable String failure(String source) {
    try {
      Expressions.value(source, "null");
      return null;
    } catch (ExpressionException e) {
      return e.getMessage();
    }
  }
}
