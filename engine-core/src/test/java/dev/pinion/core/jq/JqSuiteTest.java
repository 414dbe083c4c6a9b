package dev.pinion.core.jq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pinion.core.jq.syntax.ExpressionProblem;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.EvaluationLimits;
import dev.pinion.core.jq.value.ValueOrder;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
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
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * jq's own test suite, which is of a version later than 1.7. Every case passes but those listed
 * here with their reason, and docs/language.md tells how many these are.
 */
class JqSuiteTest {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

  private static final EvaluationContext RUN =
      new EvaluationContext(
          Scope.EMPTY, Budget.unlimited(), new EvaluationLimits(EngineLimits.defaults()));

  /** Cases that fail: they need what this engine does not have or does otherwise on purpose. */
  private static final List<Miss> MISSES =
      List.of(
          new Miss("there are no modules", 12, "import \"", "include \"", "modulemeta"),
          new Miss("there are no further inputs and no console", 2, "try input catch", "debug"),
          new Miss(
              "data nests at most 512 deep",
              5,
              "range(9999) as $_",
              "range(10000) as $_ ([];[.]) | tojson",
              "range(10001) as $_ ([];[.]) | tojson",
              "setpath([range(10000)",
              "$x * $x | length"),
          new Miss(
              "decimal numbers are doubles, and integers exact in 64 bits",
              10,
              "9E999999999,",
              "try (. + \"x\") catch .",
              ".[0] | tostring",
              ".x | tojson",
              "13911860366432393 ==",
              "-. | tojson == if have_decnum then \"-13911860366432393\"",
              ". - 10",
              ".[0] - 10",
              ".x - 10",
              "$n+0"));

  /**
   * Some cases that fail.
   *
   * @param marks texts of which each of these programs contains one
   */
  private record Miss(String reason, int cases, List<String> marks) {
    Miss(String reason, int cases, String... marks) {
      this(reason, cases, List.of(marks));
    }

    boolean matches(String program) {
      return marks.stream().anyMatch(program::contains);
    }
  }

  @Test
  void shouldPassTheSuiteButForTheMissesThatAreListed() throws IOException {
    List<Case> cases = cases();
    int passed = 0;
    Map<String, Integer> missed = new TreeMap<>();
    Map<String, String> failed = new TreeMap<>();
    for (Case test : cases) {
      String failure = run(test);
      Miss miss = test.miss();
      if (failure == null) {
        passed++;
      } else if (miss != null) {
        missed.merge(miss.reason, 1, Integer::sum);
      } else {
        failed.put(test.program, failure);
      }
    }
    System.out.printf("jq suite: %d of %d cases pass; missed %s%n", passed, cases.size(), missed);
    assertTrue(failed.isEmpty(), () -> "expected all others to pass, found " + failed);
    Map<String, Integer> listed =
        MISSES.stream().collect(Collectors.toMap(Miss::reason, Miss::cases));
    assertEquals(new TreeMap<>(listed), missed);
  }

  private record Case(String program, String input, List<String> outputs, boolean mustFail) {
    /** The list of misses to which the case may belong, or null. */
    @Nullable Miss miss() {
      return MISSES.stream()
          .filter(miss -> !mustFail && miss.matches(program))
          .findFirst()
          .orElse(null);
    }
  }

  private static List<Case> cases() throws IOException {
    String suites = System.getProperty("pinion.suites", "../shared/suites");
    Path file = Path.of(suites, "jq", "jq.test");
    assumeTrue(Files.exists(file), "expected jq's test suite at " + file + ", found none: skipped");
    List<Case> cases = new ArrayList<>();
    List<String> group = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("#")) {
        continue;
      }
      if (!line.isBlank()) {
        group.add(line);
        continue;
      }
      if (!group.isEmpty()) {
        cases.add(toCase(group));
        group.clear();
      }
    }
    return cases;
  }

  private static Case toCase(List<String> group) {
    if (group.getFirst().startsWith("%%FAIL")) {
      return new Case(group.get(1), "null", List.of(), true);
    }
    return new Case(group.get(0), group.get(1), List.copyOf(group.subList(2, group.size())), false);
  }

  private static @Nullable String run(Case test) throws IOException {
    List<ExpressionProblem> problems = new ArrayList<>();
    CompiledExpression expression =
        new ExpressionCompiler(EngineLimits.defaults())
            .compileAll(test.program, Set.of(), problems::add);
    if (expression == null) {
      return test.mustFail ? null : problems.toString();
    }
    if (test.mustFail) {
      return "expected a problem, found none";
    }
    List<Payload> outputs = new ArrayList<>();
    String error = "";
    try {
      Payload input = Payload.of(read(test.input));
      expression.all(input, Scope.EMPTY, new Budget(50_000_000), outputs);
    } catch (ExpressionException | BudgetExceededException e) {
      error = " then " + e.getMessage();
    }
    boolean same = outputs.size() == test.outputs.size();
    for (int i = 0; same && i < outputs.size(); i++) {
      same = ValueOrder.equal(outputs.get(i).json(), read(test.outputs.get(i)), RUN);
    }
    return same ? null : "expected " + test.outputs + ", found " + outputs + error;
  }

  private static JsonNode read(String text) throws IOException {
    String json = text.startsWith("\ufeff") ? text.substring(1) : text;
    return MAPPER.readTree(json.replaceAll("(?<=[\\[,:])-?[nN]a[nN](?=[],}])", "NaN"));
  }
}
