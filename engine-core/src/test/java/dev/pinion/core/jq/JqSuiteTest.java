package dev.pinion.core.jq;

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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** jq's own test suite. Excluded cases are listed by reason; the rest must reach a floor. */
class JqSuiteTest {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

  private static final EvaluationContext RUN =
      new EvaluationContext(
          Scope.EMPTY, Budget.unlimited(), new EvaluationLimits(EngineLimits.defaults()));

  /** Fewer passing cases than this are a regression. */
  private static final int FLOOR = 505;

  /** Cases that may fail: they need behaviour in which this engine differs on purpose. */
  private static final List<Exclusion> EXCLUSIONS =
      List.of(
          new Exclusion("modules are refused", "import \"", "include \"", "modulemeta"),
          new Exclusion("input and debug are refused", "try input catch", "debug"),
          new Exclusion("data nests at most 512 deep", "range(9999)", "range(10000", "range(10001"),
          new Exclusion(
              "integers are exact in 64 bits, others are doubles",
              "have_decnum",
              "9E999999999,",
              ". - 10",
              "$n+0",
              "] - 10",
              ".x - 10",
              ".[0] - 10",
              "13911860366432393"),
          new Exclusion("jq 1.7 escapes an apostrophe as &#39;", "@text,@json"),
          new Exclusion(
              "own words in messages",
              "try (. * 1000000000) catch .",
              "try fromjson catch .",
              "try (fromjson | isnan) catch ."));

  private record Exclusion(String reason, List<String> marks) {
    Exclusion(String reason, String... marks) {
      this(reason, List.of(marks));
    }

    boolean matches(String program) {
      for (String mark : marks) {
        if (program.contains(mark)) {
          return true;
        }
      }
      return false;
    }
  }

  @Test
  void shouldPassTheSuite() throws IOException {
    List<Case> cases = cases();
    int passed = 0;
    Map<String, Integer> left = new TreeMap<>();
    Map<String, String> failed = new TreeMap<>();
    for (Case test : cases) {
      String failure = run(test);
      String excluded = test.excluded();
      if (failure == null) {
        passed++;
      } else if (excluded != null) {
        left.merge(excluded, 1, Integer::sum);
      } else {
        failed.put(test.program, failure);
      }
    }
    System.out.printf(
        "jq suite: %d of %d cases pass; failing by decision %s%n", passed, cases.size(), left);
    assertTrue(failed.isEmpty(), () -> "expected all others to pass, found " + failed);
    assertTrue(passed >= FLOOR, "expected at least " + FLOOR + " to pass, found " + passed);
  }

  private record Case(String program, String input, List<String> outputs, boolean mustFail) {
    /** The reason why the case is excluded, or null. */
    @Nullable String excluded() {
      for (Exclusion exclusion : EXCLUSIONS) {
        if (!mustFail && exclusion.matches(program)) {
          return exclusion.reason;
        }
      }
      return null;
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
