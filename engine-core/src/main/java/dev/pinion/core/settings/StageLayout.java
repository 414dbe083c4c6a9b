package dev.pinion.core.settings;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Distribution of stages over event loops. The stages and their behaviour are the same in every
 * layout.
 *
 * <pre>
 *   fused:2           loop 0: R K I     loop 1: R K I
 *   pipelined:1+1+1   loop 0: R    ──▶ loop 1: K    ──▶ loop 2: I
 * </pre>
 */
public sealed interface StageLayout {
  /**
   * Every loop hosts a Request Handler, a Kernel and an Invoker; an instance stays on the loop of
   * its connection.
   *
   * @param loops number of loops, from 1 to {@value #MAX_LOOPS}
   */
  record Fused(int loops) implements StageLayout {
    /** Checks the number. */
    public Fused {
      check(loops);
    }

    @Override
    public List<String> threads() {
      return StageLayout.threads("fused", loops).toList();
    }

    @Override
    public String toString() {
      return "fused:" + loops;
    }
  }

  /**
   * Each stage has separate loops: the multi-stage pipeline of the SOSOA paper (section II).
   *
   * @param requestLoops loops that host a Request Handler, from 1 to {@value #MAX_LOOPS}
   * @param kernelLoops loops that host a Kernel, likewise
   * @param invokerLoops loops that host an Invoker, likewise
   */
  record Pipelined(int requestLoops, int kernelLoops, int invokerLoops) implements StageLayout {
    /** Checks the numbers. */
    public Pipelined {
      check(requestLoops);
      check(kernelLoops);
      check(invokerLoops);
    }

    @Override
    public int loops() {
      return requestLoops + kernelLoops + invokerLoops;
    }

    @Override
    public List<String> threads() {
      return Stream.of(
              StageLayout.threads("request", requestLoops),
              StageLayout.threads("kernel", kernelLoops),
              StageLayout.threads("invoker", invokerLoops))
          .flatMap(each -> each)
          .toList();
    }

    @Override
    public String toString() {
      return "pipelined:" + requestLoops + "+" + kernelLoops + "+" + invokerLoops;
    }
  }

  /** The most loops of one kind. */
  int MAX_LOOPS = 256;

  /** Number of loops of all kinds. */
  int loops();

  /** Names of the loops' threads, in the order of the pipeline. */
  List<String> threads();

  private static Stream<String> threads(String name, int count) {
    return IntStream.range(0, count).mapToObj(i -> name + "-" + i);
  }

  /** The largest of the numbers of Request Handlers, Kernels and Invokers. */
  default int loopsOfAStage() {
    return Math.max(kernels(), Math.max(requestHandlers(), invokers()));
  }

  /** Number of Request Handlers. */
  default int requestHandlers() {
    return switch (this) {
      case Fused fused -> fused.loops();
      case Pipelined pipelined -> pipelined.requestLoops();
    };
  }

  /** Number of Kernels. */
  default int kernels() {
    return switch (this) {
      case Fused fused -> fused.loops();
      case Pipelined pipelined -> pipelined.kernelLoops();
    };
  }

  /** Number of Invokers. */
  default int invokers() {
    return switch (this) {
      case Fused fused -> fused.loops();
      case Pipelined pipelined -> pipelined.invokerLoops();
    };
  }

  /**
   * Reads {@code fused:N} or {@code pipelined:R+K+I}.
   *
   * @throws IllegalArgumentException when the text is anything else
   */
  static StageLayout parse(String text) {
    Matcher fused = Pattern.compile("fused:(\\d{1,3})").matcher(text);
    if (fused.matches()) {
      return new Fused(Integer.parseInt(fused.group(1)));
    }
    Matcher pipelined =
        Pattern.compile("pipelined:(\\d{1,3})\\+(\\d{1,3})\\+(\\d{1,3})").matcher(text);
    if (pipelined.matches()) {
      return new Pipelined(
          Integer.parseInt(pipelined.group(1)),
          Integer.parseInt(pipelined.group(2)),
          Integer.parseInt(pipelined.group(3)));
    }
    throw new IllegalArgumentException(
        "expected a layout such as fused:2 or pipelined:1+1+1, found \"" + text + "\"");
  }

  private static void check(int loops) {
    if (loops < 1 || loops > MAX_LOOPS) {
      throw new IllegalArgumentException(
          "expected 1 to " + MAX_LOOPS + " event loops of a kind, found " + loops);
    }
  }
}
