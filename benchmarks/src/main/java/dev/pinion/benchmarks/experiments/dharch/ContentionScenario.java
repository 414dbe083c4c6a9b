package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.benchmarks.experiment.MeasurementException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A handler whose messages compete for few states, in a chain for each window. The more are under
 * way, the more work is wasted.
 *
 * @param size bytes that it reads into each new state
 */
public record ContentionScenario(int size) {
  /** Body of a message. */
  public static final String BODY = "x".repeat(4_096);

  private static final double MILLIS = 2;

  /** A handler that takes 2 ms on this machine now, without competition. */
  public static ContentionScenario calibrated() throws MeasurementException {
    try {
      byte[] body = BODY.getBytes(StandardCharsets.US_ASCII);
      return new ContentionScenario(
          WorkCalibration.size(
              MILLIS, 100_000, WorkCalibration.bySetting(new ContentionWorkFactory(), body)));
    } catch (Exception e) {
      throw new MeasurementException("expected a handler that works, found: " + e, e);
    }
  }

  /**
   * A document with a chain {@code wN} for each window N, such as {@code w8} or {@code wadaptive}.
   */
  public String document(List<String> windows) {
    List<String> chains = new ArrayList<>();
    for (String window : windows) {
      chains.add(
          new ChainDocument("w" + window)
              .window(window)
              .step("update", ContentionWorkFactory.NAME, "size: " + size)
              .toString());
    }
    return ChainDocument.document(chains);
  }
}
