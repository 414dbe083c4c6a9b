package dev.pinion.bootstrap.cli.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.PinionMain;
import dev.pinion.bootstrap.cli.ExitStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerCommandTest {
  private static final String PROBLEM =
      """
      {"schema": "broker-lp/1", "id": "two-services", "options": {"max_alt": 1, "max_par": 1},
       "process": {"type": "task", "task": "A"},
       "services": [{"id": "a1", "r": 1, "d": 0.99, "c": 2, "load": LOAD},
                    {"id": "a2", "r": 0.5, "d": 0.995, "c": 5, "load": LOAD}],
       "tasks": [{"id": "A", "services": ["a1", "a2"]}],
       "classes": [{"id": "std", "rate": 4, "r_max": 0.75, "d_min": 0.9, "price": 6}],
       "admission": [{"join": "std", "rate": 1},
                     {"class": {"id": "new", "rate": 1, "r_max": 0.1, "price": 9}, "rate": 1},
                     {"class": {"id": "poor", "rate": 2, "price": 1}, "rate": 2}]}
      """;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;

  @Test
  void shouldSolveAProblem() throws IOException {
    assertEquals(ExitStatus.OK, solve("null", "--json"), err::toString);

    JsonNode found = new ObjectMapper().readTree(out.toString());
    assertEquals("optimal", found.path("status").asText());
    assertEquals(4 * (6 - 3.5), found.path("objective").asDouble(), 1e-9);
    JsonNode level = found.path("classes").path("std");
    assertEquals(0.75, level.path("R").asDouble(), 1e-9);
    assertEquals(3.5, level.path("C").asDouble(), 1e-9);
    double log = (Math.log(0.99) + Math.log(0.995)) / 2;
    assertEquals(log, level.path("lnD").asDouble(), 1e-9);
    assertEquals(Math.exp(log), level.path("D").asDouble(), 1e-9);
    assertEquals(1, level.path("served").asDouble());
    assertEquals("[\"sla:std:r\"]", found.path("tight").toString());
    assertEquals(0.5, found.path("x").path("std").path("A").path("single:a2").asDouble(), 1e-9);
    assertTrue(found.path("degraded").isMissingNode(), found::toString);
  }

  @Test
  void shouldDecideAboutContracts() throws IOException {
    assertEquals(ExitStatus.OK, solve("null", "--json"), err::toString);

    JsonNode admission = new ObjectMapper().readTree(out.toString()).path("admission");
    JsonNode more = admission.path(0);
    assertTrue(more.path("admit").asBoolean() && more.path("feasible").asBoolean());
    assertTrue(more.path("max_rate").isNull(), "no service is limited");
    assertEquals(2.5, more.path("profit_delta").asDouble(), 1e-9);
    assertEquals(12.5, more.path("objective_after").asDouble(), 1e-9);
    JsonNode impossible = admission.path(1);
    assertFalse(impossible.path("admit").asBoolean(true));
    assertFalse(impossible.path("feasible").asBoolean(true));
    assertEquals(0, impossible.path("max_rate").asDouble(-1));
    assertTrue(impossible.path("profit_delta").isMissingNode());
    JsonNode loss = admission.path(2);
    assertTrue(loss.path("feasible").asBoolean());
    assertFalse(loss.path("admit").asBoolean(true));
    assertEquals(-2, loss.path("profit_delta").asDouble(), 1e-9);
  }

  @Test
  void shouldRelaxWhatIsInfeasible() throws IOException {
    assertEquals(ExitStatus.OK, solve("1", "--json"), err::toString);

    JsonNode found = new ObjectMapper().readTree(out.toString());
    assertEquals("infeasible", found.path("status").asText());
    assertTrue(found.path("objective").isMissingNode());
    double served = found.path("degraded").path("classes").path("std").path("served").asDouble();
    assertEquals(0.5, served, 1e-9, "two of four requests/s");
    assertFalse(found.path("admission").path(0).path("admit").asBoolean(true));
  }

  @Test
  void shouldShowTablesToPeople() throws IOException {
    assertEquals(ExitStatus.OK, solve("null"), err::toString);

    String text = out.toString();
    assertTrue(text.startsWith("two-services: optimal, objective 10.0000\n"), text);
    assertTrue(text.contains("CLASS  R         BOUND     D "), text);
    assertTrue(text.contains("std    A     50.00 %  single:a"), text);
    assertTrue(text.contains("Bounds it stands at: sla:std:r"), text);
    assertTrue(text.contains("refuse: loses money"), text);
    assertTrue(text.contains("no limit"), text);

    out.getBuffer().setLength(0);
    assertEquals(ExitStatus.OK, solve("1"), err::toString);
    assertTrue(out.toString().contains("infeasible, no plan keeps all bounds"), out::toString);
    assertTrue(out.toString().contains("Degraded, objective"), out::toString);
  }

  @Test
  void shouldTellAllThatIsWrongWithADocument() throws IOException {
    Path file = folder.resolve("wrong.json");
    String wrong = PROBLEM.replace("LOAD", "-1").replace("\"r_max\"", "\"r_mx\"");
    Files.writeString(file, wrong);

    assertEquals(ExitStatus.DATA, run("broker", "solve", file.toString()));
    String text = err.toString();
    assertEquals(4, text.lines().count(), text); // r_max is misspelt twice
    assertTrue(text.contains(file + ":3:63: expected a number of at least 0 as load"), text);
    assertTrue(text.contains("(at /services/1/load)"), text);
    assertTrue(text.contains("found \"r_mx\"; did you mean \"r_max\"?"), text);

    assertEquals(ExitStatus.DATA, run("broker", "solve", "--json", file.toString()));
    JsonNode problems = new ObjectMapper().readTree(out.toString()).path("problems");
    assertEquals("/services/0/load", problems.path(0).path("pointer").asText());
  }

  @Test
  void shouldSayWhatItExpects() throws IOException {
    assertEquals(ExitStatus.USAGE, run("broker"));
    assertTrue(
        err.toString()
            .contains("expected solve, services, classes, slas, plan or explain, found nothing"),
        err::toString);
    assertEquals(ExitStatus.USAGE, run("broker", "solve"));
    String none = folder.resolve("none.json").toString();
    assertEquals(ExitStatus.NO_INPUT, run("broker", "solve", none));
    assertEquals(ExitStatus.USAGE, solve("null", "--time-limit", "0"));
    assertEquals(ExitStatus.USAGE, solve("null", "--time-limit", "3601"));
    assertEquals(ExitStatus.OK, solve("null", "--time-limit", "3600"));
  }

  private static final String SERVICE =
      """
      {"id": "ID", "serves": ["A"], "endpoint": "http://ID", "idempotent": true,
       "r": RESPONSE, "d": 0.995, "c": 2}
      """;

  private int put(String id, String response) throws IOException {
    Path file = folder.resolve(id + ".json");
    Files.writeString(file, SERVICE.replace("ID", id).replace("RESPONSE", response));
    String data = folder.toString();
    return run("broker", "services", "--data", data, "--put", file.toString(), "--json");
  }

  private int plan(String... options) throws IOException {
    Path file = folder.resolve("problem.json");
    Files.writeString(file, PROBLEM.replace("LOAD", "null"));
    List<String> args = new ArrayList<>(List.of("broker", "plan", "--json", "--data"));
    args.add(folder.toString());
    args.addAll(List.of(options));
    args.add(file.toString());
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return run(args.toArray(String[]::new));
  }

  @Test
  void shouldPlanByWhatIsRegistered() throws IOException {
    assertEquals(ExitStatus.DATA, plan("--apply"));
    assertTrue(err.toString().contains("a1, which is not registered"), err::toString);
    assertEquals(ExitStatus.OK, put("a1", "0.7"), err::toString);
    assertEquals(ExitStatus.OK, put("a2", "0.6"), err::toString);

    assertEquals(ExitStatus.OK, plan(), err::toString);
    Path table = folder.resolve("broker").resolve("table.json");
    assertFalse(Files.exists(table), "not applied");
    assertEquals(ExitStatus.OK, plan("--apply"), err::toString);
    assertEquals(1, new ObjectMapper().readTree(out.toString()).path("version").asInt());
    assertEquals(ExitStatus.OK, plan("--apply"), err::toString);
    assertEquals(2, new ObjectMapper().readTree(out.toString()).path("version").asInt());
    String published = Files.readString(table);
    assertTrue(published.contains("\"endpoint\" : \"http://a1\""), published);
  }

  @Test
  void shouldKeepTheTableWhenNoPlanKeepsAllBounds() throws IOException {
    put("a1", "0.7");
    put("a2", "0.7");
    assertEquals(ExitStatus.OK, plan("--apply"), err::toString);
    assertEquals(ExitStatus.DATA, plan("--apply", "--default-class", "none"));
    put("a1", "0.76"); // beyond r_max
    put("a2", "0.76");

    assertEquals(ExitStatus.FAILURE, plan("--apply"));
    assertTrue(err.toString().contains("the table in force stays"), err::toString);
  }

  @Test
  void shouldWithdrawAndRemoveServices() throws IOException {
    String data = folder.toString();
    put("a1", "0.7");
    put("a2", "0.7");
    assertEquals(ExitStatus.OK, run("broker", "services", "--data", data, "--withdraw", "a1"));
    assertTrue(out.toString().contains(", until "), out::toString);
    assertEquals(ExitStatus.DATA, plan("--apply"));
    assertTrue(err.toString().contains("a1, which is not valid now"), err::toString);
    assertEquals(ExitStatus.OK, run("broker", "services", "--data", data, "--remove", "a1"));
    assertEquals(ExitStatus.DATA, run("broker", "services", "--data", data, "--remove", "a1"));
    out.getBuffer().setLength(0);
    assertEquals(
        ExitStatus.OK, run("broker", "services", "--data", data, "--stateful", "A", "--json"));
    JsonNode registry = new ObjectMapper().readTree(out.toString());
    assertEquals(5, registry.path("version").asInt());
    assertEquals("A", registry.path("stateful").path(0).asText());
    assertEquals(1, registry.path("services").size());
  }

  @Test
  void shouldTellWhatIsWrongWithAService() throws IOException {
    assertEquals(ExitStatus.DATA, put("a1", "-1"));
    assertTrue(err.toString().contains(":2:7: expected a number of at least 0"), err::toString);
    assertFalse(Files.exists(folder.resolve("broker").resolve("registry.json")));
  }

  private int solve(String load, String... options) throws IOException {
    Path file = folder.resolve("problem.json");
    Files.writeString(file, PROBLEM.replace("LOAD", load));
    String[] args = new String[options.length + 3];
    args[0] = "broker";
    args[1] = "solve";
    System.arraycopy(options, 0, args, 2, options.length);
    args[args.length - 1] = file.toString();
    return run(args);
  }

  private int run(String... args) {
    return PinionMain.run(args, new PrintWriter(out, true), new PrintWriter(err, true));
  }
}
