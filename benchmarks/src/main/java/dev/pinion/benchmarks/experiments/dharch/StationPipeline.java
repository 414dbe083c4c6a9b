package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.handlers.run.ChainPrediction;
import java.util.ArrayList;
import java.util.List;

/**
 * A service and handlers as stations that serve one message at a time: the handlers in sequence or
 * side by side.
 *
 * @param serviceMillis time of the service
 * @param handlerMillis time of each handler
 * @param handlers number of handlers
 */
public record StationPipeline(
    int serviceMillis, int handlerMillis, int handlers, boolean parallel) {
  private static final int MICROS = 1_000;

  /** Name of the line and of its chain. */
  public String name() {
    return parallel ? "parallel" : "sequential";
  }

  /** The chain; at most this number of messages may be under way. */
  public String chain(int window) {
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= handlers; i++) {
      names.add("h" + i);
    }
    String stages = "[[service], [" + String.join(parallel ? ", " : "], [", names) + "]]";
    ChainDocument chain =
        new ChainDocument(name())
            .sideBySide("always")
            .window(Integer.toString(window))
            .stages(stages);
    chain.step("service", StationFactory.NAME, "micros: " + serviceMillis * MICROS);
    names.forEach(
        each -> chain.step(each, StationFactory.NAME, "micros: " + handlerMillis * MICROS));
    return chain.toString();
  }

  /** The sum of the stages and, for each further message, the longest one. */
  public double predictedMillis(int messages) {
    List<Double> stages = new ArrayList<>(List.of((double) serviceMillis));
    for (int i = 0; i < (parallel ? 1 : handlers); i++) {
      stages.add((double) handlerMillis);
    }
    double sequential = serviceMillis + (double) handlers * handlerMillis;
    return new ChainPrediction(sequential, stages).pipelinedNanos(messages);
  }

  /** Time of the slowest station. */
  public int longestMillis() {
    return Math.max(serviceMillis, handlerMillis);
  }

  /** Equations 6 and 7 of the paper. */
  public double paperMillis(int messages) {
    return serviceMillis + (double) handlerMillis * (messages + (parallel ? 0 : handlers - 1));
  }
}
