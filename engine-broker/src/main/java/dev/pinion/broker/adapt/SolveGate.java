package dev.pinion.broker.adapt;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where causes wait for the next solution, at the pace of {@link SolvePace}: no cause waits for
 * more than a minute. Causes of one rule and subject are one. One thread at a time.
 */
public final class SolveGate {
  /** The most causes that wait; with more, the later ones are not told, but solved for. */
  public static final int MAX_CAUSES = 64;

  private final Map<Key, Cause> waiting = new LinkedHashMap<>();
  private final SolvePace pace = new SolvePace();

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
    if (waiting.isEmpty() || !pace.isOpen(nowSeconds)) {
      return List.of();
    }
    List<Cause> causes = List.copyOf(waiting.values());
    waiting.clear();
    pace.begins(nowSeconds);
    return causes;
  }

  /** A solution has been made, or not: the gate stays shut in proportion to its time. */
  public void solved(double beganSeconds, double nowSeconds) {
    pace.solved(beganSeconds, nowSeconds);
  }
}
