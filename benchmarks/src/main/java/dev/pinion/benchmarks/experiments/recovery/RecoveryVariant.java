package dev.pinion.benchmarks.experiments.recovery;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An engine with many waiting instances whose replica is killed (SIGKILL) in each round, after the
 * operating system was asked to drop its file cache.
 */
public final class RecoveryVariant implements Variant {
  /**
   * Time from the kill until the engine reports readiness, including the start of the new process.
   */
  public static final Metric READY = new Metric("ready", "s", 2);

  private static final Metric HEAP = new Metric("heap", "B/instance", 0);
  private static final Metric RESIDENT = new Metric("resident", "MB", 0);
  private static final Metric JOURNAL = new Metric("journal", "MB", 0);

  private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");
  private static final double MEGABYTE = 1 << 20;
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration ANSWER = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofMillis(10);

  /** Status code for a missing response. */
  private static final int SILENT = 0;

  /** Most remembered ended instances: few, so that they do not matter. */
  private static final int REMEMBERED = 1_000;

  /** Bytes of records between two snapshots, so that shorter runs have snapshots too. */
  private static final int SNAPSHOT_BYTES = 32 << 20;

  private final String name;
  private final Testbed testbed;
  private final String heap;
  private final long waiting;
  private final long endedBefore;
  private final WaitingInstances instances;
  private @Nullable ServerProcess engine;
  private long emptyHeap;

  /**
   * A variant.
   *
   * @param heap heap of the engine, such as {@code 2g}
   * @param waiting waiting instances
   * @param endedBefore instances that started and ended before them
   */
  public RecoveryVariant(
      String name,
      Testbed testbed,
      String heap,
      long waiting,
      long endedBefore,
      LoadSettings load) {
    this.name = name;
    this.testbed = testbed;
    this.heap = heap;
    this.waiting = waiting;
    this.endedBefore = endedBefore;
    this.instances = new WaitingInstances(load.clients(), load.threads());
  }

  /** Whether file caches can be dropped: for the superuser only. */
  public static boolean isCold() {
    return Files.isWritable(DROP_CACHES);
  }

  @Override
  public String name() {
    return name;
  }

  /** Starts the engine and all instances. */
  @Override
  public void warmUp() throws MeasurementException, InterruptedException {
    ServerProcess served = testbed.serve(name, options());
    engine = served;
    WaitingInstances.deploy(testbed, served);
    emptyHeap = JvmHeap.usedAfterCollection(replica(served).pid());
    if (endedBefore > 0) {
      instances.startEnding(served, endedBefore);
    }
    instances.startWaiting(served, waiting);
  }

  private List<String> options() {
    long atOnce = waiting + 100_000;
    return List.of(
        "--replicas",
        "1",
        "--heap",
        heap,
        "--restart-window",
        "1", // kills are no crash loop here
        "--set",
        "request.defaultWaitMillis=0,kernel.maxInstances="
            + atOnce
            + ",kernel.maxEnded="
            + REMEMBERED
            + ",journal.snapshotLogBytes="
            + SNAPSHOT_BYTES);
  }

  @Override
  public Sample measure() throws MeasurementException, InterruptedException {
    ServerProcess served = Objects.requireNonNull(engine, "an engine");
    double journal = bytes(testbed.data(name).resolve("journal")) / MEGABYTE;
    forgetFiles();
    long beganNanos = System.nanoTime();
    replica(served).destroyForcibly();
    int errors = awaitReady(served, beganNanos);
    Map<Metric, Double> values = new LinkedHashMap<>();
    values.put(READY, (System.nanoTime() - beganNanos) / 1e9);
    values.put(Metric.CPU, cpuMicros(replica(served)) / waiting);
    values.put(Metric.ERRORS, (double) errors);
    long used = JvmHeap.usedAfterCollection(replica(served).pid());
    values.put(HEAP, (double) (used - emptyHeap) / waiting);
    values.put(RESIDENT, served.replicaMemory() / MEGABYTE);
    values.put(JOURNAL, journal);
    return new Sample(values);
  }

  /** Processor time of a process since its start: the cost of becoming ready. */
  private static double cpuMicros(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e3;
  }

  private static ProcessHandle replica(ServerProcess served) throws MeasurementException {
    List<ProcessHandle> replicas = served.replicas();
    if (replicas.size() != 1) {
      throw new MeasurementException(
          "expected one replica of " + served.name() + ", found " + replicas.size());
    }
    return replicas.getFirst();
  }

  private static void forgetFiles() throws MeasurementException {
    if (isCold()) {
      try {
        Files.writeString(DROP_CACHES, "3");
      } catch (IOException e) {
        throw new MeasurementException("expected files to be forgotten, found: " + e, e);
      }
    }
  }

  /** Waits; returns the number of responses that were neither 200 nor 503. */
  private static int awaitReady(ServerProcess served, long beganNanos)
      throws MeasurementException, InterruptedException {
    HttpRequest ready =
        HttpRequest.newBuilder(served.uri().resolve("/readyz")).timeout(ANSWER).build();
    try (HttpClient http = HttpClient.newBuilder().connectTimeout(ANSWER).build()) {
      int errors = 0;
      for (int status = status(http, ready); status != 200; status = status(http, ready)) {
        errors += status == 503 || status == SILENT ? 0 : 1;
        if (System.nanoTime() - beganNanos > PATIENCE.toNanos()) {
          throw new MeasurementException(
              "expected " + served.name() + " to be ready within " + PATIENCE.toSeconds() + " s");
        }
        Thread.sleep(PAUSE);
      }
      return errors;
    }
  }

  private static int status(HttpClient http, HttpRequest request) throws InterruptedException {
    try {
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      return SILENT; // nobody listens yet
    }
  }

  private static long bytes(Path folder) throws MeasurementException {
    try (Stream<Path> files = Files.walk(folder)) {
      long bytes = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
      return bytes;
    } catch (IOException | UncheckedIOException e) {
      throw new MeasurementException("expected to see the journal, found: " + e, e);
    }
  }
}
