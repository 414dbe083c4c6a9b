package dev.pinion.bootstrap.placement;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What idle event loops do, by the stage they host. A loop that hosts all three follows the one way
 * they have in common.
 *
 * @param request loops of the Request Handler
 * @param kernel loops of the Kernel
 * @param invoker loops of the Invoker
 */
public record Waiting(Mode request, Mode kernel, Mode invoker) {
  /** Every loop sleeps. */
  public static final Waiting PARK = all(Mode.PARK);

  /** What an event loop does when there is nothing to do. */
  public enum Mode {
    /** Sleeps until it is woken. */
    PARK,
    /** Looks again after it has let other threads of its CPU run. */
    YIELD,
    /** Looks again at once; only on a CPU that it owns alone. */
    SPIN;

    /** Its name in settings. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The same for every loop. */
  public static Waiting all(Mode mode) {
    return new Waiting(mode, mode, mode);
  }

  /**
   * Reads {@code park}, {@code yield} or {@code spin}, or ways by stage as in {@code
   * request=park,kernel=spin,invoker=park}; stages left out park, and {@code fused=} names all
   * three.
   *
   * @throws IllegalArgumentException when the text is anything else
   */
  public static Waiting parse(String text) {
    if (!text.contains("=")) {
      return all(mode(text, text));
    }
    Map<String, Mode> modes = new HashMap<>();
    for (String pair : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      String stage = equals < 0 ? "" : pair.substring(0, equals).strip();
      List<String> stages =
          stage.equals("fused") ? List.of("request", "kernel", "invoker") : List.of(stage);
      if (!List.of("fused", "request", "kernel", "invoker").contains(stage)) {
        throw notWaiting(text);
      }
      Mode mode = mode(pair.substring(equals + 1).strip(), text);
      for (String each : stages) {
        if (modes.put(each, mode) != null) {
          throw notWaiting(text);
        }
      }
    }
    return new Waiting(
        modes.getOrDefault("request", Mode.PARK),
        modes.getOrDefault("kernel", Mode.PARK),
        modes.getOrDefault("invoker", Mode.PARK));
  }

  private static Mode mode(String label, String text) {
    return Stream.of(Mode.values())
        .filter(mode -> mode.label().equals(label))
        .findFirst()
        .orElseThrow(() -> notWaiting(text));
  }

  private static IllegalArgumentException notWaiting(String text) {
    return new IllegalArgumentException(
        "expected park, yield or spin, or each stage once as in"
            + " request=park,kernel=spin,invoker=park, found \""
            + text
            + "\"");
  }

  /** Whether every stage waits the same way. */
  public boolean uniform() {
    return request == kernel && kernel == invoker;
  }

  /** Whether any stage waits this way. */
  public boolean any(Mode mode) {
    return request == mode || kernel == mode || invoker == mode;
  }

  /** How an event loop waits. */
  Mode of(String thread) {
    if (thread.startsWith("kernel-")) {
      return kernel;
    }
    return thread.startsWith("invoker-") ? invoker : request;
  }

  /** The form that {@link #parse} reads. */
  @Override
  public String toString() {
    return uniform()
        ? request.label()
        : "request="
            + request.label()
            + ",kernel="
            + kernel.label()
            + ",invoker="
            + invoker.label();
  }
}
