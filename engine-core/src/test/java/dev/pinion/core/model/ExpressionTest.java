package dev.pinion.core.model;

import static dev.pinion.core.jq.Expressions.all;
import static dev.pinion.core.jq.Expressions.budget;
import static dev.pinion.core.jq.Expressions.compile;
import static dev.pinion.core.jq.Expressions.json;
import static dev.pinion.core.jq.Expressions.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.jq.CompiledExpression;
import dev.pinion.core.jq.Expressions;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.template.ConditionExpressions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionTest {
  private static final String CASES =
      """
      1 + 1  ~  null  ~  2
      . + 1  ~  9007199254740993  ~  9007199254740994
      . + 1  ~  9223372036854775807  ~  9.223372036854776E18
      . * 2  ~  4611686018427387904  ~  9.223372036854776E18
      6 / 2  ~  null  ~  3
      7 / 2  ~  null  ~  3.5
      7 % -3  ~  null  ~  1
      -7 % 3  ~  null  ~  -1
      1.5 + 1.5  ~  null  ~  3
      null + 1  ~  null  ~  1
      {b: 1, a: 2}  ~  null  ~  {"b":1,"a":2}
      keys  ~  {"b":1,"a":2}  ~  ["a","b"]
      . * {a: {c: 2}}  ~  {"a":{"b":1}}  ~  {"a":{"b":1,"c":2}}
      "x" * 3  ~  null  ~  "xxx"
      "a,b" / ","  ~  null  ~  ["a","b"]
      [1,2,3] - [2]  ~  null  ~  [1,3]
      "a\\(1 + 1)b"  ~  null  ~  "a2b"
      @base64 "x\\(.)"  ~  "hi"  ~  "xaGk="
      tostring  ~  1e1000  ~  "1.7976931348623157e+308"
      [.1, 1e-5, 1e17, 1e-4, 123456789.5, 1.5e300] | tojson  ~  null  ~  "[0.1,1e-05,100000000000000000,0.0001,123456789.5,1.5e+300]"
      nan  ~  null  ~  null
      [nan]  ~  null  ~  [null]
      infinite  ~  null  ~  1.7976931348623157E308
      {a: nan}  ~  null  ~  {"a":null}
      empty  ~  1  ~  null
      1, 2  ~  null  ~  1
      .[-1]  ~  [1,2,3]  ~  3
      .[1:]  ~  "h\u00e9llo"  ~  "\u00e9llo"
      .a.b.c  ~  {"a":null}  ~  null
      .a = 1  ~  null  ~  {"a":1}
      .a[1] |= 5  ~  null  ~  {"a":[null,5]}
      .[] += 1  ~  [1,2]  ~  [2,3]
      .a //= 7  ~  {"a":false}  ~  {"a":7}
      .a.b |= empty  ~  {}  ~  {}
      map_values(empty)  ~  {"a":1}  ~  {}
      del(.a, .c)  ~  {"a":1,"b":2,"c":3}  ~  {"b":2}
      to_entries  ~  {"a":1}  ~  [{"key":"a","value":1}]
      with_entries(.value += 1)  ~  {"a":1}  ~  {"a":2}
      reduce .[] as [$a, $b] (0; . + $a * $b)  ~  [[1,2],[3,4]]  ~  14
      [foreach .[] as $x (0; . + $x; [$x, .])]  ~  [1,2]  ~  [[1,1],[2,3]]
      [limit(3; repeat(1))]  ~  null  ~  [1,1,1]
      [.[] as {$a} ?// [$a] | $a]  ~  [{"a":1},[2]]  ~  [1,2]
      [label $out | .[] | ., break $out]  ~  [1,2]  ~  [1]
      try error({a: 1}) catch .a  ~  null  ~  1
      (try error("x") catch .) + "y"  ~  null  ~  "xy"
      [.[]?]  ~  1  ~  []
      .a? // "none"  ~  []  ~  "none"
      ltrimstr("x")  ~  "xy"  ~  "y"
      [match("a(?P<n>b)?"; "g") | .captures[0].string]  ~  "abac"  ~  ["b",null]
      sub("(?<x>b)"; "<\\(.x)>")  ~  "abb"  ~  "a<b>b"
      gsub("b"; "c")  ~  "abb"  ~  "acc"
      gsub("^"; ">")  ~  "ab"  ~  ">ab"
      [scan("[a-c]")]  ~  "xaybz"  ~  ["a","b"]
      test("A"; "i")  ~  "xax"  ~  true
      split(", *"; null)  ~  "a, b,c"  ~  ["a","b","c"]
      capture("(?<y>\\\\d+)-(?<m>\\\\d+)")  ~  "2026-11"  ~  {"y":"2026","m":"11"}
      ascii_upcase  ~  "stra\u00dfe"  ~  "STRA\u00dfE"
      group_by(.a) | map(length)  ~  [{"a":1},{"a":2},{"a":1}]  ~  [2,1]
      unique_by(length)  ~  ["a","bb","c"]  ~  ["a","bb"]
      flatten(1)  ~  [1,[2,[3]]]  ~  [1,2,[3]]
      [paths]  ~  {"a":[1]}  ~  [["a"],["a",0]]
      getpath(["a","b"])  ~  {"a":{"b":5}}  ~  5
      todate  ~  0  ~  "1970-01-01T00:00:00Z"
      fromdate  ~  "2015-03-05T23:51:47Z"  ~  1425599507
      strftime("%a %j %U")  ~  1425599507  ~  "Thu 064 09"
      fromjson  ~  "[1,{}]"  ~  [1,{}]
      def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; fac  ~  20  ~  2432902008176640000
      def f(g; $x): [g, $x]; f(.a, .b; 1, 2)  ~  {"a":1,"b":2}  ~  [1,2,1]
      [1, [2]] | tostream  ~  null  ~  [[0],1]
      fromstream(tostream)  ~  {"a":[1,2]}  ~  {"a":[1,2]}
      splits("b")  ~  "abc"  ~  "a"
      "\\u00e9" | @uri  ~  null  ~  "%C3%A9"
      @sh "echo \\(.)"  ~  "it's"  ~  "echo 'it'\\\\''s'"
      $__loc__  ~  null  ~  {"file":"<top-level>","line":1}
      """;

  static List<String> cases() {
    return CASES.lines().toList();
  }

  /** Expression, input and expected value between tildes. */
  @ParameterizedTest
  @MethodSource("cases")
  void shouldEvaluateLikeJq(String line) {
    String[] parts = line.split("  ~  ", -1);

    assertEquals(json(parts[2]).toString(), value(parts[0], parts[1]));
  }

  @Test
  void shouldKeepIntegersExactWhereDoublesAreNot() {
    assertEquals("9007199254740993", value("9007199254740992 + 1", "null"));
    assertEquals("true", value(". == 9007199254740993", "9007199254740993"));
    assertEquals("false", value(". == 9007199254740992", "9007199254740993"));
  }

  @Test
  void shouldOrderLongsAndDoublesConsistently() {
    assertEquals(
        "[9007199254740992,9.007199254740992E15,9007199254740993]",
        value("sort", "[9007199254740993, 9007199254740992, 9007199254740992.0]"));
  }

  @Test
  void shouldMakeTheNumbersAParserWouldMake() {
    for (String number : List.of("1 + 1", "2147483647 + 1", "1.5 * 2", "0.1 + 0.2")) {
      Payload made = compile(number).evaluate(Payload.NULL, Scope.EMPTY, budget());
      assertEquals(json(made.toString()), made);
    }
  }

  @Test
  void shouldStopAfterTheFirstOutput() {
    Budget budget = new Budget(100);

    Payload first = compile("range(1e12)").evaluate(Payload.NULL, Scope.EMPTY, budget);

    assertEquals(Payload.of(json("0").json()), first);
    assertTrue(budget.stepsLeft() > 80);
  }

  @Test
  void shouldAnswerPartsOfTheInputWithoutCopying() {
    Payload input = json("{\"a\":{\"b\":[1,2,3]}}");

    assertSame(input, compile(".").evaluate(input, Scope.EMPTY, budget()));
    assertSame(
        input.json().at("/a/b"), compile(".a.b").evaluate(input, Scope.EMPTY, budget()).json());
  }

  @Test
  void shouldNotChangeItsInput() {
    Payload input = json("{\"a\":[1,{\"b\":2}]}");
    String before = input.toString();

    for (String source :
        List.of(
            ".a[0] = 9", ".a |= map(1)", "del(.a[0])", ".a[1].b += 1", ". * {a: 1}", ".a + [1]")) {
      assertFalse(compile(source).evaluate(input, Scope.EMPTY, budget()).toString().equals(before));
    }
    assertEquals(before, input.toString());
  }

  @Test
  void shouldSeeTheVariablesOfTheScope() {
    Scope scope = Map.of("context", json("{\"x\":5}"))::get;

    Payload value =
        compile("[$context.x, $input, ($context as {$x} | $x)]", "context", "input")
            .evaluate(Payload.NULL, scope, budget());

    assertEquals("[5,null,5]", value.toString());
  }

  @Test
  void shouldTakeTheTimeFromTheScope() {
    Scope scope = Map.of("now", json("1425599507.5"))::get;

    assertEquals(
        "\"2015-03-05T23:51:47Z\"",
        compile("now | todate").evaluate(Payload.NULL, scope, budget()).toString());
    ExpressionException absent =
        assertThrows(
            ExpressionException.class,
            () -> compile("now").evaluate(Payload.NULL, Scope.EMPTY, budget()));
    assertTrue(detail(absent).contains("now"));
  }

  @Test
  void shouldFailWithTheMessageOfTheError() {
    ExpressionException failed =
        assertThrows(ExpressionException.class, () -> value(".a.b", "{\"a\":1}"));

    assertEquals("Cannot index number with string (\"b\")", failed.error().detail());
    assertEquals(ErrorType.EXPRESSION.uri(), failed.error().type());
  }

  @Test
  void shouldCatchErrorsOfTheBodyOnly() {
    assertEquals(
        "\"outside\"", value("try ((try 1 catch 2) | error(\"outside\")) catch .", "null"));
    assertEquals("[1,9]", value("[(1, null) | (. // 9)]", "null"));
    assertEquals("\"after\"", value("try ((1 // 2) | error(\"after\")) catch .", "null"));
  }

  @Test
  void shouldKeepVariablesApartWhenAGeneratorRunsInsideItself() {
    assertEquals(
        "[[1,1],[1,2],[2,1],[2,2]]",
        value("def f(g): [g as $a | g as $b | [$a, $b]]; f((1, 2) as $x | $x)", "null"));
    assertEquals(
        "[0,1] [1,1] [0,2] [2,2]",
        all("def t(g): 0 | g | . as $y | $y; t((1, 2) as $x | (., $x) | [., $x])", "null"));
  }

  @Test
  void shouldSpendTheSameStepsEachTime() {
    Expression<Payload> expression =
        compile("[.[] | select(test(\"^a\")) | sub(\"a\"; \"b\")] | sort | tojson");
    Payload input = json("[\"abc\",\"xyz\",\"aaa\"]");

    assertEquals(steps(expression, input), steps(expression, input));
  }

  private static String detail(ExpressionException failed) {
    return String.valueOf(failed.error().detail());
  }

  private static long steps(Expression<Payload> expression, Payload input) {
    Budget budget = budget();
    Payload _ = expression.evaluate(input, Scope.EMPTY, budget);
    return budget.stepsLeft();
  }

  @Test
  void shouldEndWithTheBudget() {
    Expression<Payload> expression = compile("[range(100)] | add");
    Budget enough = budget();
    Payload value = expression.evaluate(Payload.NULL, Scope.EMPTY, enough);
    long used = Expressions.LIMITS.expression().maxSteps() - enough.stepsLeft();

    assertEquals("4950", value.toString());
    assertEquals(
        "4950", expression.evaluate(Payload.NULL, Scope.EMPTY, new Budget(used)).toString());
    assertThrows(
        BudgetExceededException.class,
        () -> expression.evaluate(Payload.NULL, Scope.EMPTY, new Budget(used - 1)));
  }

  @Test
  void shouldBoundTheSizeOfAValue() {
    EngineLimits limits = Expressions.LIMITS.with(Map.of("instance.maxPayloadBytes", 1_024));
    Expression<Payload> text = compile(limits, "[., \"x\"]");
    // [ "…" , "x" ] takes eight bytes more than the text, quotes included
    Payload fits = Payload.of("y".repeat(1_024 - 8));
    Payload tooLong = Payload.of("y".repeat(1_024 - 7));
    Payload wide = Payload.of("\u00e9".repeat((1_024 - 8) / 2));

    assertEquals(1_024, text.evaluate(fits, Scope.EMPTY, budget()).toString().length());
    assertEquals(512 + 4, text.evaluate(wide, Scope.EMPTY, budget()).toString().length());
    ExpressionException refused =
        assertThrows(
            ExpressionException.class, () -> text.evaluate(tooLong, Scope.EMPTY, budget()));
    assertTrue(detail(refused).contains("instance.maxPayloadBytes"));
  }

  @Test
  void shouldBoundTheNestingOfDataAndCalls() {
    EngineLimits limits = Expressions.LIMITS.with(Map.of("expression.maxDepth", 16));
    String nest = "reduce range(%d) as $i (0; [.])";

    assertTrue(
        compile(limits, nest.formatted(16))
            .evaluate(Payload.NULL, Scope.EMPTY, budget())
            .json()
            .isArray());
    ExpressionException tooDeep =
        assertThrows(
            ExpressionException.class,
            () ->
                compile(limits, nest.formatted(17)).evaluate(Payload.NULL, Scope.EMPTY, budget()));
    assertTrue(detail(tooDeep).contains("expression.maxDepth"));
    assertThrows(
        ExpressionException.class,
        () ->
            compile(limits, "def f: if . > 0 then . - 1 | f else . end; 17 | f")
                .evaluate(Payload.NULL, Scope.EMPTY, budget()));
  }

  @Test
  void shouldRecurseAsDeepAsPlainFunctionsNeed() {
    assertEquals("0", value("def f: if . > 0 then . - 1 | f else . end; 400 | f", "null"));
    assertEquals("100000", value("last(range(1e5) | . + 1)", "null"));
    assertEquals("100000", value("0 | until(. >= 1e5; . + 1)", "null"));
    assertEquals("50001", value("[0 | while(. <= 5e4; . + 1)] | length", "null"));
    assertEquals("10001", value("[limit(10001; 0 | recurse(. + 1))] | length", "null"));
  }

  @Test
  void shouldStopALimitedExpressionBeforeALaterOutputFails() {
    assertEquals("[false,false]", value("[limit(2; [{}] == (.[]?, .b))]", "[\"\",\"\"]"));
    assertEquals("[1]", value("[limit(1; 1, error)]", "null"));
  }

  @Test
  void shouldRefuseWhatRegularExpressionsCannotDoInLinearTime() {
    ExpressionException refused =
        assertThrows(ExpressionException.class, () -> value("test(\"(?=x)\")", "\"x\""));

    assertTrue(detail(refused).contains("no look-around"));
  }

  @Test
  void shouldFoldWithoutWritingToWhatOthersHold() {
    assertEquals(
        "[[5,1,2],[5]]", value("[5] as $a | [reduce (1, 2) as $i ($a; . + [$i]), $a]", "null"));
    assertEquals(
        "[[9,9],[9]]", value("[9] as $x | [reduce ($x, $x) as $y (null; . + $y), $x]", "null"));
    assertEquals(
        "[{\"a\":0,\"b\":0},{\"a\":1,\"b\":2}]",
        value("[reduce keys[] as $k (.; .[$k] = 0), .]", "{\"a\":1,\"b\":2}"));
    assertEquals("[0,1,2]", value("reduce range(3) as $i ([]; .[$i] += $i)", "null"));
    assertEquals(
        "{\"a\":[1,3],\"b\":[2]}",
        value("reduce .[] as [$k, $v] ({}; .[$k] += [$v])", "[[\"a\",1],[\"b\",2],[\"a\",3]]"));
    CompiledExpression constant = compile("reduce (1, 2) as $i ([0]; . + [$i])");
    for (int i = 0; i < 2; i++) {
      assertEquals("[0,1,2]", constant.evaluate(Payload.NULL, Scope.EMPTY, budget()).toString());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "reduce range(50000) as $i ({}; .[\"\\($i)\"] = $i) | length",
        "reduce range(50000) as $i ([]; . + [$i]) | length",
        "reduce range(50000) as $i ([]; .[$i] = {id: $i}) | length",
        "INDEX(range(50000) | {id: .}; .id) | length"
      })
  void shouldFoldInLinearTime(String source) {
    assertEquals("50000", value(source, "null"));
  }

  @Test
  void shouldStandTheDeepestLimitOnAnOrdinaryStack() throws InterruptedException {
    EngineLimits limits = Expressions.LIMITS.with(Map.of("expression.maxDepth", 1_000));
    List<Throwable> thrown = new ArrayList<>();
    for (String source : List.of("def f: [f]; f", "def f(g): f(g | g); [f(., 1)]")) {
      Thread thread =
          new Thread(
              null,
              () ->
                  thrown.add(
                      assertThrows(
                          ExpressionException.class,
                          () ->
                              compile(limits, source)
                                  .evaluate(Payload.NULL, Scope.EMPTY, budget()))),
              "deep",
              1 << 20);
      thread.start();
      thread.join();
    }

    assertEquals(2, thrown.size());
    assertThrows(
        IllegalArgumentException.class,
        () -> Expressions.LIMITS.with(Map.of("expression.maxDepth", 1_001)));
  }

  @Test
  void shouldBoundTheLimitOfTheSource() {
    EngineLimits limits = Expressions.LIMITS.with(Map.of("definition.maxExpressionChars", 16));

    assertEquals("1", compile(limits, "1").evaluate(Payload.NULL, Scope.EMPTY, budget()) + "");
    assertThrows(
        IllegalArgumentException.class,
        () -> Expressions.LIMITS.with(Map.of("definition.maxExpressionChars", 15)));
  }

  @Test
  void shouldDecideConditionsLikeJq() {
    for (String truthy : List.of("0", "\"\"", "[]", "{}", "true")) {
      assertTrue(
          ConditionExpressions.of(compile(".")).evaluate(json(truthy), Scope.EMPTY, budget()));
    }
    for (String falsy : List.of("null", "false")) {
      assertFalse(
          ConditionExpressions.of(compile(".")).evaluate(json(falsy), Scope.EMPTY, budget()));
    }
    assertFalse(
        ConditionExpressions.of(compile("empty")).evaluate(Payload.NULL, Scope.EMPTY, budget()));
  }
}
