package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.benchmarks.experiment.MeasurementException;
import java.net.URI;
import java.util.List;

/**
 * The pair of the paper's Table 1 with a tenth of its times: resource state (6.5 ms) writes to the
 * disk, eventing (5.1 ms) and the service behind them (4.5 ms) call a service over HTTP.
 *
 * @param uri the called service
 * @param service calls of the service
 * @param state properties that resource state updates
 * @param events calls of eventing
 */
public record ResourceEventingScenario(URI uri, int service, int state, int events) {
  private static final double SERVICE_MILLIS = 4.461;
  private static final double STATE_MILLIS = 6.524;
  private static final double EVENTS_MILLIS = 5.138;

  /**
   * Handlers that take the stated times on this machine now, as closely as whole calls and writes
   * allow.
   */
  public static ResourceEventingScenario calibrated(URI uri) throws MeasurementException {
    byte[] body = new byte[16];
    NotifyWorkFactory notify = new NotifyWorkFactory();
    try {
      return new ResourceEventingScenario(
          uri,
          WorkCalibration.size(
              SERVICE_MILLIS, 10, size -> new WorkCalibration.Trial(notify.to(uri, size), body)),
          WorkCalibration.size(
              STATE_MILLIS, 4, WorkCalibration.bySetting(new StateWorkFactory(), body)),
          WorkCalibration.size(
              EVENTS_MILLIS, 10, size -> new WorkCalibration.Trial(notify.to(uri, size), body)));
    } catch (Exception e) {
      throw new MeasurementException("expected handlers that work, found: " + e, e);
    }
  }

  /** Chains {@code pair-sequential} and {@code pair-parallel}. */
  public List<String> chains() {
    return List.of(
        chain("pair-sequential", "[[service], [state], [events]]"),
        chain("pair-parallel", "[[service], [state, events]]"));
  }

  private String chain(String name, String stages) {
    return new ChainDocument(name)
        .sideBySide("always")
        .stages(stages)
        .step("service", NotifyWorkFactory.NAME, asked(service))
        .step("state", StateWorkFactory.NAME, "size: " + state)
        .step("events", NotifyWorkFactory.NAME, asked(events))
        .toString();
  }

  private String asked(int times) {
    return "uri: '" + uri + "', size: " + times;
  }
}
