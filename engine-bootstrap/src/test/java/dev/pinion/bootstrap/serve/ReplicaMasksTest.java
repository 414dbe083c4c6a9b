package dev.pinion.bootstrap.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.pinion.bootstrap.cli.RestClient;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.process.CollectorThreads;
import dev.pinion.bootstrap.process.CommandProbe;
import dev.pinion.bootstrap.process.PipedProcess;
import dev.pinion.bootstrap.process.ReplicaStarter;
import dev.pinion.bootstrap.process.ThreadMasks;
import dev.pinion.bootstrap.process.ThreadMasks.ThreadMask;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.PlacementKey;
import dev.pinion.bootstrap.settings.ReplicaKey;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.settings.SettingValues;
import dev.pinion.bootstrap.settings.SettingsLoader;
import dev.pinion.bootstrap.topology.DirectoryTree;
import dev.pinion.bootstrap.topology.MachineProbe;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real replicas on this machine, all of whose threads are where the plan puts them. */
@EnabledOnOs(OS.LINUX)
class ReplicaMasksTest {
  private static final int PATIENCE_SECONDS = 30;

  /** Runs through kernel, Invoker, name resolution, a refused connection and the evaluator. */
  private static final String DEFINITION =
      """
      document:
        dsl: '1.0.3'
        namespace: default
        name: masks
        version: '1.0.0'
      do:
        - call:
            try:
              - byName:
                  call: http
                  with:
                    method: get
                    endpoint: http://localhost:9/
            catch:
              do:
                - failed:
                    set:
                      failed: true
        - secure:
            try:
              - byTls:
                  call: http
                  with:
                    method: get
                    endpoint: https://127.0.0.1:9/
            catch:
              do:
                - alsoFailed:
                    set:
                      failed: true
        - long:
            set:
              sum: ${ reduce range(0; 30000) as $i (0; . + $i) }
      """;

  @TempDir private Path data;

  @ParameterizedTest
  @CsvSource({"auto, auto, threads, park", "1, pipelined:1+1+1, threads, yield"})
  void shouldRunEveryThreadWhereThePlanSays(
      String replicas, String layout, String pinning, String waiting) throws Exception {
    check(replicas, layout, pinning, waiting);
  }

  @ParameterizedTest
  @CsvSource({"1, fused:1, threads, spin", "2, auto, group, park"})
  @Tag("long")
  void shouldRunEveryThreadWhereOtherPlansSay(
      String replicas, String layout, String pinning, String waiting) throws Exception {
    check(replicas, layout, pinning, waiting);
  }

  private void check(String replicas, String layout, String pinning, String waiting)
      throws Exception {
    assumeTrue(MachineProbe.probe().allowed().size() > 1, "expected two CPUs to tell masks apart");
    Map<SettingKey<?>, String> options = new HashMap<>();
    options.put(PlacementKey.REPLICAS, replicas);
    options.put(PlacementKey.LAYOUT, layout);
    options.put(PlacementKey.PINNING, pinning);
    options.put(PlacementKey.WAITING, waiting);
    options.put(SettingKey.DATA, data.toString());
    options.put(PlacementKey.HEAP, "256m");
    options.put(SettingKey.JVM_OPTIONS, "-XX:TieredStopAtLevel=1");
    EffectiveSettings settings = SettingsLoader.load(options, Map.of(), null);
    for (ReplicaSpec spec :
        PlacementPlanner.plan(MachineProbe.probe(), settings.placement()).replicas()) {
      List<ThreadMask> masks = masks(spec, settings);

      assertTrue(masks.size() > 10, masks::toString);
      assertEquals(List.of(), masks.stream().filter(mask -> !mask.ok()).toList());
      for (String thread : spec.pins().keySet()) {
        assertTrue(masks.stream().anyMatch(mask -> mask.name().equals(thread)), thread);
      }
    }
  }

  private List<ThreadMask> masks(ReplicaSpec spec, EffectiveSettings settings) throws Exception {
    CompletableFuture<Integer> port = new CompletableFuture<>();
    CompletableFuture<Integer> exit = new CompletableFuture<>();
    PipedProcess replica =
        PipedProcess.start(
            new ChildCommandLines(settings, ServeProgram.REPLICA_MAIN, warning -> {})
                .of(spec, data)
                .words(),
            replicaSettings(spec).lines(),
            ReplicaStarter.ProcessListener.of(
                line -> onLine(line, port),
                status -> {
                  port.completeExceptionally(new IOException("it ended with status " + status));
                  exit.complete(status);
                }));
    try (RestClient client =
        new RestClient("http://127.0.0.1:" + port.get(PATIENCE_SECONDS, TimeUnit.SECONDS))) {
      client.deploy(DEFINITION.getBytes(StandardCharsets.UTF_8), "application/yaml");
      RestClient.Response done =
          client.start(
              "default", "masks", null, JsonNodeFactory.instance.objectNode(), PATIENCE_SECONDS);
      assertEquals("COMPLETED", done.body().path("state").asText(), done::toString);
      new CollectorThreads(DirectoryTree.live(), new CommandProbe(), line -> fail(line))
          .moveTo(spec.collecting(), replica.pid());
      return new ThreadMasks(spec).of(DirectoryTree.live(), replica.pid());
    } finally {
      replica.kill();
      exit.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  private EffectiveSettings replicaSettings(ReplicaSpec spec) {
    return EffectiveSettings.defaults(data)
        .put(SettingKey.HISTORY, "none")
        .put(SettingKey.SHUTDOWN_TIMEOUT, 1)
        .put(ReplicaKey.INDEX, spec.index())
        .put(ReplicaKey.LAYOUT, spec.layout())
        .put(ReplicaKey.WAITING, spec.waiting())
        .put(ReplicaKey.PINS, SettingValues.text(spec.pins()))
        .put(ReplicaKey.ANCILLARY_CPUS, spec.pinned() ? spec.ancillary() : "")
        .build();
  }

  private static void onLine(String line, CompletableFuture<Integer> port) {
    if (line.startsWith(ReplicaProtocol.READY + " ")) {
      port.complete(Integer.valueOf(line.substring(ReplicaProtocol.READY.length() + 1)));
    }
  }
}
