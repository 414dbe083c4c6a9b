package dev.pinion.core.jq;

import static dev.pinion.core.jq.Expressions.problems;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.jq.syntax.ExpressionProblem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompileProblemTest {
  @Test
  void shouldReportEveryUnknownName() {
    List<ExpressionProblem> problems =
        problems("lenght + $contxt.a | def f: kyes; [f, split(1;2;3)]", "context");

    assertEquals(
        List.of(
            new ExpressionProblem(0, "expected a known function, found \"lenght/0\"", "length"),
            new ExpressionProblem(
                9, "expected a variable that is defined here, found \"$contxt\"", "$context"),
            new ExpressionProblem(28, "expected a known function, found \"kyes/0\"", "keys"),
            new ExpressionProblem(38, "expected split/1 or split/2, found \"split/3\"", "split/1")),
        problems.stream()
            .sorted((a, b) -> Integer.compare(a.offset(), b.offset()))
            .map(p -> new ExpressionProblem(p.offset(), p.message(), p.suggestion()))
            .toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          .a +              ~  4 ~ expected an expression, found the end of the expression
          {                 ~  1 ~ expected a key, a variable or "(", found the end of the expression
          }                 ~  0 ~ expected an expression, found "}"
          [1, 2             ~  5 ~ expected "]", found the end of the expression
          if . then 1       ~ 11 ~ expected "end", found the end of the expression
          .a | | .b         ~  5 ~ expected an expression, found "|"
          . as x | x        ~  5 ~ expected a variable, "[" or "{", found "x"
          1 == 2 == 3       ~  7 ~ expected parentheses, found "==" after an operation with "=="
          "abc              ~  1 ~ expected the end of the string, found the end of the text
          .a b              ~  3 ~ expected an operator or the end of the expression, found "b"
          reduce . as $x 1  ~ 15 ~ expected "(", found "1"
          def f: 1          ~  8 ~ expected ";", found the end of the expression
          1e                ~  1 ~ expected digits in the exponent of a number
          . as [] | 1       ~  6 ~ expected a variable, "[" or "{", found "]"
          #                 ~  1 ~ expected an expression, found the end of the expression
          ^                 ~  0 ~ expected an expression, found "^"
          """)
  void shouldLocateSyntaxErrors(String source, int offset, String message) {
    assertEquals(List.of(new ExpressionProblem(offset, message, null)), problems(source.strip()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "env",
        "$ENV",
        "input",
        "inputs",
        "debug",
        "debug(1)",
        "stderr",
        "halt",
        "halt_error",
        "input_line_number",
        "input_filename",
        "get_search_list",
        "get_jq_origin",
        "get_prog_origin",
        "modulemeta",
        "a::b",
        "import \"a\" as b; 1",
        "include \"a\"; 1",
        "break $x",
        "@nope",
        "{(1): 2}",
        ". as {(true): $x} | $x",
        "$__prog_args",
        "def f(g): g; f",
        "f(1)"
      })
  void shouldRefuse(String source) {
    List<ExpressionProblem> problems = problems(source);

    assertEquals(1, problems.size(), problems::toString);
    assertTrue(problems.getFirst().message().startsWith("expected "), problems::toString);
  }

  @Test
  void shouldSayWhyTheEnvironmentIsRefused() {
    assertEquals(
        "expected a known function, found \"env\": the environment of the engine is not visible",
        problems("env.PATH").getFirst().message());
  }

  @Test
  void shouldReportProblemsOfFunctionsThatNothingCalls() {
    assertEquals(1, problems("def f(g): def h: $nope; 1; 2").size());
  }

  @Test
  void shouldBoundTheLengthOfTheSource() {
    int most = Expressions.LIMITS.definition().maxExpressionChars();

    assertEquals(List.of(), problems("1" + " ".repeat(most - 1)));
    List<ExpressionProblem> problems = problems("1" + " ".repeat(most));
    assertEquals(most, problems.getFirst().offset());
    assertTrue(problems.getFirst().message().contains("definition.maxExpressionChars"));
  }

  static List<String> nested() {
    int many = 60_000;
    return List.of(
        "[".repeat(1 << 20),
        "[".repeat(many),
        "(".repeat(many),
        "{a:".repeat(many / 3),
        "-".repeat(many) + "1",
        "\"\\(".repeat(many / 3),
        "if ".repeat(many / 3),
        "try ".repeat(many / 4),
        "if 1 then 1 el".repeat(many / 14),
        "reduce ".repeat(many / 7),
        ". as [".repeat(many / 6),
        ". as " + "[".repeat(many),
        "." + "|.[]".repeat(many / 4),
        "." + "[]".repeat(many / 2),
        "(1,1)" + "+(1,1)".repeat(many / 6),
        "def f:".repeat(many / 6),
        "label $x|".repeat(many / 9) + "1",
        "f(".repeat(many / 2),
        ".[".repeat(many / 2),
        functionsInFunctions());
  }

  /** Each level calls the next one with two kinds of arguments: unfolded, that is 2 to the 40. */
  private static String functionsInFunctions() {
    StringBuilder source = new StringBuilder();
    int levels = 40;
    for (int i = 0; i < levels; i++) {
      source.append("def f").append(i).append("(g): ");
    }
    source.append("g; ");
    for (int i = levels - 1; i > 0; i--) {
      source.append("f").append(i).append("(1), f").append(i).append("(1, 2); ");
    }
    return source + "f0(1), f0(1, 2)";
  }

  @ParameterizedTest
  @MethodSource("nested")
  void shouldRefuseWhatNestsTooDeepWithoutOverflow(String source) throws InterruptedException {
    Throwable[] thrown = new Throwable[1];
    boolean[] refused = new boolean[1];
    Thread thread =
        new Thread(null, () -> refused[0] = !problems(source).isEmpty(), "nested", 512 << 10);
    thread.setUncaughtExceptionHandler((t, e) -> thrown[0] = e);
    thread.start();
    thread.join();

    assertNull(thrown[0]);
    assertTrue(refused[0]);
  }
}
