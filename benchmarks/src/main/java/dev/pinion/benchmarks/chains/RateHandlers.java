package dev.pinion.benchmarks.chains;

import dev.pinion.benchmarks.experiment.MeasurementException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The three handlers of the paper's Fig. 10, and the rows of text that they work on. They take 4 ms
 * together (Logger 1, Monitor 1, Format Converter 2), so that one machine reaches its limit at
 * rates that can be swept.
 *
 * @param rowBytes bytes of a message, which the Format Converter converts
 * @param logSize bytes of it that the Logger logs
 * @param monitorSize bytes of it that the Monitor reads
 */
public record RateHandlers(int rowBytes, int logSize, int monitorSize) {
  private static final double CONVERT_MILLIS = 2;
  private static final double OTHER_MILLIS = 1;

  /** Handlers that take this multiple of the times in the class comment on this machine now. */
  public static RateHandlers calibrated(double times) throws MeasurementException {
    try {
      BodyWork convert = new ConvertKind().work(Calibration.ofSize(1));
      int rows =
          Calibration.size(
              times * CONVERT_MILLIS,
              100_000,
              size -> new Calibration.Trial(convert, TwoParts.text(size)));
      byte[] body = TwoParts.text(rows);
      return new RateHandlers(
          rows,
          Calibration.size(
              times * OTHER_MILLIS, 10_000, Calibration.bySetting(new LogKind(), body)),
          Calibration.size(
              times * OTHER_MILLIS, 10_000, Calibration.bySetting(new MonitorKind(), body)));
    } catch (Exception e) {
      throw new MeasurementException("expected handlers that work, found: " + e, e);
    }
  }

  /** The message. */
  public String body() {
    return new String(TwoParts.text(rowBytes), StandardCharsets.US_ASCII);
  }

  /** A document with chains {@code sequential} and {@code parallel}. */
  public String document() {
    return ChainText.document(
        List.of(
            chain("sequential", "[[log], [monitor], [convert]]"),
            chain("parallel", "[[log, monitor, convert]]")));
  }

  private String chain(String name, String stages) {
    return new ChainText(name)
        .sideBySide("always")
        .stages(stages)
        .step("log", LogKind.NAME, "size: " + logSize)
        .step("monitor", MonitorKind.NAME, "size: " + monitorSize)
        .step("convert", ConvertKind.NAME, "")
        .toString();
  }
}
