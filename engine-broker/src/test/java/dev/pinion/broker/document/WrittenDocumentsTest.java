package dev.pinion.broker.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.broker.analyse.AdaptationDecision;
import dev.pinion.broker.analyse.AdaptationRule;
import dev.pinion.broker.analyse.Calibration;
import dev.pinion.broker.analyse.Cause;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.Share;
import dev.pinion.broker.model.UsageProfile;
import dev.pinion.broker.monitor.CallStatistics;
import dev.pinion.broker.monitor.ClassStatistics;
import dev.pinion.broker.monitor.LatencyTrend;
import dev.pinion.broker.monitor.ObservationBatch;
import dev.pinion.broker.monitor.ServiceQuality;
import dev.pinion.broker.monitor.TimeBreakdown;
import dev.pinion.broker.optimise.ClassLevel;
import dev.pinion.broker.registry.AuditLogEntry;
import dev.pinion.broker.registry.Contracts;
import dev.pinion.broker.registry.InterfaceMapping;
import dev.pinion.broker.registry.PlanInForce;
import dev.pinion.broker.registry.PlanState;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.broker.registry.Sla;
import dev.pinion.broker.registry.TableShare;
import dev.pinion.core.model.Diagnostic;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/**
 * Documents are written byte for byte like those of the fixtures: replicas, clients and files of
 * earlier releases read them.
 */
class WrittenDocumentsTest {
  private static final Instant FROM = Instant.parse("2030-01-01T00:00:00Z");
  private static final Instant UNTIL = Instant.parse("2031-01-01T00:00:00.5Z");
  private static final ConcreteService A = new ConcreteService("a", 0.5, 0.99, 2, 10);
  private static final ConcreteService B =
      new ConcreteService("b", 1, 1, 1e-9, Double.POSITIVE_INFINITY);
  private static final RegisteredService FULL =
      new RegisteredService(
          A,
          new LinkedHashSet<>(List.of("hotels", "flights")),
          "http://host:80/ä\"",
          new RegisteredService.Traits(true, true, true),
          new InterfaceMapping("/v2/{1}", headers(), ".a", ".b"),
          FROM,
          UNTIL);
  private static final RegisteredService PLAIN =
      new RegisteredService(
          B, Set.of("flights"), "https://b", false, InterfaceMapping.NONE, null, null);
  private static final RegisteredService MAPPED =
      new RegisteredService(
          new ConcreteService("c", 0, 1e-300, 1e21, 0),
          Set.of(),
          "",
          false,
          new InterfaceMapping(null, Map.of(), null, ".c"),
          null,
          UNTIL);
  private static final ServiceRegistry REGISTRY =
      new ServiceRegistry(
          7, List.of(FULL, PLAIN, MAPPED), new LinkedHashSet<>(List.of("trains", "flights")));

  private static Map<String, String> headers() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("X-Key", "k");
    headers.put("Accept", "");
    return headers;
  }

  private static void assertWritten(String name, String document) throws Exception {
    try (InputStream in =
        Objects.requireNonNull(
            WrittenDocumentsTest.class.getResourceAsStream("written/" + name), name)) {
      assertEquals(new String(in.readAllBytes(), StandardCharsets.UTF_8), document);
    }
  }

  private static void assertWritten(String name, byte[] document) throws Exception {
    assertWritten(name, new String(document, StandardCharsets.UTF_8));
  }

  @Test
  void shouldWriteRegistries() throws Exception {
    assertWritten("registry.json", RegistryWriter.registry(REGISTRY));
    assertWritten("registry-empty.json", RegistryWriter.registry(ServiceRegistry.EMPTY));
    assertWritten("service.json", RegistryWriter.service(FULL));
    assertWritten("service-plain.json", RegistryWriter.service(PLAIN));
    assertWritten("service-mapped.json", RegistryWriter.service(MAPPED));
  }

  @Test
  void shouldWriteTables() throws Exception {
    Map<String, List<TableShare>> services = new LinkedHashMap<>();
    services.put(
        "hotels",
        List.of(
            new TableShare(CoordinationPattern.ALTERNATE, List.of("b", "a"), 0.25),
            new TableShare(CoordinationPattern.SINGLE, List.of("a"), 0.75)));
    services.put("flights", List.of());
    Map<String, Map<String, List<TableShare>>> bindings = new LinkedHashMap<>();
    bindings.put("std", services);
    bindings.put("none", Map.of());
    PublishedTable table = new PublishedTable(7, "std", REGISTRY, bindings);
    assertWritten("table.json", RegistryWriter.table(table));

    Map<String, Double> rates = new LinkedHashMap<>();
    rates.put("u", 1.5);
    rates.put("", 3.0);
    Map<String, List<String>> callers = new LinkedHashMap<>();
    callers.put("u", List.of("gold", "std"));
    callers.put("v", List.of());
    PublishedTable contracted =
        table
            .withCallers(callers)
            .withRates(Map.of("gold", rates))
            .withServed(Map.of("std", 1.0 / 3));
    assertWritten("table-contracted.json", RegistryWriter.table(contracted));
    PublishedTable empty = new PublishedTable(1, "std", ServiceRegistry.EMPTY, Map.of());
    assertWritten("table-empty.json", RegistryWriter.table(empty));
  }

  @Test
  void shouldWriteContracts() throws Exception {
    Sla full = new Sla("s1", "u", "gold", 2, FROM, UNTIL);
    Sla plain = new Sla("s2", "", "std", 0.1, null, null);
    assertWritten("contracts-empty.json", BrokerJson.contracts(Contracts.EMPTY));
    Contracts contracts =
        Contracts.EMPTY
            .withModel("{\"process\": {\"type\" : \"task\", \"task\": \"flights\"}, \"x\": 1.0}")
            .withBehaviour("{\"definitions\": [\"a\"]}")
            .withClass("gold", "{ \"r_max\": 1e0, \"price\": 10 }")
            .withSla(full)
            .withSla(plain);
    assertWritten("contracts.json", BrokerJson.contracts(contracts));
    assertWritten("sla.json", BrokerJson.sla(full));
    assertWritten("sla-plain.json", BrokerJson.sla(plain));
    assertWritten("class.json", BrokerJson.serviceClass("gold", "{\"price\": 1, \"d_min\": 0.90}"));
    assertWritten("list.json", BrokerJson.list(List.of("{}", "{\"a\":1}")));
  }

  @Test
  void shouldWriteProblems() throws Exception {
    assertWritten(
        "errors.json",
        BrokerJson.errors(
            List.of(
                new Diagnostic("/a", 1, 2, "expected \"x\"", "y"),
                new Diagnostic("", 3, 4, "expected z", null))));
    assertWritten("offer.json", BrokerJson.offer(12.345678901234567));
    assertWritten("offer-none.json", BrokerJson.offer(Double.POSITIVE_INFINITY));
  }

  private static PlanInForce plan() {
    Map<String, List<Share>> shares = new LinkedHashMap<>();
    Implementation both =
        new Implementation(CoordinationPattern.ALTERNATE, List.of(A, B), 0.6, 0, 2);
    shares.put("hotels", List.of(new Share(both, 0.25), new Share(Implementation.single(B), 0.75)));
    shares.put("flights", List.of());
    ClassLevel served = new ClassLevel("gold", 0.5, Math.log(0.5), 3, 1, shares);
    ClassLevel none = new ClassLevel("none", Double.NaN, Double.NaN, Double.NaN, 0, Map.of());
    return new PlanInForce(
        3, PlanState.LAST_GOOD, "PUT slas/a", "no \"better\"", FROM, 1.25, List.of(served, none));
  }

  private static PlanInForce noPlan() {
    return new PlanInForce(0, PlanState.NONE, "start", "", UNTIL, Double.NaN, List.of());
  }

  @Test
  void shouldWritePlansAndDecisions() throws Exception {
    assertWritten("plan.json", BrokerJson.plan(plan()));
    assertWritten("plan-none.json", BrokerJson.plan(noPlan()));
    assertWritten(
        "decision.json",
        BrokerJson.entry(new AuditLogEntry(FROM, "PUT slas/a", "refused", "why", 3)));
    assertWritten(
        "adaptation.json",
        DecisionJson.adaptation(
            new AdaptationDecision(
                UNTIL,
                List.of(new Cause(AdaptationRule.SERVICE_DOWN, "a", "no call succeeded")),
                AdaptationDecision.AdaptationOutcome.ADOPTED,
                "",
                plan(),
                noPlan())));
  }

  @Test
  void shouldWriteCalibrations() throws Exception {
    assertWritten("calibration-none.json", CalibrationJson.document(Calibration.NONE));
    Map<String, UsageProfile> nodes =
        Map.of(
            "n1",
            new UsageProfile(List.of(0.5, 0.5), OptionalDouble.empty(), OptionalDouble.empty()),
            "n0",
            new UsageProfile(List.of(), OptionalDouble.of(2), OptionalDouble.of(1.5)),
            "n2",
            UsageProfile.SAME);
    assertWritten(
        "calibration.json",
        CalibrationJson.document(
            new Calibration(
                Map.of(
                    "b", new Calibration.Estimate(0.5, 0.9), "a", new Calibration.Estimate(1, 0)),
                Set.of("d", "c"),
                Map.of("std", Map.of(), "gold", nodes))));
  }

  @Test
  void shouldWriteModels() throws Exception {
    ProcessNode process =
        new ProcessNode.Sequence(
            List.of(
                new ProcessNode.Task("flights"),
                new ProcessNode.Flow("f", List.of(new ProcessNode.Task("hotels")), 1),
                new ProcessNode.Choice(
                    "c",
                    List.of(new ProcessNode.Task("a"), new ProcessNode.Sequence(List.of())),
                    List.of(0.25, 0.75)),
                new ProcessNode.Loop("l", new ProcessNode.Task("b"), 2.5)));
    String document = BehaviouralModelJson.document(process, List.of("d1", "d2"));
    assertWritten("process.json", document);

    Contracts deployed = Contracts.EMPTY.withBehaviour(document);
    ProblemReading invalid = new ProblemReading.InvalidProblem(List.of());
    assertWritten(
        "behaviour-invalid.json",
        BehaviouralModelJson.behaviour(deployed, REGISTRY, FROM, invalid));
    assertWritten(
        "behaviour-none.json",
        BehaviouralModelJson.behaviour(Contracts.EMPTY, REGISTRY, FROM, invalid));
    assertWritten(
        "behaviour.json", BehaviouralModelJson.behaviour(deployed, REGISTRY, FROM, validProblem()));
  }

  private static ProblemReading validProblem() {
    String problem =
        """
        {"schema": "broker-lp/1", "id": "p", "options": {},
         "process": {"type": "choice", "id": "c", "probabilities": [0.5, 0.5], "children": [
           {"type": "flow", "id": "f", "children": [{"type": "task", "task": "B"}]},
           {"type": "loop", "id": "l", "iterations": 3, "child": {"type": "task", "task": "A"}}]},
         "services": [{"id": "a", "r": 1, "d": 1, "c": 1, "load": null}],
         "tasks": [{"id": "A", "services": ["a"]}, {"id": "B", "services": ["a"]}],
         "classes": [
           {"id": "gold", "rate": 1, "price": 1,
            "usage": {"l": {"iterations": 0.5}, "f": {"gamma": 1.25},
                      "c": {"probabilities": [0.25, 0.75]}}},
           {"id": "std", "rate": 1, "price": 1}]}
        """;
    return new ProblemReader(ProblemLimits.defaults())
        .read(problem.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void shouldWriteObservations() throws Exception {
    Histogram histogram = new Histogram(2);
    histogram.recordValue(100);
    CallStatistics calls = new CallStatistics(4, 1, 2, 1.25);
    String batch =
        ObservationJson.batch(
            new ObservationBatch(
                List.of(new ObservationBatch.ServiceSample("a", "gold", calls, histogram)),
                List.of(new ObservationBatch.ClassSample("gold", 3, calls, Map.of("flights", 2L))),
                5));
    // How a histogram is compressed depends on the machine.
    assertWritten("batch.json", batch.replaceAll("\"micros\":\"[^\"]+\"", "\"micros\":\"\""));
    assertWritten(
        "batch-empty.json", ObservationJson.batch(new ObservationBatch(List.of(), List.of(), 0)));

    String service = RegistryWriter.service(PLAIN);
    assertEquals(service, ObservationJson.observed(service, List.of()));
    ServiceQuality all =
        new ServiceQuality(
            "b", "", calls, 9, new ServiceQuality.LatencyPercentiles(0.1, 0.2, 0.3), 7);
    ServiceQuality gold =
        new ServiceQuality(
            "b",
            "gold",
            CallStatistics.NONE,
            0,
            new ServiceQuality.LatencyPercentiles(Double.NaN, 0.2, 0.3),
            7);
    assertWritten("service-observed.json", ObservationJson.observed(service, List.of(all)));
    assertWritten("service-classes.json", ObservationJson.observed(service, List.of(all, gold)));
    assertWritten("service-class-only.json", ObservationJson.observed(service, List.of(gold)));

    assertEquals("{}", ObservationJson.observed("{}", levels(CallStatistics.NONE)));
    assertWritten("class-observed.json", ObservationJson.observed("{\"a\":1.0}", levels(calls)));
  }

  private static ClassStatistics levels(CallStatistics calls) {
    return new ClassStatistics(
        1.5,
        calls,
        calls,
        new LatencyTrend(0, 0, 0),
        300,
        new ClassStatistics.VisitStatistics(2, Map.of()),
        new TimeBreakdown(calls, Map.of()));
  }
}
