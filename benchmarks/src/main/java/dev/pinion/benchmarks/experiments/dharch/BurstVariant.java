package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.ProcessCpuTime;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.workloads.load.LoadGenerator;
import dev.pinion.workloads.load.LoadPlan;
import dev.pinion.workloads.load.LoadRequest;
import dev.pinion.workloads.load.LoadResult;
import dev.pinion.workloads.load.ResponseCheck;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Messages that arrive at a chain of stations all at once, until the last one is through. */
public final class BurstVariant implements Variant {
  /** Time from the clients' first connect until the last message is through. */
  public static final Metric MEASURED = new Metric("measured", "ms", 1);

  /** The predicted time: the sum of the stages and, for each further message, the longest one. */
  public static final Metric PREDICTED = new Metric("predicted", "ms", 1);

  /** The time by the paper's equations, which take all stages as equally long. */
  public static final Metric PAPER = new Metric("paper's equation", "ms", 1);

  private static final Metric CPU = new Metric(Metric.CPU.name(), "µs/message", 1);
  private static final double NANOS_PER_MILLI = 1e6;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final StationPipeline line;
  private final ServerProcess server;
  private final int messages;

  /** A variant. */
  public BurstVariant(StationPipeline line, ServerProcess server, int messages) {
    this.line = line;
    this.server = server;
    this.messages = messages;
  }

  @Override
  public String name() {
    return line.name();
  }

  @Override
  public void warmUp() throws MeasurementException, InterruptedException {
    measure();
  }

  @Override
  public Sample measure() throws MeasurementException, InterruptedException {
    LoadRequest request =
        LoadRequest.post(
            server.uri().resolve("/chain/" + line.name()), "", ResponseCheck.success());
    ProcessCpuTime before = server.cpu();
    LoadResult result =
        LoadGenerator.run(
            LoadPlan.of(List.of(request), messages, PATIENCE)
                .warmingUp(Duration.ZERO, messages)
                .iterating(1));
    if (result.errorCount() > 0 || result.rightResponses() != messages) {
      throw new MeasurementException(
          "expected "
              + messages
              + " answers of "
              + line.name()
              + ", found "
              + result.rightResponses()
              + "\n"
              + result.errorLines());
    }
    Map<Metric, Double> values = new LinkedHashMap<>();
    // Not one message's latency: the last response need not be that to the first request.
    values.put(MEASURED, result.elapsedNanos() / NANOS_PER_MILLI);
    values.put(PREDICTED, line.predictedMillis(messages));
    values.put(PAPER, line.paperMillis(messages));
    values.put(CPU, server.cpu().since(before).toNanos() / 1e3 / messages);
    values.put(Metric.ERRORS, 0.0); // the first one ends the measurement
    LoadVariant.addGenerator(values, result);
    return new Sample(values);
  }
}
