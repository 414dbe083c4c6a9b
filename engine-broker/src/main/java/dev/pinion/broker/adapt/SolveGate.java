package dev.pinion.broker.adapt;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where causes wait for the next solution. It opens a second after the last one began, or ten times
 * as long as that took, up to a minute: solving has a tenth of a CPU at most, and no cause waits
 * for more than a minute. Causes of one rule and subject are one. One thread at a time.
 */
public final class SolveGate {
  /** The most causes that wait; with more, the later ones are not told, but solved for. */
  public static final int MAX_CAUSES = 64;

  static final double LEAST_SECONDS = 1;
  static final double MOST_SECONDS = 60;
  private static final double REST = 10;

  private final Map<Key, Cause> waiting = new LinkedHashMap<>();
  private double opensSeconds = Double.NEGATIVE_INFINITY;

  private record Key(Rule rule, String subject) {}

  /** Nothing waits. */
  public SolveGate() {}

  /** Lets a cause wait; one that waits already is renewed. */
  public void ask(Cause cause) {
    Key key = new Key(cause.rule(), cause.subject());
    if (waiting.containsKey(key) || waiting.size() < MAX_CAUSES) {
      waiting.put(key, cause);
    }
  }

  /**
   * Takes the causes of a solution that may begin now.
   *
   * @param nowSeconds monotonic time
   * @return none when nothing waits, or the gate is shut
   */
  public List<Cause> pass(double nowSeconds) {
    if (waiting.isEmpty() || nowSeconds < opensSeconds) {
      return List.of();
    }
    List<Cause> causes = List.copyOf(waiting.values());
    waiting.clear();
    opensSeconds = nowSeconds + LEAST_SECONDS;
    return causes;
  }

  /** A solution has been made, or not: the gate stays shut in proportion to its time. */
  public void solved(double beganSeconds, double nowSeconds) {
    double rest = REST * (nowSeconds - beganSeconds);
    opensSeconds = beganSeconds + Math.clamp(rest, LEAST_SECONDS, MOST_SECONDS);
  }
}
