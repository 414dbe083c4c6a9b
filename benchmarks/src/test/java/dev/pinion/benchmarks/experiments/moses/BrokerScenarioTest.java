package dev.pinion.benchmarks.experiments.moses;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.broker.document.RegistryReader;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.model.Share;
import dev.pinion.broker.registry.BrokerFolder;
import dev.pinion.broker.registry.KnowledgeBase;
import dev.pinion.broker.registry.PlanState;
import dev.pinion.broker.service.BrokerService;
import dev.pinion.core.model.Clock;
import dev.pinion.core.spi.BrokerGateway.BrokerRequest;
import dev.pinion.core.spi.BrokerGateway.BrokerResponse;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import dev.pinion.core.spi.BrokerGateway.Verb;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.LoadRequest;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BrokerScenarioTest {
  private static final URI STUB = URI.create("http://127.0.0.1:8080");

  @TempDir private Path data;

  @ParameterizedTest
  @EnumSource(names = {"TRIP_PLANNER", "SEQUENTIAL"})
  void shouldBeTakenByABrokerThatDealsCallsOfEveryServiceOut(Workload workload) throws Exception {
    BrokerService desk =
        BrokerService.open(
            new BrokerFolder(data),
            new RegistryReader(_ -> null),
            VerifiedSolver.ofOrTools(Clock.system(), Duration.ofSeconds(30)),
            Clock.system(),
            KnowledgeBase.NONE);

    for (Map.Entry<String, String> each : BrokerScenario.documents(workload, STUB).entrySet()) {
      String[] path = each.getKey().split("/", 2);
      BrokerResponse brokerResponse =
          desk.handle(
              new BrokerRequest(
                  Verb.PUT, path[0], path.length > 1 ? path[1] : "", null, null, each.getValue()));
      assertEquals(
          BrokerStatus.CREATED,
          brokerResponse.outcome(),
          () -> each.getKey() + " " + brokerResponse);
    }

    assertEquals(PlanState.OPTIMAL, desk.plan().state(), desk.plan()::toString);
    for (int task = 1; task <= Workload.CALLS; task++) {
      Set<String> called = new HashSet<>();
      for (var level : desk.plan().classes()) {
        for (Share share : level.shares().getOrDefault("s" + task, List.of())) {
          assertEquals(CoordinationPattern.SINGLE, share.implementation().pattern());
          called.add(share.implementation().services().getFirst().id());
        }
      }
      assertEquals(Set.of("cheap" + task, "dear" + task), called);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"TRIP_PLANNER", "SEQUENTIAL"})
  void shouldNameAbstractServicesOnly(Workload workload) {
    String definition = BrokerScenario.definition(workload);

    for (int task = 1; task <= Workload.CALLS; task++) {
      assertTrue(definition.contains("svc://s" + task), definition);
    }
    assertFalse(definition.contains("http:"), definition);
  }

  @Test
  void shouldHaveBothClassesAskForBothKindsOfTrips() {
    Set<String> seen = new HashSet<>();
    for (LoadRequest start : BrokerScenario.starts(STUB, Workload.TRIP_PLANNER)) {
      boolean saver = start.body().contains("\"budget\":0");
      seen.add((start.body().contains("\"pinion.class\":\"gold\"") ? "gold " : "silver ") + saver);
    }

    assertEquals(Set.of("gold true", "gold false", "silver true", "silver false"), seen);
  }

  @Test
  void shouldKnowOfWhatItHasNoModel() {
    assertThrows(
        MeasurementException.class, () -> BrokerScenario.documents(Workload.PARALLEL, STUB));
  }
}
