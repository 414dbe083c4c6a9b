package dev.pinion.benchmarks.experiments.globus;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
import dev.pinion.benchmarks.testbed.BlockingHttpClient;
import dev.pinion.benchmarks.testbed.ProcessCpuTime;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.core.model.Clock;
import dev.pinion.workloads.stub.StubService;
import dev.pinion.workloads.stub.StubSettings;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A fresh engine in each round, with one client that sends one request after the other and waits
 * for each response. Operations come in a fixed order, so that earlier ones have initialised the
 * same in all rounds.
 */
public final class FirstCallVariant implements Variant {
  /** Calls that are reported, counted from the start of the engine. */
  public static final List<Integer> TOLD = List.of(1, 2, 3, 10);

  /** Number of calls at the end whose median is the steady state. */
  static final int LAST = 20;

  private final String name;
  private final Testbed testbed;
  private final FirstRequestVariant.Start start;
  private final OperationSet operationSet;
  private final int calls;
  private final Clock clock = Clock.system();
  private int round;

  /**
   * A variant.
   *
   * @param start start of engines
   * @param operationSet operations of the interface
   * @param calls calls of each operation, at least {@value #LAST}
   */
  public FirstCallVariant(
      String name,
      Testbed testbed,
      FirstRequestVariant.Start start,
      OperationSet operationSet,
      int calls) {
    this.name = name;
    this.testbed = testbed;
    this.start = start;
    this.operationSet = operationSet;
    this.calls = calls;
  }

  /** Time of the n-th call of an operation. */
  public static Metric call(String operation, int n) {
    return new Metric(operation + ", call " + n, "ms", 2);
  }

  /** Steady state of an operation. */
  public static Metric steady(String operation) {
    return new Metric(operation + ", steady", "ms", 2);
  }

  @Override
  public String name() {
    return name;
  }

  /** Warms up the client and the stub only: the engine stays cold. */
  @Override
  public void warmUp() throws MeasurementException {
    try (StubService stub = StubService.start(StubSettings.standard());
        BlockingHttpClient client = new BlockingHttpClient(stub.uri())) {
      for (int i = 0; i < 10 * LAST; i++) {
        var _ = client.exchange(BlockingHttpClient.Request.post("/svc/s1", "{}"));
      }
    } catch (IOException e) {
      throw new MeasurementException("expected answers of a stub, found: " + e.getMessage(), e);
    }
  }

  @Override
  public Sample measure() throws MeasurementException, InterruptedException {
    round++;
    long startNanos = clock.nanoTime();
    try (StubService stub = StubService.start(StubSettings.standard());
        FreshServices freshServices = new FreshServices();
        ServerProcess engine = testbed.fresh(folder(), start.trained(), options());
        BlockingHttpClient client = new BlockingHttpClient(engine.uri())) {
      Map<Metric, Double> values = new LinkedHashMap<>();
      values.put(new Metric("ready", "ms", 0), (clock.nanoTime() - startNanos) / 1e6);
      List<TimedOperation> operations = operationSet.operations(engine, stub.uri(), freshServices);
      ProcessCpuTime before = engine.cpu();
      for (TimedOperation timedOperation : operations) {
        time(timedOperation, client, values);
      }
      testbed.noteFlags(engine);
      double micros = engine.cpu().since(before).toNanos() / 1e3;
      Metric cpu = new Metric(Metric.CPU.name(), "µs/request", 1);
      values.put(cpu, micros / ((double) operations.size() * calls));
      values.put(Metric.ERRORS, 0.0); // the first one ends the measurement
      return new Sample(values);
    } catch (IOException e) {
      throw new MeasurementException(
          "expected answers of a fresh engine, found: " + e.getMessage(), e);
    }
  }

  private List<String> options() {
    return Stream.concat(start.options().stream(), operationSet.options().stream()).toList();
  }

  private String folder() {
    String what = operationSet == OperationSet.ENGINE ? name : name + " with history and broker";
    return what.replaceAll("[^a-z]+", "-") + "-" + round;
  }

  private void time(
      TimedOperation timedOperation, BlockingHttpClient client, Map<Metric, Double> values)
      throws IOException, MeasurementException, InterruptedException {
    double[] millis = new double[calls];
    for (int n = 1; n <= calls; n++) {
      BlockingHttpClient.Request ask = timedOperation.preparation().request(client, n);
      long startNanos = clock.nanoTime();
      BlockingHttpClient.Response answer = client.exchange(ask);
      millis[n - 1] = (clock.nanoTime() - startNanos) / 1e6;
      if (!timedOperation.accepts(answer)) {
        throw new MeasurementException(
            "expected the right status of call "
                + n
                + " of "
                + timedOperation.name()
                + ", found "
                + answer);
      }
    }
    for (int n : TOLD) {
      values.put(call(timedOperation.name(), n), millis[n - 1]);
    }
    double[] last = Arrays.copyOfRange(millis, calls - LAST, calls);
    Arrays.sort(last);
    values.put(steady(timedOperation.name()), (last[LAST / 2 - 1] + last[LAST / 2]) / 2);
  }
}
