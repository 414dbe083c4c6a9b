package dev.pinion.bootstrap.placement;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Behaviour of idle event loops, by hosted stage, and of idle workers of handlers. A loop that
 * hosts all three stages uses their common mode.
 *
 * @param request loops of the Request Handler
 * @param kernel loops of the Kernel
 * @param invoker loops of the Invoker
 * @param spinningHandlers workers of handlers that spin, each on an exclusive CPU, from 0 to {@link
 *     #MOST_HANDLERS}; with 0 they park, on the CPUs of ancillary threads
 */
public record IdleStrategies(
    IdleMode request, IdleMode kernel, IdleMode invoker, int spinningHandlers) {
  /** Most workers of handlers that can be configured. */
  public static final int MOST_HANDLERS = 256;

  private static final String HANDLERS = "handlers-";

  private static final Pattern SPINNING = Pattern.compile("spin(?::([1-9][0-9]{0,2}))?");

  /** Every loop sleeps. */
  public static final IdleStrategies PARK = all(IdleMode.PARK);

  /** Behaviour of an event loop without work. */
  public enum IdleMode {
    /** Sleeps until it is woken. */
    PARK,
    /** Polls again after it has let other threads of its CPU run. */
    YIELD,
    /** Polls again at once; only on an exclusive CPU. */
    SPIN;

    /** Name in settings. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Checks the number. */
  public IdleStrategies {
    if (spinningHandlers < 0 || spinningHandlers > MOST_HANDLERS) {
      throw new IllegalArgumentException(
          "expected from 0 to "
              + MOST_HANDLERS
              + " workers of handlers that spin, found "
              + spinningHandlers);
    }
  }

  /** Workers of handlers that park. */
  public IdleStrategies(IdleMode request, IdleMode kernel, IdleMode invoker) {
    this(request, kernel, invoker, 0);
  }

  /** The same mode for every loop; workers of handlers park. */
  public static IdleStrategies all(IdleMode idleMode) {
    return new IdleStrategies(idleMode, idleMode, idleMode);
  }

  /**
   * Reads {@code park}, {@code yield} or {@code spin}, or modes by stage as in {@code
   * request=park,kernel=spin,invoker=park}; omitted stages park, and {@code fused=} names all
   * three. With {@code handlers=spin:2}, two workers of handlers spin, with {@code handlers=spin}
   * one.
   *
   * @throws IllegalArgumentException when the text is anything else
   */
  public static IdleStrategies parse(String text) {
    if (!text.contains("=")) {
      return all(mode(text, text));
    }
    Map<String, IdleMode> modes = new HashMap<>();
    int handlers = -1;
    for (String pair : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      String stage = equals < 0 ? "" : pair.substring(0, equals).strip();
      List<String> stages =
          stage.equals("fused") ? List.of("request", "kernel", "invoker") : List.of(stage);
      if (stage.equals("handlers") && handlers < 0) {
        handlers = spinning(pair.substring(equals + 1).strip(), text);
        continue;
      }
      if (!List.of("fused", "request", "kernel", "invoker").contains(stage)) {
        throw notWaiting(text);
      }
      IdleMode idleMode = mode(pair.substring(equals + 1).strip(), text);
      for (String each : stages) {
        if (modes.put(each, idleMode) != null) {
          throw notWaiting(text);
        }
      }
    }
    return new IdleStrategies(
        modes.getOrDefault("request", IdleMode.PARK),
        modes.getOrDefault("kernel", IdleMode.PARK),
        modes.getOrDefault("invoker", IdleMode.PARK),
        Math.max(0, handlers));
  }

  private static int spinning(String mode, String text) {
    if (mode.equals(IdleMode.PARK.label())) {
      return 0;
    }
    Matcher matcher = SPINNING.matcher(mode);
    if (!matcher.matches()) {
      throw notWaiting(text);
    }
    return matcher.group(1) == null ? 1 : Integer.parseInt(matcher.group(1));
  }

  private static IdleMode mode(String label, String text) {
    return Stream.of(IdleMode.values())
        .filter(idleMode -> idleMode.label().equals(label))
        .findFirst()
        .orElseThrow(() -> notWaiting(text));
  }

  private static IllegalArgumentException notWaiting(String text) {
    return new IllegalArgumentException(
        "expected park, yield or spin, or each stage once as in"
            + " request=park,kernel=spin,invoker=park, and handlers=park or handlers=spin:N, found"
            + " \""
            + text
            + "\"");
  }

  /** Whether every stage has the same mode. */
  public boolean uniform() {
    return request == kernel && kernel == invoker;
  }

  /** Whether any loop or worker spins, and needs an exclusive CPU. */
  public boolean spins() {
    return request == IdleMode.SPIN
        || kernel == IdleMode.SPIN
        || invoker == IdleMode.SPIN
        || spinningHandlers > 0;
  }

  /** Names of the spinning workers of handlers. */
  List<String> handlers() {
    return IntStream.range(0, spinningHandlers).mapToObj(i -> HANDLERS + i).toList();
  }

  /** Whether a thread is a worker of handlers with an exclusive CPU, by its name. */
  public static boolean isHandlers(String thread) {
    return thread.startsWith(HANDLERS);
  }

  /** Mode of an event loop. */
  IdleMode of(String thread) {
    if (isHandlers(thread)) {
      return spinningHandlers > 0 ? IdleMode.SPIN : IdleMode.PARK;
    }
    if (thread.startsWith("kernel-")) {
      return kernel;
    }
    return thread.startsWith("invoker-") ? invoker : request;
  }

  /** The format of {@link #parse}. */
  @Override
  public String toString() {
    if (uniform()) {
      return spinningHandlers == 0 ? request.label() : "fused=" + request.label() + handlersText();
    }
    return "request="
        + request.label()
        + ",kernel="
        + kernel.label()
        + ",invoker="
        + invoker.label()
        + handlersText();
  }

  private String handlersText() {
    return spinningHandlers == 0 ? "" : ",handlers=spin:" + spinningHandlers;
  }
}
