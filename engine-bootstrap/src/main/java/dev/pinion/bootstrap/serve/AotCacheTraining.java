package dev.pinion.bootstrap.serve;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.RestClient;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.process.ChildCommandLine;
import dev.pinion.bootstrap.process.PipedProcess;
import dev.pinion.bootstrap.process.ReplicaStarter;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.settings.SettingValues;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Creates the cache from which a replica's JVM starts about twice as fast (JEP 514): runs a replica
 * through its warm-up, a deployment and an instance, and lets its JVM record what it loaded.
 *
 * <p>The launcher runs this after a build. Without the cache everything works, only slower.
 */
public final class AotCacheTraining {
  private static final long PATIENCE_SECONDS = 120;

  /** Enough for calls and forks to be in the cache, with their frequencies. */
  private static final int WARM_UP_MILLIS = 5_000;

  private static final int WARM_UP_REQUESTS = 2_000;

  private static final String DEFINITION =
      """
      document: {dsl: '1.0.3', namespace: default, name: training, version: '1.0.0'}
      do:
        - greet: {set: {greeting: '${ "Hello, " + .name }', length: '${ .name | length }'}}
        - pause: {wait: PT0.001S}
      """;

  private AotCacheTraining() {}

  /**
   * Writes the cache to the file that the first argument names; the others are further options of
   * the JVM of the replica.
   */
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    Path data = Files.createTempDirectory("pinion-training");
    try {
      train(Path.of(args[0]).toAbsolutePath(), List.of(args).subList(1, args.length), data);
    } catch (CommandException e) {
      System.err.println("pinion: training the start-up cache failed: " + e.getMessage());
      System.exit(e.status());
    } finally {
      delete(data);
    }
  }

  private static void train(Path cache, List<String> options, Path data)
      throws IOException,
          InterruptedException,
          ExecutionException,
          TimeoutException,
          CommandException {
    CompletableFuture<Integer> port = new CompletableFuture<>();
    CompletableFuture<Integer> status = new CompletableFuture<>();
    EffectiveSettings settings =
        EffectiveSettings.defaults(data)
            .put(SettingKey.HISTORY, SettingValues.NO_HISTORY)
            .put(SettingKey.SHUTDOWN_TIMEOUT, 1)
            .limits(
                Map.of(
                    "start.warmUpMillis", WARM_UP_MILLIS, "start.warmUpRequests", WARM_UP_REQUESTS))
            .build();
    PipedProcess replica =
        PipedProcess.start(
            command(cache, options, data).words(),
            settings.lines(),
            ReplicaStarter.ProcessListener.of(
                line -> onLine(line, port),
                exit -> {
                  port.completeExceptionally(new IOException("it ended with status " + exit));
                  status.complete(exit);
                }));
    try (RestClient client =
        new RestClient("http://127.0.0.1:" + port.get(PATIENCE_SECONDS, TimeUnit.SECONDS))) {
      client.deploy(DEFINITION.getBytes(StandardCharsets.UTF_8), "application/yaml");
      client.start(
          "default", "training", null, JsonNodeFactory.instance.objectNode().put("name", "x"), 5);
      client.instances("");
      replica.send(ReplicaProtocol.DRAIN);
      status.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } finally {
      replica.kill();
    }
  }

  private static ChildCommandLine command(Path cache, List<String> options, Path data) {
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of("-XX:AOTCacheOutput=" + cache, "-Xlog:aot*=error"));
    return new ChildCommandLine(
        List.of(),
        Path.of(System.getProperty("java.home"), "bin", "java"),
        System.getProperty("java.class.path"),
        ServeProgram.REPLICA_MAIN,
        new ChildCommandLine.Size(PlacementPlanner.MIN_HEAP_BYTES * 2, 0, 0, 0),
        data,
        all);
  }

  private static void onLine(String line, CompletableFuture<Integer> port) {
    if (line.startsWith(ReplicaProtocol.READY + " ")) {
      port.complete(Integer.valueOf(line.substring(ReplicaProtocol.READY.length() + 1)));
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(path);
      }
    }
  }
}
