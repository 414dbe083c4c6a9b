package dev.pinion.bootstrap.cli.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.PinionMain;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.StubEngine;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Output of {@code broker explain} about decisions, which come in reverse order of time. */
class BrokerExplainCommandTest {
  private static final String DECISIONS =
      """
      {"items": [
        {"at": "2030-01-01T00:00:09Z", "change": "adaptation", "outcome": "adopted",
         "reason": "the plan before does not keep all bounds any more", "plan": 4,
         "causes": [
           {"rule": "service-time", "subject": "sea", "detail": "mean 0.45 s, planned with 0.15 s"},
           {"rule": "flows", "subject": "gold", "detail": "flows take 1.5 of their longest branch, planned 1"}],
         "before": {"version": 3, "state": "optimal", "objective": 1.5,
                    "shares": {"gold": {"flights": {"single:sea": 1}, "hotels": {"single:inn": 1}}}},
         "after": {"version": 4, "state": "optimal", "objective": 1.25,
                   "shares": {"gold": {"flights": {"single:sea": 0.25, "alt:sky>sea": 0.75},
                                       "hotels": {"single:inn": 1}},
                              "new": {"flights": {"single:sky": 1}}}}},
        {"at": "2030-01-01T00:00:05Z", "change": "adaptation", "outcome": "noted",
         "reason": "a new plan would not help", "plan": 3,
         "causes": [{"rule": "arrivals", "subject": "gold", "detail": "12 requests/s, contracted 10"}],
         "before": {"shares": {}}, "after": {"shares": {}}},
        {"at": "2030-01-01T00:00:01Z", "change": "PUT slas/a", "outcome": "created", "reason": "",
         "plan": 3}]}
      """;

  private static final String OLDEST = "2030-01-01T00:00:01Z  PUT slas/a: created, plan 3\n";
  private static final String MIDDLE =
      """
      2030-01-01T00:00:05Z  adaptation: noted, plan 3
        because of gold, arrivals: 12 requests/s, contracted 10
        a new plan would not help
      """;
  private static final String NEWEST =
      """
      2030-01-01T00:00:09Z  adaptation: adopted, plan 4
        because of sea, service-time: mean 0.45 s, planned with 0.15 s
        because of gold, flows: flows take 1.5 of their longest branch, planned 1
        the plan before does not keep all bounds any more
        gold, flights: single:sea 100.0 % -> single:sea 25.0 %, alt:sky>sea 75.0 %
        new, flights: nobody -> single:sky 100.0 %
      """;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int explain(String decisions, String... options) throws IOException {
    try (StubEngine engine = new StubEngine().answering(200, decisions)) {
      List<String> command = new ArrayList<>(List.of("broker", "explain", "--url", engine.url()));
      command.addAll(List.of(options));
      int status =
          PinionMain.run(
              command.toArray(String[]::new),
              new PrintWriter(out, true),
              new PrintWriter(err, true));
      if (status == ExitStatus.OK) {
        assertEquals("GET /v1/broker/decisions", engine.seen().getFirst().line());
      }
      return status;
    }
  }

  @Test
  void shouldTellTheOldestFirstAndOnlyWhatChanged() throws IOException {
    assertEquals(ExitStatus.OK, explain(DECISIONS), err::toString);
    assertEquals(OLDEST + MIDDLE + NEWEST, out.toString());
  }

  @Test
  void shouldTellTheLatestOnly() throws IOException {
    assertEquals(ExitStatus.OK, explain(DECISIONS, "--last", "1"), err::toString);
    assertEquals(NEWEST, out.toString());
    assertEquals(ExitStatus.USAGE, explain(DECISIONS, "--last", "0"));
    assertTrue(err.toString().contains("expected at least 1 as --last, found 0"), err::toString);
  }

  @Test
  void shouldGiveMachinesWhatTheEngineAnswers() throws IOException {
    assertEquals(ExitStatus.OK, explain(DECISIONS, "--json"), err::toString);
    ObjectMapper json = new ObjectMapper();
    assertEquals(json.readTree(DECISIONS), json.readTree(out.toString()));
  }

  @Test
  void shouldSayThatNothingWasDecided() throws IOException {
    assertEquals(ExitStatus.OK, explain("{\"items\": []}"), err::toString);
    assertEquals("nothing has been decided yet\n", out.toString());
  }
}
