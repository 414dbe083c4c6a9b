package dev.pinion.broker.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.model.Objective;
import dev.pinion.broker.model.ParallelResponse;
import dev.pinion.broker.model.Penalties;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.PromiseMode;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.SolveOptions;
import dev.pinion.broker.model.UsageProfile;
import dev.pinion.core.model.Diagnostic;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProblemReaderTest {
  private static final String VALID =
      """
      {"schema": "broker-lp/1", "id": "p", "options": {},
       "process": {"type": "seq", "children": [
         {"type": "task", "task": "A"},
         {"type": "flow", "id": "f", "gamma": 1.5, "children": [{"type": "task", "task": "A"}]},
         {"type": "choice", "id": "c", "probabilities": [0.25, 0.75], "children": [
           {"type": "task", "task": "A"}, {"type": "task", "task": "A"}]},
         {"type": "loop", "id": "l", "iterations": 2, "child": {"type": "task", "task": "A"}}]},
       "services": [{"id": "a1", "r": 1, "d": 0.9, "c": 2, "load": null},
                    {"id": "a2", "r": 0, "d": 1, "c": 0, "load": 3.5}],
       "tasks": [{"id": "A", "services": ["a1", "a2"], "patterns": ["single"]}],
       "classes": [{"id": "k", "rate": 4, "r_max": null, "d_min": 0.5,
                    "usage": {"l": {"iterations": 3}, "c": {"probabilities": [0, 1]},
                              "f": {"gamma": 2}}}],
       "admission": [{"join": "k", "rate": 2},
                     {"class": {"id": "new", "rate": 1}, "rate": 5}]}
      """;

  private final ProblemReader reader = new ProblemReader(ProblemLimits.defaults());

  @Test
  void shouldReadAProblem() {
    BrokerProblem problem = valid(VALID);

    ServiceClass one = problem.classes().getFirst();
    assertFalse(one.boundsResponse());
    assertEquals(0.5, one.minReliability());
    assertFalse(one.boundsCost(), "not told");
    assertEquals(1, one.importance());
    assertFalse(problem.services().get(0).isLimited());
    assertEquals(3.5, problem.services().get(1).load());
    assertEquals(Set.of(CoordinationPattern.SINGLE), problem.tasks().getFirst().patterns());
    ProcessNode.Sequence root = assertInstanceOf(ProcessNode.Sequence.class, problem.process());
    ProcessNode.Flow flow = assertInstanceOf(ProcessNode.Flow.class, root.children().get(1));
    assertEquals(1.5, flow.gamma());
    assertEquals(2, one.gamma(flow));
    ProcessNode.Choice choice = assertInstanceOf(ProcessNode.Choice.class, root.children().get(2));
    assertEquals(List.of(0.0, 1.0), one.probabilities(choice));
    ProcessNode.Loop loop = assertInstanceOf(ProcessNode.Loop.class, root.children().get(3));
    assertEquals(3, one.iterations(loop));
    assertTrue(problem.admission().get(0).joins());
    assertEquals(2, problem.admission().get(0).rate());
    assertEquals(5, problem.admission().get(1).rate(), "the request's rate, not the class's");
  }

  @Test
  void shouldHaveDefaults() {
    assertEquals(
        new SolveOptions(
            2,
            2,
            ParallelResponse.FIRST_SUCCESS,
            Objective.PROFIT,
            PromiseMode.STRICT,
            Penalties.of(Objective.PROFIT)),
        valid(VALID).options());
    SolveOptions weighted =
        valid(VALID.replace("\"options\": {}", "\"options\": {\"objective\": \"saw\"}")).options();
    assertEquals(Penalties.of(Objective.SAW), weighted.penalties());
  }

  @Test
  void shouldTakeWhatTheSchemaTakes() {
    ServiceClass one =
        valid(
                VALID
                    .replace("{\"iterations\": 3}", "{}")
                    .replace("{\"probabilities\": [0, 1]}", "{}")
                    .replace("\"f\": {\"gamma\": 2}", "\"f\": {}"))
            .classes()
            .getFirst();
    assertEquals(
        Map.of("l", UsageProfile.SAME, "c", UsageProfile.SAME, "f", UsageProfile.SAME),
        one.usage(),
        "as the process");
    assertEquals(
        3,
        valid(VALID.replace("\"options\": {}", "\"options\": {\"max_alt\": 3.0}"))
            .options()
            .maxAlternates(),
        "a whole number, however it is written");
  }

  @Test
  void shouldTakeNoNumberForAName() {
    String numbered = VALID.replace("\"a1\"", "\"1\"");
    assertEquals(2, valid(numbered).tasks().getFirst().services().size());
    Diagnostic found = invalid(numbered.replace("[\"1\"", "[1")).getFirst();
    assertEquals("/tasks/0/services/0", found.pointer());
    assertEquals("expected the id of a service, a string, found 1", found.message());
  }

  @Test
  void shouldTellAllProblemsAtOnceWithTheirPlaces() {
    String broken =
        VALID
            .replace("\"rate\": 4", "\"rate\": 0")
            .replace("\"services\": [\"a1\", \"a2\"]", "\"services\": [\"a1\", \"b2\"]")
            .replace("\"d\": 0.9", "\"d\": \"much\"")
            .replace("\"options\": {}", "\"options\": {\"objectve\": \"saw\"}");

    List<Diagnostic> found = invalid(broken);

    assertEquals(
        List.of("/options/objectve", "/services/0/d", "/tasks/0/services/1", "/classes/0/rate"),
        found.stream().map(Diagnostic::pointer).toList());
    assertEquals("objective", found.get(0).suggestion());
    assertEquals(1, found.get(0).line());
    assertTrue(found.get(1).message().contains("above 0 and up to 1 as d, found \"much\""));
    assertEquals(8, found.get(1).line());
    assertEquals("expected the id of a service, found \"b2\"", found.get(2).message());
    assertTrue(found.get(3).message().contains("a number above 0 as rate, found 0"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "\"broker-lp/1\" ~ \"broker-lp/2\" ~ /schema",
        "\"id\": \"p\", ~ ~ ",
        "\"options\": {} ~ \"options\": [] ~ /options",
        "\"options\": {} ~ \"options\": {\"max_alt\": 0} ~ /options/max_alt",
        "\"options\": {} ~ \"options\": {\"max_par\": 1.5} ~ /options/max_par",
        "\"options\": {} ~ \"options\": {\"mode\": \"strct\"} ~ /options/mode",
        "\"options\": {} ~ \"options\": {\"penalties\": {\"r\": -1}} ~ /options/penalties/r",
        "\"type\": \"loop\" ~ \"type\": \"lop\" ~ /process/children/3/type",
        "\"iterations\": 2 ~ \"iterations\": -1 ~ /process/children/3/iterations",
        "\"gamma\": 1.5 ~ \"gamma\": 0.5 ~ /process/children/1/gamma",
        "[0.25, 0.75] ~ [0.25, 0.7] ~ /process/children/2/probabilities",
        "[0.25, 0.75] ~ [1] ~ /process/children/2/probabilities",
        "\"id\": \"l\" ~ \"id\": \"f\" ~ /process/children/3/id",
        "{\"type\": \"task\", \"task\": \"A\"}, ~ {\"type\": \"task\", \"task\": \"B\"}, ~"
            + " /process/children/0/task",
        "\"d\": 1, ~ \"d\": 0, ~ /services/1/d",
        "\"r\": 0, ~ \"r\": -0.1, ~ /services/1/r",
        "\"load\": 3.5 ~ \"load\": -1 ~ /services/1/load",
        "\"r\": 0, ~ \"r\": 1.000001e12, ~ /services/1/r",
        "\"c\": 0, ~ \"c\": 1e999, ~ /services/1/c",
        "\"iterations\": 2 ~ \"iterations\": 999999999998 ~ /process",
        "\"id\": \"a2\" ~ \"id\": \"a1\" ~ /services/1/id",
        "\"id\": \"a2\" ~ \"id\": \"a>2\" ~ /services/1/id",
        "[\"a1\", \"a2\"] ~ [\"a1\", \"a1\"] ~ /tasks/0/services/1",
        "[\"a1\", \"a2\"] ~ [] ~ /tasks/0/services",
        "[\"a1\", \"a2\"] ~ [{}] ~ /tasks/0/services/0",
        "{\"type\": \"seq\", ~ {\"type\": \"seq\", \"id\": 7, ~ /process/id",
        "\"id\": \"p\", ~ \"id\": \"p\", \"description\": 7, ~ /description",
        "\"id\": \"p\", ~ \"id\": \"p\", \"tags\": [\"a\", 7], ~ /tags/1",
        "[\"single\"] ~ [\"alt\", \"singel\"] ~ /tasks/0/patterns/1",
        "\"d_min\": 0.5 ~ \"d_min\": 1.5 ~ /classes/0/d_min",
        "{\"l\": {\"iterations\": 3} ~ {\"x\": {\"iterations\": 3} ~ /classes/0/usage/x",
        "[0, 1] ~ [0, 0.5] ~ /classes/0/usage/c/probabilities",
        "\"f\": {\"gamma\": 2} ~ \"f\": {\"gamma\": 0} ~ /classes/0/usage/f/gamma",
        "\"join\": \"k\" ~ \"join\": \"K9\" ~ /admission/0/join",
        "\"join\": \"k\", \"rate\": 2 ~ \"rate\": 2 ~ /admission/0",
        "\"id\": \"new\" ~ \"id\": \"k\" ~ /admission/1/class/id",
      })
  void shouldSayWhereAProblemIs(String from, String to, String pointer) {
    assertTrue(VALID.contains(from), from);

    List<Diagnostic> found = invalid(VALID.replace(from, to == null ? "" : to));

    List<String> pointers = found.stream().map(Diagnostic::pointer).distinct().toList();
    assertTrue(pointers.contains(pointer == null ? "" : pointer), found::toString);
  }

  @Test
  void shouldTakeNumbersUpToTheirBound() {
    String most = VALID.replace("\"r\": 0,", "\"r\": 1e12,");
    assertEquals(1e12, valid(most).services().get(1).response());
    String more = most.replace("1e12", "1.000001e12");
    assertEquals(
        "expected a number of at most 1e12 as r, found 1.000001E12",
        invalid(more).getFirst().message());
    valid(VALID.replace("\"iterations\": 2", "\"iterations\": 999999999995"));
  }

  @Test
  void shouldRefuseWhatIsNoJson() {
    Diagnostic cut = invalid(VALID.substring(0, 60)).getFirst();
    assertTrue(cut.message().startsWith("expected JSON, found: "), cut::toString);
    assertTrue(cut.line() >= 1, cut::toString);
    assertTrue(invalid(VALID + "x").getFirst().message().contains("JSON"));
    assertTrue(invalid(VALID + "{}").getFirst().message().contains("found more"));
    assertTrue(invalid("").getFirst().message().contains("an object as the document"));
    assertTrue(
        invalid("{\"id\": 1, \"id\": 2}").getFirst().message().contains("each member once"),
        "a key that stands twice");
  }

  @Test
  void shouldHoldItsLimitsAtTheirEdges() {
    byte[] text = VALID.getBytes(StandardCharsets.UTF_8);
    ProblemLimits roomy = ProblemLimits.defaults();
    int depth = 6; // as deep as the children of the choice
    long columns = 2; // one class, one task, two single services

    assertInstanceOf(
        ProblemReading.ValidProblem.class,
        new ProblemReader(new ProblemLimits(text.length, depth, (int) columns, 1)).read(text));
    for (ProblemLimits tight :
        List.of(
            new ProblemLimits(text.length - 1, depth, 9, 1),
            new ProblemLimits(text.length, depth - 1, 9, 1),
            new ProblemLimits(text.length, depth, 1, 1))) {
      assertInstanceOf(ProblemReading.InvalidProblem.class, new ProblemReader(tight).read(text));
    }
    byte[] wrong = VALID.replace("\"load\":", "\"loads\":").getBytes(StandardCharsets.UTF_8);
    ProblemLimits one =
        new ProblemLimits(roomy.maxBytes(), roomy.maxDepth(), roomy.maxColumns(), 1);
    ProblemReading.InvalidProblem cut =
        assertInstanceOf(ProblemReading.InvalidProblem.class, new ProblemReader(one).read(wrong));
    assertEquals(2, cut.problems().size());
    assertTrue(cut.problems().getLast().message().contains("and 1 more problems"), cut::toString);
  }

  private BrokerProblem valid(String text) {
    ProblemReading problemReading = reader.read(text.getBytes(StandardCharsets.UTF_8));
    return assertInstanceOf(
            ProblemReading.ValidProblem.class, problemReading, problemReading::toString)
        .problem();
  }

  private List<Diagnostic> invalid(String text) {
    ProblemReading problemReading = reader.read(text.getBytes(StandardCharsets.UTF_8));
    return assertInstanceOf(
            ProblemReading.InvalidProblem.class,
            problemReading,
            () -> Arrays.asList(text).toString())
        .problems();
  }
}
