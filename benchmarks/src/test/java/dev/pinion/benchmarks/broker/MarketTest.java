package dev.pinion.benchmarks.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.broker.contract.PlanState;
import dev.pinion.broker.document.RegistryReader;
import dev.pinion.broker.front.FrontDesk;
import dev.pinion.broker.knowledge.Knowledge;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.model.Pattern;
import dev.pinion.broker.model.Share;
import dev.pinion.broker.registry.BrokerFolder;
import dev.pinion.core.model.Clock;
import dev.pinion.core.spi.BrokerFront.Outcome;
import dev.pinion.core.spi.BrokerFront.Question;
import dev.pinion.core.spi.BrokerFront.Reply;
import dev.pinion.core.spi.BrokerFront.Verb;
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

class MarketTest {
  private static final URI STUB = URI.create("http://127.0.0.1:8080");

  @TempDir private Path data;

  @ParameterizedTest
  @EnumSource(names = {"TRIP_PLANNER", "SEQUENTIAL"})
  void shouldBeTakenByABrokerThatDealsCallsOfEveryServiceOut(Workload workload) throws Exception {
    FrontDesk desk =
        FrontDesk.open(
            new BrokerFolder(data),
            new RegistryReader(_ -> null),
            VerifiedSolver.ofOrTools(Clock.system(), Duration.ofSeconds(30)),
            Clock.system(),
            Knowledge.NONE);

    for (Map.Entry<String, String> each : Market.documents(workload, STUB).entrySet()) {
      String[] path = each.getKey().split("/", 2);
      Reply reply =
          desk.ask(
              new Question(
                  Verb.PUT, path[0], path.length > 1 ? path[1] : "", null, null, each.getValue()));
      assertEquals(Outcome.CREATED, reply.outcome(), () -> each.getKey() + " " + reply);
    }

    assertEquals(PlanState.OPTIMAL, desk.plan().state(), desk.plan()::toString);
    for (int task = 1; task <= Workload.CALLS; task++) {
      Set<String> called = new HashSet<>();
      for (var level : desk.plan().classes()) {
        for (Share share : level.shares().getOrDefault("s" + task, List.of())) {
          assertEquals(Pattern.SINGLE, share.implementation().pattern());
          called.add(share.implementation().services().getFirst().id());
        }
      }
      assertEquals(Set.of("cheap" + task, "dear" + task), called);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"TRIP_PLANNER", "SEQUENTIAL"})
  void shouldNameAbstractServicesOnly(Workload workload) {
    String definition = Market.definition(workload);

    for (int task = 1; task <= Workload.CALLS; task++) {
      assertTrue(definition.contains("svc://s" + task), definition);
    }
    assertFalse(definition.contains("http:"), definition);
  }

  @Test
  void shouldHaveBothClassesAskForBothKindsOfTrips() {
    Set<String> seen = new HashSet<>();
    for (LoadRequest start : Market.starts(STUB, Workload.TRIP_PLANNER)) {
      boolean saver = start.body().contains("\"budget\":0");
      seen.add((start.body().contains("\"pinion.class\":\"gold\"") ? "gold " : "silver ") + saver);
    }

    assertEquals(Set.of("gold true", "gold false", "silver true", "silver false"), seen);
  }

  @Test
  void shouldKnowOfWhatItHasNoModel() {
    assertThrows(MeasurementException.class, () -> Market.documents(Workload.PARALLEL, STUB));
  }
}
