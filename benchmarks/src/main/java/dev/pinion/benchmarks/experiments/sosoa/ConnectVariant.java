package dev.pinion.benchmarks.experiments.sosoa;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
import dev.pinion.benchmarks.testbed.ProcessCpuTime;
import dev.pinion.benchmarks.testbed.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * One client that connects, requests the engine's health, reads the response and closes,
 * repeatedly. All times are of the client's own clock. The additional time in front of several
 * replicas compared with one is the cost of handing the connection over.
 */
public final class ConnectVariant implements Variant {
  /** Median time from the call of connect to the last byte of the first response. */
  public static final Metric MEDIAN = new Metric("first answer p50", "µs", 1);

  /** The same time at the 99th percentile. */
  public static final Metric P99 = new Metric("first answer p99", "µs", 1);

  private static final Metric CPU = new Metric(Metric.CPU.name(), "µs/connection", 1);

  private static final byte[] REQUEST =
      "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final String END = "{\"status\":\"alive\"}";
  private static final long LONGEST_NANOS = 10_000_000_000L;
  private static final int DIGITS = 3;
  private static final int TIMEOUT_MILLIS = 10_000;

  private final ServerProcess engine;
  private final int connections;

  /**
   * A variant.
   *
   * @param connections connections of a round, in sequence
   */
  public ConnectVariant(ServerProcess engine, int connections) {
    this.engine = engine;
    this.connections = connections;
  }

  @Override
  public String name() {
    return engine.name();
  }

  @Override
  public void warmUp() throws MeasurementException {
    measure();
  }

  @Override
  public Sample measure() throws MeasurementException {
    Histogram times = new Histogram(LONGEST_NANOS, DIGITS);
    ProcessCpuTime before = engine.cpu();
    for (int i = 0; i < connections; i++) {
      times.recordValue(Math.min(LONGEST_NANOS, once(engine)));
    }
    Map<Metric, Double> values = new LinkedHashMap<>();
    values.put(MEDIAN, times.getValueAtPercentile(50) / 1e3);
    values.put(P99, times.getValueAtPercentile(99) / 1e3);
    values.put(CPU, engine.cpu().since(before).toNanos() / 1e3 / connections);
    values.put(Metric.ERRORS, 0.0); // the first one ends the measurement
    return new Sample(values);
  }

  /**
   * Connects, sends a request, reads the response and closes; returns the time until the response
   * in nanoseconds.
   */
  static long once(ServerProcess engine) throws MeasurementException {
    long startNanos = System.nanoTime();
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(new InetSocketAddress(engine.uri().getHost(), engine.uri().getPort()));
      socket.getOutputStream().write(REQUEST);
      readAnswer(socket.getInputStream());
      return System.nanoTime() - startNanos;
    } catch (IOException e) {
      throw new MeasurementException(
          "expected an answer of " + engine.name() + " on a new connection, found: " + e, e);
    }
  }

  private static void readAnswer(InputStream in) throws IOException {
    byte[] buffer = new byte[1 << 10];
    int length = 0;
    while (length < buffer.length) {
      int read = in.read(buffer, length, buffer.length - length);
      if (read < 0) {
        break;
      }
      length += read;
      String answer = new String(buffer, 0, length, StandardCharsets.US_ASCII);
      if (answer.endsWith(END)) {
        return;
      }
    }
    throw new IOException("the answer ended early or was another one");
  }
}
