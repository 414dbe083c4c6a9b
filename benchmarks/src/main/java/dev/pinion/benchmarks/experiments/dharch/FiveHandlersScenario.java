package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.benchmarks.experiment.MeasurementException;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The five handlers of the paper's first measurement, and the message they work on: A inflates, B
 * decrypts (2 ms each, by the size of the message), C writes to a file, D monitors, E logs (0.5,
 * 0.3 and 0.2 ms, by the part of the message that they use).
 *
 * @param plainBytes bytes after inflation by A
 * @param fields fields that B decrypts
 * @param sizes sizes of C, D and E by kind
 */
public record FiveHandlersScenario(int plainBytes, int fields, Map<String, Integer> sizes) {
  private static final double LONG_MILLIS = 2;
  private static final double STORE_MILLIS = 0.5;
  private static final double MONITOR_MILLIS = 0.3;
  private static final double LOG_MILLIS = 0.2;

  /** Kinds by the letters of the paper. */
  private static final Map<String, String> KINDS = kinds();

  /** Kinds for hosts. */
  public static final List<String> HOSTED = List.copyOf(KINDS.values());

  /** Copies the sizes. */
  public FiveHandlersScenario {
    sizes = Map.copyOf(sizes);
  }

  private static Map<String, String> kinds() {
    Map<String, String> kinds = new LinkedHashMap<>();
    kinds.put("a", InflateWorkFactory.NAME);
    kinds.put("b", DecryptWorkFactory.NAME);
    kinds.put("c", StoreWorkFactory.NAME);
    kinds.put("d", MonitorWorkFactory.NAME);
    kinds.put("e", LogWorkFactory.NAME);
    return kinds;
  }

  /** Handlers that take the stated times on this machine now. */
  public static FiveHandlersScenario calibrated() throws MeasurementException {
    try {
      BodyWork inflate = new InflateWorkFactory().work(WorkCalibration.ofSize(1));
      BodyWork unseal = new DecryptWorkFactory().work(WorkCalibration.ofSize(1));
      int plain =
          WorkCalibration.size(
              LONG_MILLIS, 2_000_000, size -> new WorkCalibration.Trial(inflate, message(size, 0)));
      int fields =
          WorkCalibration.size(
              LONG_MILLIS, 100, size -> new WorkCalibration.Trial(unseal, message(1, size)));
      byte[] body = message(plain, fields);
      List<BodyWork> before = List.of(inflate, unseal);
      Map<String, Integer> sizes = new LinkedHashMap<>();
      sizes.put(StoreWorkFactory.NAME, sized(STORE_MILLIS, new StoreWorkFactory(), body, before));
      sizes.put(
          MonitorWorkFactory.NAME, sized(MONITOR_MILLIS, new MonitorWorkFactory(), body, before));
      sizes.put(LogWorkFactory.NAME, sized(LOG_MILLIS, new LogWorkFactory(), body, before));
      return new FiveHandlersScenario(plain, fields, sizes);
    } catch (Exception e) {
      throw new MeasurementException("expected handlers that work, found: " + e, e);
    }
  }

  private static int sized(double millis, WorkFactory kind, byte[] body, List<BodyWork> before)
      throws Exception {
    return WorkCalibration.size(
        millis,
        10_000,
        size -> new WorkCalibration.Trial(before, kind.work(WorkCalibration.ofSize(size)), body));
  }

  private static byte[] message(int plainBytes, int fields) {
    try {
      return TwoPartMessage.write(plainBytes, fields);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("expected AES-GCM, which every JDK has", e);
    }
  }

  /** The message. */
  public byte[] body() {
    return message(plainBytes, fields);
  }

  /**
   * A chain of the handlers that its stages name.
   *
   * @param stages letters by stage, such as {@code [[a, b], [c, d], [e]]}
   * @param sideBySide {@code always}, {@code auto} or {@code never}
   * @param place {@code local} or {@code remote}
   */
  public String chain(String name, String stages, String sideBySide, String place) {
    ChainDocument chain = new ChainDocument(name).sideBySide(sideBySide).stages(stages);
    KINDS.forEach(
        (letter, kind) -> {
          if (stages.contains(letter)) {
            Integer size = sizes.get(kind);
            chain.step(letter, kind, size == null ? "" : "size: " + size, place);
          }
        });
    return chain.toString();
  }
}
