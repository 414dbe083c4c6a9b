package dev.pinion.bootstrap.placement;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Assignment of the pipeline's stages to the event loops of a replica. */
public sealed interface LoopLayout {
  /** Most event loops of one kind that can be configured. */
  int MAX_LOOPS = 256;

  /** Number of event loops. */
  int loops();

  /** Names of the event loops' threads, in the order of the pipeline. */
  List<String> threads();

  private static Stream<String> threads(String name, int count) {
    return IntStream.range(0, count).mapToObj(i -> name + "-" + i);
  }

  /**
   * All stages of an instance on one loop.
   *
   * @param loops number of loops
   */
  record Fused(int loops) implements LoopLayout {
    /** Checks the number. */
    public Fused {
      require(loops);
    }

    @Override
    public List<String> threads() {
      return LoopLayout.threads("fused", loops).toList();
    }

    @Override
    public String toString() {
      return "fused:" + loops;
    }
  }

  /**
   * Each stage on separate loops.
   *
   * @param request loops of the Request Handler
   * @param kernel loops of the Kernel
   * @param invoker loops of the Invoker
   */
  record Pipelined(int request, int kernel, int invoker) implements LoopLayout {
    /** Checks the numbers. */
    public Pipelined {
      require(request);
      require(kernel);
      require(invoker);
    }

    @Override
    public int loops() {
      return request + kernel + invoker;
    }

    @Override
    public List<String> threads() {
      return Stream.of(
              LoopLayout.threads("request", request),
              LoopLayout.threads("kernel", kernel),
              LoopLayout.threads("invoker", invoker))
          .flatMap(each -> each)
          .toList();
    }

    @Override
    public String toString() {
      return "pipelined:" + request + "+" + kernel + "+" + invoker;
    }
  }

  /**
   * Reads {@code fused:N} or {@code pipelined:R+K+I}.
   *
   * @throws IllegalArgumentException when the text is anything else
   */
  static LoopLayout parse(String text) {
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

  private static void require(int loops) {
    if (loops < 1 || loops > MAX_LOOPS) {
      throw new IllegalArgumentException(
          "expected 1 to " + MAX_LOOPS + " event loops of a kind, found " + loops);
    }
  }
}
