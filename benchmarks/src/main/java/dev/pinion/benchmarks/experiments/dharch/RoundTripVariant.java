package dev.pinion.benchmarks.experiments.dharch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
import dev.pinion.benchmarks.testbed.BlockingHttpClient;
import dev.pinion.benchmarks.testbed.ProcessCpuTime;
import dev.pinion.benchmarks.testbed.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * One client that sends a message through a chain and waits for it, repeatedly: one message is in
 * flight. Each response must be that of the same handlers in sequence on one thread.
 */
public final class RoundTripVariant implements Variant {
  /** Mean time from sending a message to its whole response. */
  public static final Metric MEAN = new Metric("round trip", "ms", 3);

  /** Recent total time of the handlers, one after another. */
  public static final Metric HANDLERS = new Metric("handlers", "ms", 3);

  /** Workers of a lone message in the widest stage. */
  public static final Metric WORKERS = new Metric("workers", "", 0);

  private static final Metric CPU = new Metric(Metric.CPU.name(), "µs/message", 1);
  private static final long LONGEST_NANOS = 60_000_000_000L;
  private static final int DIGITS = 3;

  /** Ways of messages through a chain. */
  public enum Mode {
    /** As the engine sends them. */
    CHAIN,
    /** Handlers one after another on the thread of the request. */
    SERIAL,
    /** The same twice at once, on two CPUs: the capacity of the machine without any chain. */
    TWICE
  }

  private final String name;
  private final ServerProcess server;
  private final String chain;
  private final Mode mode;
  private final byte[] body;
  private final int messages;
  private final Duration warmUp;
  private String expected = "";

  /**
   * A variant.
   *
   * @param chain name of the chain
   * @param mode way of messages through it
   * @param messages messages of a round, one after the other
   * @param warmUp least time of sending messages before the first round
   */
  public RoundTripVariant(
      String name,
      ServerProcess server,
      String chain,
      Mode mode,
      byte[] body,
      int messages,
      Duration warmUp) {
    this.name = name;
    this.server = server;
    this.chain = chain;
    this.mode = mode;
    this.body = body.clone();
    this.messages = messages;
    this.warmUp = warmUp;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void warmUp() throws MeasurementException {
    try (BlockingHttpClient client = new BlockingHttpClient(server.uri())) {
      BlockingHttpClient.Response answer = client.post("/serial/" + chain, body);
      if (answer.status() != 200) {
        throw new MeasurementException(
            "expected " + name + " to handle a message, found " + answer.text());
      }
      expected = answer.text();
    } catch (IOException e) {
      throw lost(e);
    }
    long begun = System.nanoTime();
    do {
      measure();
    } while (System.nanoTime() - begun < warmUp.toNanos());
  }

  @Override
  public Sample measure() throws MeasurementException {
    Histogram times = new Histogram(LONGEST_NANOS, DIGITS);
    ProcessCpuTime before = server.cpu();
    try (BlockingHttpClient client = new BlockingHttpClient(server.uri())) {
      for (int i = 0; i < messages; i++) {
        long begun = System.nanoTime();
        BlockingHttpClient.Response answer = client.post(path(), body);
        times.recordValue(Math.min(LONGEST_NANOS, System.nanoTime() - begun));
        if (!answer.text().equals(expected)) {
          throw new MeasurementException(
              "expected of "
                  + name
                  + " what handlers one after another do, found "
                  + answer.text());
        }
      }
      ProcessCpuTime after = server.cpu();
      JsonNode described = client.post("/chains", new byte[0]).json();
      return sample(times, after.since(before).toNanos(), described);
    } catch (IOException e) {
      throw lost(e);
    }
  }

  private String path() {
    String prefix =
        switch (mode) {
          case CHAIN -> "/chain/";
          case SERIAL -> "/serial/";
          case TWICE -> "/twice/";
        };
    return prefix + chain;
  }

  private Sample sample(Histogram times, long cpuNanos, JsonNode described) {
    JsonNode own = described.path("chains").path(chain);
    double handlers = 0;
    for (JsonNode nanos : own.path("nanos")) {
      handlers += nanos.asDouble() / 1e6;
    }
    Map<Metric, Double> values = new LinkedHashMap<>();
    values.put(MEAN, times.getMean() / 1e6);
    values.put(Metric.P50, times.getValueAtPercentile(50) / 1e6);
    values.put(Metric.P99, times.getValueAtPercentile(99) / 1e6);
    values.put(HANDLERS, handlers);
    values.put(WORKERS, workers(own));
    values.put(CPU, cpuNanos / 1e3 / messages);
    values.put(Metric.ERRORS, 0.0); // the first one ends the measurement
    return new Sample(values);
  }

  private double workers(JsonNode described) {
    return switch (mode) {
      case CHAIN -> described.path("workers").asDouble();
      case SERIAL -> 1;
      case TWICE -> 2;
    };
  }

  private MeasurementException lost(IOException e) {
    return new MeasurementException("expected answers of " + name + ", found: " + e, e);
  }
}
