package dev.pinion.benchmarks.experiments.dharch;

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
public record FormatConversionScenario(int rowBytes, int logSize, int monitorSize) {
  private static final double CONVERT_MILLIS = 2;
  private static final double OTHER_MILLIS = 1;

  /** Handlers that take this multiple of the times in the class comment on this machine now. */
  public static FormatConversionScenario calibrated(double times) throws MeasurementException {
    try {
      BodyWork convert = new ConversionWorkFactory().work(WorkCalibration.ofSize(1));
      int rows =
          WorkCalibration.size(
              times * CONVERT_MILLIS,
              100_000,
              size -> new WorkCalibration.Trial(convert, TwoPartMessage.text(size)));
      byte[] body = TwoPartMessage.text(rows);
      return new FormatConversionScenario(
          rows,
          WorkCalibration.size(
              times * OTHER_MILLIS, 10_000, WorkCalibration.bySetting(new LogWorkFactory(), body)),
          WorkCalibration.size(
              times * OTHER_MILLIS,
              10_000,
              WorkCalibration.bySetting(new MonitorWorkFactory(), body)));
    } catch (Exception e) {
      throw new MeasurementException("expected handlers that work, found: " + e, e);
    }
  }

  /** The message. */
  public String body() {
    return new String(TwoPartMessage.text(rowBytes), StandardCharsets.US_ASCII);
  }

  /** A document with chains {@code sequential} and {@code parallel}. */
  public String document() {
    return ChainDocument.document(
        List.of(
            chain("sequential", "[[log], [monitor], [convert]]"),
            chain("parallel", "[[log, monitor, convert]]")));
  }

  private String chain(String name, String stages) {
    return new ChainDocument(name)
        .sideBySide("always")
        .stages(stages)
        .step("log", LogWorkFactory.NAME, "size: " + logSize)
        .step("monitor", MonitorWorkFactory.NAME, "size: " + monitorSize)
        .step("convert", ConversionWorkFactory.NAME, "")
        .toString();
  }
}
