package dev.pinion.benchmarks.chains;

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
public record PaperHandlers(int plainBytes, int fields, Map<String, Integer> sizes) {
  private static final double LONG_MILLIS = 2;
  private static final double STORE_MILLIS = 0.5;
  private static final double MONITOR_MILLIS = 0.3;
  private static final double LOG_MILLIS = 0.2;

  /** Kinds by the letters of the paper. */
  private static final Map<String, String> KINDS = kinds();

  /** Kinds for hosts. */
  public static final List<String> HOSTED = List.copyOf(KINDS.values());

  /** Copies the sizes. */
  public PaperHandlers {
    sizes = Map.copyOf(sizes);
  }

  private static Map<String, String> kinds() {
    Map<String, String> kinds = new LinkedHashMap<>();
    kinds.put("a", InflateKind.NAME);
    kinds.put("b", UnsealKind.NAME);
    kinds.put("c", StoreKind.NAME);
    kinds.put("d", MonitorKind.NAME);
    kinds.put("e", LogKind.NAME);
    return kinds;
  }

  /** Handlers that take the stated times on this machine now. */
  public static PaperHandlers calibrated() throws MeasurementException {
    try {
      BodyWork inflate = new InflateKind().work(Calibration.ofSize(1));
      BodyWork unseal = new UnsealKind().work(Calibration.ofSize(1));
      int plain =
          Calibration.size(
              LONG_MILLIS, 2_000_000, size -> new Calibration.Trial(inflate, message(size, 0)));
      int fields =
          Calibration.size(
              LONG_MILLIS, 100, size -> new Calibration.Trial(unseal, message(1, size)));
      byte[] body = message(plain, fields);
      List<BodyWork> before = List.of(inflate, unseal);
      Map<String, Integer> sizes = new LinkedHashMap<>();
      sizes.put(StoreKind.NAME, sized(STORE_MILLIS, new StoreKind(), body, before));
      sizes.put(MonitorKind.NAME, sized(MONITOR_MILLIS, new MonitorKind(), body, before));
      sizes.put(LogKind.NAME, sized(LOG_MILLIS, new LogKind(), body, before));
      return new PaperHandlers(plain, fields, sizes);
    } catch (Exception e) {
      throw new MeasurementException("expected handlers that work, found: " + e, e);
    }
  }

  private static int sized(double millis, WorkKind kind, byte[] body, List<BodyWork> before)
      throws Exception {
    return Calibration.size(
        millis,
        10_000,
        size -> new Calibration.Trial(before, kind.work(Calibration.ofSize(size)), body));
  }

  private static byte[] message(int plainBytes, int fields) {
    try {
      return TwoParts.write(plainBytes, fields);
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
    ChainText chain = new ChainText(name).sideBySide(sideBySide).stages(stages);
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
