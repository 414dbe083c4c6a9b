package dev.pinion.bootstrap.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.DocumentedMetrics;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.placement.PlacementSettings;
import dev.pinion.bootstrap.protocol.MetricsLine;
import dev.pinion.bootstrap.supervise.BrokerSupervisor;
import dev.pinion.bootstrap.supervise.FakeReplicas;
import dev.pinion.bootstrap.supervise.HistorySupervisor;
import dev.pinion.bootstrap.topology.FileTree;
import dev.pinion.bootstrap.topology.Machines;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.metrics.ProcessCollector;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole page: parent and replicas together. */
class MetricsRouteTest {
  @TempDir private Path crashes;

  private static AdminRoute route(FakeReplicas replicas) {
    MachineStatus machine =
        new MachineStatus(
            () -> "{}",
            PlacementPlanner.plan(Machines.sosoaM1(), PlacementSettings.AUTO).replicas(),
            FileTree.of(Map.of()));
    AdminRoutes routes =
        new AdminRoutes(
            replicas.supervisor(),
            replicas.events(),
            machine,
            new AdminRoutes.StatusSources(
                () ->
                    new HistorySupervisor.HistoryStatus(
                        4711,
                        2,
                        17,
                        0,
                        5,
                        "",
                        List.of(new HistorySupervisor.SinkStatus("audit", 6, 7, 8))),
                () ->
                    new BrokerSupervisor.BrokerStatus(
                        4712, -1, 3, new BrokerSupervisor.PlanStatus(9, "relaxed"), true),
                _ -> false,
                () ->
                    Optional.of(
                        new HandoverStatistics(
                            new HandoverLatencies(), () -> 17, () -> 3, () -> 2)),
                () -> 12));
    return routes.routes().stream()
        .filter(each -> each.template().equals("/metrics"))
        .findFirst()
        .orElseThrow();
  }

  private static String page(FakeReplicas replicas) throws IOException, InterruptedException {
    AdminRoute metrics = route(replicas);
    Thread supervisor = Thread.ofPlatform().daemon().start(() -> runUntilInterrupted(replicas));
    try {
      return metrics.action().answer(metrics.path().matcher("/metrics"), "").body();
    } finally {
      supervisor.interrupt();
      supervisor.join();
    }
  }

  private static void runUntilInterrupted(FakeReplicas replicas) {
    try {
      replicas.supervisor().run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String ofReplica(long running) {
    MetricFamilies families = new MetricFamilies();
    families.gauge("pinion_instances_running", "Instances under way.", running);
    new ProcessCollector().addMetrics(families);
    return MetricsLine.of(families.text());
  }

  @Test
  void shouldTellOfParentAndReplicasTogether() throws Exception {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);
    replicas.says(0, ofReplica(3));
    replicas.says(1, ofReplica(4));

    String page = page(replicas);

    assertTrue(page.contains("\npinion_instances_running{replica=\"0\"} 3.0\n"), page);
    assertTrue(page.contains("\npinion_instances_running{replica=\"1\"} 4.0\n"), page);
    assertTrue(page.contains("\npinion_replica_up{replica=\"1\"} 1.0\n"), page);
    assertTrue(
        page.contains("\npinion_lifecycle_events_delivered_total{sink=\"audit\"} 6.0\n"), page);
    assertTrue(page.contains("\npinion_lifecycle_events_lost_total{sink=\"audit\"} 7.0\n"), page);
    assertTrue(page.contains("\npinion_lifecycle_events_waiting{sink=\"audit\"} 8.0\n"), page);
    assertTrue(page.contains("\nprocess_open_fds{replica=\"0\"} "), page);
    assertTrue(page.contains("\nprocess_open_fds "), page);
    SortedSet<String> missing = DocumentedMetrics.names("Of the parent");
    missing.addAll(DocumentedMetrics.names("Of each process"));
    missing.removeIf(each -> page.contains("\n# TYPE " + each + " "));
    assertEquals(
        Set.of("pinion_binding_table_version", "pinion_replica_queueing_delay_seconds"),
        missing,
        "those of a heartbeat, which no replica has sent");
    assertGrouped(page);
  }

  /** Every metric is described once, before its samples, which are together. */
  private static void assertGrouped(String page) {
    Pattern space = Pattern.compile("[ {]");
    Set<String> described = new HashSet<>();
    String current = "";
    for (String line : List.of(page.split("\n", -1))) {
      if (line.startsWith("# TYPE ")) {
        current = line.split(" ", -1)[2];
        assertTrue(described.add(current), line);
      } else if (!line.startsWith("#") && !line.isEmpty()) {
        assertTrue(space.split(line, -1)[0].startsWith(current), line);
      }
    }
  }
}
