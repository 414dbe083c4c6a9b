package dev.pinion.benchmarks.experiments.lean;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
import dev.pinion.benchmarks.testbed.BlockingHttpClient.Request;
import dev.pinion.benchmarks.testbed.EngineClient;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.ProcessCpuTime;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.load.LoadGenerator;
import dev.pinion.workloads.load.LoadPlan;
import dev.pinion.workloads.load.LoadRequest;
import dev.pinion.workloads.load.LoadResult;
import dev.pinion.workloads.load.ResponseCheck;
import dev.pinion.workloads.stub.StubService;
import dev.pinion.workloads.stub.StubStatistics;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An engine whose publishers send the end of each instance to many subscribers: each round starts a
 * number of instances and takes the time until every subscriber was notified of all. The sinks are
 * the testbed's stub, which counts; each event is made by an expression.
 */
public final class PublishVariant implements Variant {
  /** Events sent to subscribers per second. */
  public static final Metric EVENTS = new Metric("events", "events/s", 0);

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofMillis(2);
  private static final String DEFINITION =
      """
      document:
        dsl: '1.0.3'
        namespace: experiments
        name: published
        version: '1.0.0'
        metadata: { pinion: { durability: async } }
      do:
        - double: { set: { value: '${ .value * 2 }' } }
      """;

  private final String name;
  private final Testbed testbed;
  private final int publishers;
  private final Burst burst;
  private @Nullable ServerProcess engine;

  /**
   * Publications of a round.
   *
   * @param subscribers subscribers notified of each instance
   * @param instances started instances
   * @param load clients that start the instances, and their event loops
   */
  public record Burst(int subscribers, int instances, LoadSettings load) {
    long events() {
      return (long) subscribers * instances;
    }
  }

  /**
   * A variant.
   *
   * @param publishers value of {@code serve --publishers}
   */
  public PublishVariant(String name, Testbed testbed, int publishers, Burst burst) {
    this.name = name;
    this.testbed = testbed;
    this.publishers = publishers;
    this.burst = burst;
  }

  @Override
  public String name() {
    return name;
  }

  /** Starts the engine with its subscribers, and publishes a round. */
  @Override
  public void warmUp() throws MeasurementException, InterruptedException {
    ServerProcess served =
        testbed.serve(
            name,
            List.of(
                "--replicas",
                "1",
                "--layout",
                "fused:1",
                "--history",
                "sqlite",
                "--publishers",
                Integer.toString(publishers)));
    engine = served;
    testbed.deploy(served, "published", DEFINITION);
    EngineClient user = EngineClient.ofUser(served);
    for (int i = 0; i < burst.subscribers(); i++) {
      subscribe(user, i);
    }
    Sample _ = measure();
  }

  private void subscribe(EngineClient user, int number) throws MeasurementException {
    String wish =
        String.format(
            Locale.ROOT,
            """
            {"sink": "%s/svc/s1/%d", "mode": "binary", "transform": "{value: .data.output.value}"}\
            """,
            testbed.stub().uri(),
            number);
    user.require(201, "a subscription", Request.post("/v1/subscriptions", wish));
  }

  @Override
  public Sample measure() throws MeasurementException, InterruptedException {
    ServerProcess served = Objects.requireNonNull(engine, "an engine");
    StubService sinks = testbed.stub();
    sinks.reset();
    ProcessCpuTime before = served.cpu();
    long beganNanos = System.nanoTime();
    LoadResult started = start(served);
    StubStatistics told = awaitAll(sinks, beganNanos);
    long nanos = System.nanoTime() - beganNanos;
    double seconds = nanos / 1e9;
    Duration cpu = served.cpu().since(before);
    Map<Metric, Double> values = new LinkedHashMap<>();
    values.put(Metric.THROUGHPUT, burst.instances() / seconds);
    values.put(EVENTS, burst.events() / seconds);
    values.put(Metric.CPU, cpu.toNanos() / 1e3 / burst.instances());
    values.put(Metric.ERRORS, (double) (told.total() - burst.events())); // sent twice
    LoadVariant.addGenerator(values, started);
    return new Sample(values);
  }

  private LoadResult start(ServerProcess served) throws MeasurementException, InterruptedException {
    URI uri = served.uri().resolve("/v1/namespaces/experiments/definitions/published/instances");
    LoadSettings load = burst.load();
    LoadPlan plan =
        LoadPlan.of(
                List.of(
                    LoadRequest.post(uri, "{\"input\":{\"value\":1}}", ResponseCheck.success())),
                load.clients(),
                PATIENCE)
            .warmingUp(Duration.ZERO, 1)
            .endingAfter(burst.instances())
            .onThreads(load.threads());
    LoadResult result = LoadGenerator.run(plan);
    if (result.errorCount() > 0 || result.rightResponses() != burst.instances()) {
      throw new MeasurementException(
          "expected "
              + burst.instances()
              + " starts on "
              + name
              + ", found "
              + result.rightResponses()
              + " and "
              + result.errorLines());
    }
    return result;
  }

  private StubStatistics awaitAll(StubService sinks, long beganNanos)
      throws MeasurementException, InterruptedException {
    while (true) {
      StubStatistics told = sinks.stats();
      if (told.malformed() > 0 || System.nanoTime() - beganNanos > PATIENCE.toNanos()) {
        throw new MeasurementException(
            "expected " + burst.events() + " events from " + name + ", found " + told);
      }
      if (told.total() >= burst.events()) {
        return told;
      }
      Thread.sleep(PAUSE);
    }
  }
}
