package dev.pinion.benchmarks.firstcall;

import dev.pinion.benchmarks.bench.CpuReading;
import dev.pinion.benchmarks.bench.ServedProcess;
import dev.pinion.benchmarks.bench.Testbed;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
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
  private final Scope scope;
  private final int calls;
  private final Clock clock = Clock.system();
  private int round;

  /**
   * A variant.
   *
   * @param start start of engines
   * @param scope operations of the interface
   * @param calls calls of each operation, at least {@value #LAST}
   */
  public FirstCallVariant(
      String name, Testbed testbed, FirstRequestVariant.Start start, Scope scope, int calls) {
    this.name = name;
    this.testbed = testbed;
    this.start = start;
    this.scope = scope;
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
        PlainClient client = new PlainClient(stub.uri())) {
      for (int i = 0; i < 10 * LAST; i++) {
        var _ = client.ask(PlainClient.Ask.post("/svc/s1", "{}"));
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
        Services services = new Services();
        ServedProcess engine = testbed.fresh(folder(), start.trained(), options());
        PlainClient client = new PlainClient(engine.uri())) {
      Map<Metric, Double> values = new LinkedHashMap<>();
      values.put(new Metric("ready", "ms", 0), (clock.nanoTime() - startNanos) / 1e6);
      List<Operation> operations = scope.operations(engine, stub.uri(), services);
      CpuReading before = engine.cpu();
      for (Operation operation : operations) {
        time(operation, client, values);
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
    return Stream.concat(start.options().stream(), scope.options().stream()).toList();
  }

  private String folder() {
    String what = scope == Scope.ENGINE ? name : name + " with history and broker";
    return what.replaceAll("[^a-z]+", "-") + "-" + round;
  }

  private void time(Operation operation, PlainClient client, Map<Metric, Double> values)
      throws IOException, MeasurementException, InterruptedException {
    double[] millis = new double[calls];
    for (int n = 1; n <= calls; n++) {
      PlainClient.Ask ask = operation.preparation().ask(client, n);
      long startNanos = clock.nanoTime();
      PlainClient.Answer answer = client.ask(ask);
      millis[n - 1] = (clock.nanoTime() - startNanos) / 1e6;
      if (!operation.accepts(answer)) {
        throw new MeasurementException(
            "expected the right status of call "
                + n
                + " of "
                + operation.name()
                + ", found "
                + answer);
      }
    }
    for (int n : TOLD) {
      values.put(call(operation.name(), n), millis[n - 1]);
    }
    double[] last = Arrays.copyOfRange(millis, calls - LAST, calls);
    Arrays.sort(last);
    values.put(steady(operation.name()), (last[LAST / 2 - 1] + last[LAST / 2]) / 2);
  }
}
