package dev.pinion.benchmarks.experiments.globus;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
import dev.pinion.benchmarks.testbed.BlockingHttpClient;
import dev.pinion.benchmarks.testbed.BlockingHttpClient.Request;
import dev.pinion.benchmarks.testbed.EngineAdminClient;
import dev.pinion.benchmarks.testbed.ProcessCpuTime;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A fresh engine in each round that finds a definition in its data: the first request after it is
 * ready starts an instance of a {@link FirstRequestProcess}. Then one client starts such instances
 * one after the other, until the engine is in its steady state, and finally at a rate.
 */
public final class FirstRequestVariant implements Variant {
  /** The first request after readiness. */
  public static final Metric FIRST = new Metric("first request", "ms", 2);

  /** 99th percentile of requests in the steady state, counted from when they were due. */
  public static final Metric STEADY = new Metric("steady p99", "ms", 2);

  /** Ratio of the first request to the steady p99. */
  public static final Metric RATIO = new Metric("first to steady p99", "", 2);

  /**
   * Delay of sending at the 99th percentile, which the times of requests contain and that of the
   * first one does not.
   */
  public static final Metric LAG = new Metric("sent late p99", "ms", 2);

  /** Time from the start of the command to the ready line. */
  public static final Metric READY = new Metric("ready", "ms", 0);

  /**
   * Ratio of the first request to the 99th percentile since sending: without the client's own
   * delay, which the first request does not have.
   */
  public static final Metric SENT_RATIO = new Metric("first to steady p99 since sent", "", 2);

  private static final int STUB_CALLS = 200;
  private final String name;
  private final Testbed testbed;
  private final FirstRequestProcess firstRequestProcess;
  private final Start start;
  private final Request ask;
  private final Duration settling;
  private final FixedRateClient fixedRateClient;
  private final Clock clock = Clock.system();
  private int round;

  /**
   * Start of engines.
   *
   * @param trained whether with the caches that the build has trained
   * @param warmUp time for the warm-up before readiness; zero for none
   * @param connected whether connections to the services of its definitions are opened before that
   * @param compiled whether the definitions in its data are compiled before that, instead of at
   *     their first use
   */
  public record Start(boolean trained, Duration warmUp, boolean connected, boolean compiled) {
    private static final int SERVICES = 100;
    private static final int DEFINITIONS = 100;

    /** Options of {@code serve} for this start. */
    List<String> options() {
      return List.of(
          "--set",
          "start.warmUpMillis=" + warmUp.toMillis(),
          "--set",
          "start.connectAhead=" + (connected ? SERVICES : 0),
          "--set",
          "start.compileAhead=" + (compiled ? DEFINITIONS : 0));
    }
  }

  /**
   * A variant.
   *
   * @param firstRequestProcess process that is started
   * @param start start of engines
   * @param settling time of successive requests after the first one
   * @param measured time at the rate
   */
  public FirstRequestVariant(
      String name,
      Testbed testbed,
      FirstRequestProcess firstRequestProcess,
      Start start,
      Duration settling,
      Duration measured) {
    this.name = name;
    this.testbed = testbed;
    this.firstRequestProcess = firstRequestProcess;
    this.start = start;
    this.ask =
        FirstCallDefinitions.startOrFail(
            firstRequestProcess.definition(), firstRequestProcess.input());
    this.settling = settling;
    this.fixedRateClient = new FixedRateClient(clock, measured);
  }

  @Override
  public String name() {
    return name;
  }

  /**
   * Warms up the client and the stub, and starts an engine that leaves its definitions to later
   * ones: it ends before these start.
   */
  @Override
  public void warmUp() throws MeasurementException, InterruptedException {
    try (ServerProcess engine = testbed.fresh(folder(0), start.trained(), List.of());
        BlockingHttpClient client = new BlockingHttpClient(engine.uri());
        BlockingHttpClient service = new BlockingHttpClient(testbed.stub().uri())) {
      for (int i = 0; i < STUB_CALLS; i++) {
        accept(service.exchange(Request.post("/svc/s1", "{}")), 200);
      }
      String tasks = firstRequestProcess.tasks(testbed.stub().uri());
      accept(
          client.exchange(
              FirstCallDefinitions.deploy(
                  firstRequestProcess.definition(), tasks, firstRequestProcess.durability())),
          201);
      accept(client.exchange(ask), 200);
    } catch (IOException e) {
      throw new MeasurementException(
          "expected an engine to take a definition, found: " + e.getMessage(), e);
    }
  }

  @Override
  public Sample measure() throws MeasurementException, InterruptedException {
    round++;
    try {
      copyDefinitions();
      long startNanos = clock.nanoTime();
      try (ServerProcess engine = testbed.fresh(folder(round), start.trained(), options())) {
        double ready = (clock.nanoTime() - startNanos) / 1e6;
        Map<Metric, Double> values = new LinkedHashMap<>();
        try (BlockingHttpClient client = new BlockingHttpClient(engine.uri())) {
          measureRequests(engine, client, values);
        }
        values.put(READY, ready);
        values.put(Metric.ERRORS, 0.0); // the first one ends the measurement
        return new Sample(values);
      }
    } catch (IOException e) {
      throw new MeasurementException(
          "expected answers of a fresh engine, found: " + e.getMessage(), e);
    }
  }

  /** Leaves the engine alone until it has answered its first request. */
  private void measureRequests(
      ServerProcess engine, BlockingHttpClient client, Map<Metric, Double> values)
      throws IOException, MeasurementException, InterruptedException {
    long sentNanos = clock.nanoTime();
    startOne(client);
    double first = (clock.nanoTime() - sentNanos) / 1e6;
    testbed.noteFlags(engine);
    settle(engine, client);
    ProcessCpuTime before = engine.cpu();
    FixedRateClient.Percentiles steady = fixedRateClient.measure(() -> startOne(client));
    double micros = engine.cpu().since(before).toNanos() / 1e3;
    values.put(FIRST, first);
    values.put(STEADY, steady.sinceDue());
    values.put(RATIO, first / steady.sinceDue());
    values.put(LAG, steady.late());
    values.put(SENT_RATIO, first / steady.sinceSent());
    values.put(new Metric(Metric.CPU.name(), "µs/request", 1), micros / fixedRateClient.requests());
  }

  /**
   * Sends requests without a pause until the engine has compiled its frequent code; then a history
   * may catch up, so that the rate meets no backlog.
   */
  private void settle(ServerProcess engine, BlockingHttpClient client)
      throws IOException, MeasurementException, InterruptedException {
    long endNanos = clock.nanoTime() + settling.toNanos();
    while (clock.nanoTime() - endNanos < 0) {
      startOne(client);
    }
    if (firstRequestProcess.history()) {
      EngineAdminClient.of(engine).awaitHistory();
    }
  }

  private void startOne(BlockingHttpClient client) throws IOException, MeasurementException {
    accept(client.exchange(ask), 200);
  }

  private static void accept(BlockingHttpClient.Response response, int status)
      throws MeasurementException {
    if (response.status() != status) {
      throw new MeasurementException("expected status " + status + ", found " + response);
    }
  }

  private void copyDefinitions() throws IOException {
    Path from = testbed.data(folder(0)).resolve("definitions");
    Path to = testbed.data(folder(round)).resolve("definitions");
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path copy = to.resolve(from.relativize(file));
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
  }

  private List<String> options() {
    return Stream.concat(start.options().stream(), firstRequestProcess.options().stream()).toList();
  }

  private String folder(int number) {
    String variant = name.replaceAll("[^a-z]+", "-");
    return "first-request-" + firstRequestProcess.definition() + "-" + variant + "-" + number;
  }
}
