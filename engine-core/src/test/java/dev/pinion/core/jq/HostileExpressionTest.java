package dev.pinion.core.jq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.pinion.core.jq.syntax.ExpressionProblem;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Expressions that try to use up time, memory or stack. Each runs on a thread with a stack of 512
 * KiB and must end by a limit, having allocated no more than its steps pay for.
 */
class HostileExpressionTest {
  private static final EngineLimits LIMITS = EngineLimits.defaults();
  private static final int STACK_BYTES = 512 << 10;
  private static final long BYTES_PER_STEP = 48;
  private static final long ALLOWANCE = 8L << 20;

  /** Bodies of a function that calls itself, by the letter F, in every possible position. */
  private static final List<String> RECURSION =
      List.of(
          "F",
          "[F]",
          "{a: F}",
          "{(F | tostring): 1}",
          "\"\\(F)\"",
          "@base64 \"\\(F)\"",
          "F | F",
          "F, 1",
          "-F",
          "F + F",
          "F and F",
          "F // F",
          "F == 1",
          "if F then 1 else 2 end",
          "if . then F else F end",
          "if . == 0.5 then 1 elif F then F end",
          "F as $y | 1",
          "F as [$y, {a: $z}] | 1",
          "F as [$y] ?// {a: $y} | 1",
          ". as {(F): $y} | 1",
          "1 as $y | F",
          "reduce F as $y (0; 1)",
          "reduce 1 as $y (F; 1)",
          "reduce 1 as $y (0; F)",
          "foreach F as $y (0; 1)",
          "foreach (1, 2) as $y (0; F; .)",
          "foreach (1, 2) as $y (0; 1; F)",
          "label $out | F",
          "try F catch 1",
          "try error(\"x\") catch F",
          "F?",
          ".[F]",
          ".[F:]",
          ".[:F]?",
          "F[]",
          "F.a",
          "[.[]? | F]",
          ".a = F",
          ".a |= F",
          ".a += F",
          ".[0]? |= F",
          "(.. | F) |= 1",
          "path(F)",
          "del(F)",
          "getpath(F)",
          "setpath(F; 1)",
          "[paths(F)]",
          "first(F)",
          "last(F)",
          "limit(1; F)",
          "limit(F; 1)",
          "skip(0; F)",
          "nth(0; F)",
          "isempty(F)",
          "any(F; .)",
          "all(1; F)",
          "range(F)",
          "range(0; F; 1)",
          "until(F; 1)",
          "until(false; F)",
          "while(F; 1)",
          "while(true; F)",
          "repeat(F)",
          "recurse(F)",
          "select(F)",
          "map(F)",
          "[1] | map(F)",
          "[1] | map_values(F)",
          "[1] | sort_by(F)",
          "[1, 2] | group_by(F)",
          "[1] | min_by(F)",
          "{a: 1} | with_entries(F)",
          "walk(F)",
          "add(F)",
          "error(F)",
          "IN(F)",
          "INDEX(F; .)",
          "pick(F)",
          "\"x\" | test(F)",
          "\"x\" | sub(\"x\"; F)",
          "\"x\" | ltrimstr(F)",
          "pow(F; 2)",
          "F | tojson",
          "def g: F; g",
          "def g(h): h; g(F)",
          "def g($h): $h; g(F)",
          "def g(h): def i: h; i | i; g(F)");

  static List<String> hostile() {
    List<String> sources =
        new ArrayList<>(
            List.of(
                "\"x\" * 1e9",
                "[range(1e12)]",
                "def f: f; f",
                "def f: f | f; f",
                "def f: 1 + f; f",
                "def f: [f]; f",
                "def f: {a: f}; f",
                "def f: f, f; [f]",
                "def f: .[0] | f; f",
                "def f: try f catch f; f",
                "def f: (f // f); f",
                "def f: reduce f as $x (0; f); f",
                "def f: \"\\(f)\"; f",
                "def f(g): f(g | g); f(.)",
                "def f(g): g | f(g | g); f([., .])",
                "def f(g): f(f(g)); f(.)",
                "def f(n): if n == 0 then 1 else f(n - 1) + f(n - 1) end; f(60)",
                "def f($n): if $n == 0 then 1 else f($n - 1) + f($n - 1) end; f(60)",
                "def f: def g: f; g; f",
                "reduce range(60) as $i (\"x\"; . + .)",
                "reduce range(60) as $i ([1]; . + .)",
                "reduce range(60) as $i ([1]; [., .])",
                "reduce range(60) as $i ([1]; [., .]) | tojson",
                "reduce range(60) as $i ([1]; [., .]) | flatten",
                "reduce range(60) as $i ([1]; [., .]) as $a | $a | . == ($a | map(.))",
                "reduce range(60) as $i ([1]; [., .]) | [..] | length",
                "reduce range(60) as $i ([1]; [., .]) | [paths]",
                "reduce range(60) as $i ({a: 1}; {a: ., b: .})",
                "reduce range(60) as $i ({a: 1}; {a: ., b: .}) | . * .",
                "reduce range(1e9) as $i ([]; [.])",
                "reduce range(1e5) as $i ([]; [.]) | tojson",
                "reduce range(1e5) as $i ([]; [.]) | tostring",
                "reduce range(1e5) as $i ([]; [.]) | flatten",
                "reduce range(1e5) as $i ([]; [.]) | [..] | length",
                "reduce range(1e5) as $i ([]; [.]) as $x | $x == $x",
                "reduce range(1e5) as $i ([]; [.]) as $x | [$x, $x] | sort",
                "reduce range(1e5) as $i ([]; [.]) as $x | [$x, $x] | unique",
                "reduce range(1e5) as $i ([]; [.]) as $x | $x | contains($x)",
                "reduce range(1e5) as $i ({}; {a: .}) as $x | $x * $x",
                "reduce range(1e5) as $i ({}; {a: .}) | [leaf_paths]",
                "reduce range(1e5) as $i ({}; {a: .}) | walk(.)",
                "reduce range(1e5) as $i ({}; {a: .}) | tostream",
                "reduce range(1e5) as $i ([]; [.]) | error",
                "[limit(1e9; repeat(\"x\"))] | add",
                "[limit(1e9; repeat(1))]",
                "last(repeat(1))",
                "until(false; .)",
                "until(false; ., .)",
                "[while(true; .)]",
                "[recurse(.)]",
                "last(recurse(., .))",
                "[range(infinite)] | length",
                "last(range(infinite))",
                "first(range(infinite) | select(. < 0))",
                "getpath([range(1e6) | 0])",
                "setpath([range(1e6) | 0]; 1)",
                "delpaths([[range(1e6) | 0]])",
                "delpaths([range(1e6) | [.]])",
                "setpath([1e9]; 1)",
                "setpath([4e8]; 1)",
                ".[1e8] = 1",
                "[][100000000] = 1",
                "reduce range(1e6) as $i ([]; .[$i] = $i)",
                "reduce range(1e6) as $i ({}; .[\"\\($i)\"] = $i)",
                "[range(300000)] | map([range(300000)])",
                "[range(1e7)] | sort",
                "[range(1e4)] as $a | $a - ($a | map(. + 1e5))",
                "[range(1e4)] as $a | [$a[] as $x | $a[] as $y | [$x, $y]]",
                "[combinations(30)]",
                "[[range(10)] | combinations(10)]",
                "[range(2e5)] | combinations",
                "[limit(1e8; range(1e9))] | transpose",
                "[[range(2e6)], []] | transpose | transpose",
                "(\"x\" * 4e6) as $s | [range(1e6) | $s + \"y\"]",
                "(\"x\" * 4e6) as $s | [range(1e6) | $s | ltrimstr(\"x\")]",
                "(\"x\" * 4e6) | until(. == \"\"; ltrimstr(\"x\"))",
                "(\"x\" * 4e6) as $s | [range(1e6) | $s | explode]",
                "(\"x\" * 4e6) as $s | [range(1e6) | $s | split(\"\")]",
                "(\"x\" * 4e6) as $s | [range(1e6) | $s | ascii_upcase]",
                "(\"x\" * 4e6) as $s | [range(1e6) | $s | @base64]",
                "(\"x\" * 4e6) as $s | [range(1e6) | $s | @base32]",
                "(\"x\" * 4e6) as $s | [range(1e6) | $s | @uri]",
                "(\"'\" * 1e6) as $s | [range(1e6) | $s | @sh]",
                "(\"\\\"\" * 1e6) as $s | [range(1e6) | [$s] | @csv]",
                "(\"<\" * 1e6) as $s | [range(1e6) | $s | @html]",
                "(\"x\" * 4e6) as $s | [range(1e6) | $s | tojson]",
                "(\"x\" * 4e6) as $s | [range(1e6) | $s == ($s + \"\")]",
                "(\"x\" * 4e6) as $s | [range(1e6) | $s | test(\"y\")]",
                "(\"x\" * 4e6) as $s | [range(1e6) | $s | length]",
                "(\"x\" * 4e6) as $s | [range(1e6) | $s | contains(\"y\")]",
                "(\"x\" * 4e6) as $s | [range(1e6) | $s[1:]]",
                "(\"x\" * 4e6) as $s | [range(1e6) | $s[:-1]]",
                "(\"x\" * 4e6) as $s | [range(1e6) | $s | trim]",
                "(\"x\" * 4e6) as $s | [range(1e6) | $s | index(\"y\")]",
                "(\"x\" * 4e6) as $s | [range(1e6) | $s | strftime(\"%A\")?]",
                "(\"%A\" * 2e6) as $s | [range(1e6) | 0 | strftime($s)]",
                "(\"[\" * 4e6) | fromjson",
                "(\"[\" * 1e5) | [range(1e5) as $i | fromjson?]",
                "(\"[1\" + (\",1\" * 2e6) + \"]\") | [range(1e5) as $i | fromjson]",
                "(\"a\" * 3e6) | [match(\"\"; \"g\")]",
                "(\"a\" * 3e6) | gsub(\"a\"; \"bb\")",
                "(\"a\" * 3e5) | [match(\"a\"; \"g\") | .string]",
                "(\"a\" * 3e5) | [match(\"b|a*?c|a\"; \"g\") | .string]",
                "(\"a\" * 3e5) | [match(\"(?:a{1000}){1000}\"; \"g\")]",
                "[range(1e5) | \"x\" | test(\"[a-z]{1000}\")]",
                "(\"x\" * 1e5) as $k | reduce range(1e6) as $i ({}; .[$k + \"\\($i)\"] = 1)",
                "label $l | def f: f, break $l; f",
                "[range(1e6) as $i | label $l | break $l] | [range(1e7)]",
                "[range(1e9) | try error(\"x\") catch .]",
                "[range(1e9) | error?]",
                "[range(1e9) | try (\"x\" | fromjson) catch .]",
                "[range(1e9) | try (\"x\" | test(\"(\")) catch .]",
                "[range(1e9) | try (\"!\" | @base64d) catch .]",
                "[range(1e9) | try (\"2026-02-31\" | strptime(\"%Y-%j\")) catch .]",
                "[range(1e9) | try ([1e9, 1, 1, 1, 1, 1] | mktime) catch .]",
                "[range(1e9) | \"1.5\" | tonumber]",
                "[range(1e9) | \"[]\" | fromjson]",
                "[range(1e9)] | implode",
                "[range(1e6)] | join(\",\")",
                "[range(1e6)] | map(tostring) | add | [range(1e6) as $i | .]  | add",
                "foreach range(1e12) as $i (0; . + $i; empty)",
                "[foreach range(1e12) as $i (0; . + $i)]",
                "[range(1e9) as {a: $a} ?// [$a] | $a]",
                "[range(1e9) as {a: $a} ?// $a | $a]",
                "INDEX(range(1e9); .)",
                "[range(1e6)] | to_entries",
                "[range(1e6)] | (.[] |= . + 1) | map_values(empty) | [range(1e9)]",
                "[range(1e5)] | (.. |= .)",
                "[range(1e6)] | del(.[range(1e6)])",
                "[range(1e6)] | add(.[] | [.])",
                "[range(1e6)] | [paths]",
                "[range(1e4)] | (.[range(1e4)] |= . + 1)",
                "(\"a\" * 4e6 + \"b\") | test(\"((a+)+)+$\")",
                "[range(1000) | 0] as $p | setpath($p; 1)",
                "(0" + " | ., .".repeat(40) + ") | select(false)",
                "(0 | ., .)" + " + (0, 1)".repeat(40) + " | select(false)",
                "1" + " as $x | 2".repeat(4_000) + " as $y | [range(1e9) | $x]",
                "[range(1e9) | y1]",
                "[range(1e9) | lgamma_r]",
                "[range(1e9) | erfc]",
                "jn(1e9; 2e9)",
                "yn(1e9; 2e9)",
                "[range(1e9) as $n | jn($n; 1000)]",
                "[range(1e9) | try (\"[\" * 600 | fromjson) catch .]",
                "[range(1e9) | try (\"{\\\"a\\\":\\\"\\\\x\\\"}\" | fromjson) catch .]",
                "(\"a\" * 3e5) | [gsub(\"a\"; \"b\", \"c\")]",
                "(\"a\" * 3e5) | gsub(\"(?<x>a)\"; .x * 1000)",
                "[range(1e9) | 0 | strftime(\"%9999999Y\")]",
                "reduce range(1e5) as $i ([]; [.]) as $x | [range(1e9) | try ($x == $x) catch .]",
                "reduce range(1e5) as $i ([]; [.]) as $x | [range(1e9) | try ([$x, $x] | sort) catch .]",
                "[limit(1e6; repeat(\"abcdefgh\"))] | join(\"\")"));
    sources.add("(0,0)" + "|(0,0)".repeat(40) + "| select(false)");
    sources.add("{" + objectProduct() + "} | select(false)");
    sources.add("\"" + "\\((0,1))".repeat(40) + "\" | select(. == \"\")");
    return sources;
  }

  /** Functions that call themselves endlessly, except where something stops them early. */
  static List<String> recursive() {
    List<String> sources = new ArrayList<>();
    for (String body : RECURSION) {
      sources.add("def f: " + body.replace("F", "f") + "; f");
      sources.add("def f: (., .) | " + body.replace("F", "f") + "; [f]");
      sources.add("def f: .[0]? as [$x] | " + body.replace("F", "f") + "; [[[]]] | [f]");
      sources.add("def f(g): " + body.replace("F", "f(g)") + "; f(., 1)");
      sources.add("def f($x): [" + body.replace("F", "f([$x])") + "]; f(0)");
    }
    return sources;
  }

  private static String objectProduct() {
    StringBuilder members = new StringBuilder("a0: (1,2)");
    for (int i = 1; i < 40; i++) {
      members.append(", a").append(i).append(": (1,2)");
    }
    return members.toString();
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void shouldEndByALimit(String source) throws InterruptedException {
    Expression<Payload> expression = compile(source);

    for (long steps :
        new long[] {LIMITS.expression().loopSteps(), LIMITS.expression().maxSteps()}) {
      Ending ending = run(expression, steps);

      assertTrue(
          ending.thrown instanceof BudgetExceededException
              || ending.thrown instanceof ExpressionException,
          () -> "expected the end by a limit, found " + ending.thrown + " " + ending.result);
      long paid = ALLOWANCE + steps * BYTES_PER_STEP;
      assertTrue(
          ending.allocated < paid,
          () ->
              "expected at most " + paid + " bytes, found " + ending.allocated + " for " + source);
    }
  }

  @ParameterizedTest
  @MethodSource("recursive")
  void shouldNeverOverflowTheStack(String source) throws InterruptedException {
    Expression<Payload> expression = compile(source);

    Ending ending = run(expression, LIMITS.expression().maxSteps());

    assertTrue(
        ending.result != null
            || ending.thrown instanceof BudgetExceededException
            || ending.thrown instanceof ExpressionException,
        () -> "expected a result or the end by a limit, found " + ending.thrown);
  }

  @ParameterizedTest
  @ValueSource(strings = {"(a+)+$", "^(a*)*$", "(a|aa)+$", "(a|a?)+b", "(.*)*x"})
  void shouldMatchInLinearTime(String pattern) {
    // given a pattern and a text that take exponential time in a regular expression that
    // backtracks.
    String source = "(\"a\" * 10000 + \"!\") | test(\"" + pattern + "\")";
    Budget budget = new Budget(LIMITS.expression().maxSteps());

    Payload found = compile(source).evaluate(Payload.NULL, Scope.EMPTY, budget);

    assertEquals(Payload.FALSE, found);
    assertTrue(budget.stepsLeft() > LIMITS.expression().maxSteps() / 2);
  }

  private static Expression<Payload> compile(String source) {
    List<ExpressionProblem> problems = new ArrayList<>();
    Expression<Payload> expression =
        new ExpressionCompiler(LIMITS).compile(source, Set.of(), problems::add);
    assertNotNull(expression, problems::toString);
    return expression;
  }

  private record Ending(@Nullable Throwable thrown, @Nullable String result, long allocated) {}

  private static Ending run(Expression<Payload> expression, long steps)
      throws InterruptedException {
    List<Ending> ended = new ArrayList<>();
    Thread thread =
        new Thread(null, () -> ended.add(evaluate(expression, steps)), "hostile", STACK_BYTES);
    thread.start();
    thread.join();
    assertEquals(1, ended.size());
    return ended.getFirst();
  }

  private static Ending evaluate(Expression<Payload> expression, long steps) {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    Throwable thrown = null;
    String result = null;
    try {
      String text = expression.evaluate(Payload.NULL, Scope.EMPTY, new Budget(steps)).toString();
      result = text.substring(0, Math.min(80, text.length()));
    } catch (Throwable e) {
      thrown = e;
    }
    return new Ending(thrown, result, threads.getCurrentThreadAllocatedBytes() - before);
  }
}
