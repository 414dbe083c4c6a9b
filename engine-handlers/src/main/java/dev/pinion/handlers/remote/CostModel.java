package dev.pinion.handlers.remote;

/**
 * Decides where a handler runs, by measurements: in a host when its time here exceeds the cost of
 * the way there and back. Guarded by itself.
 *
 * <p>Each side is measured {@value #FIRST} times, and the losing one once in each {@value #AGAIN}
 * messages afterwards, because loads change. A handler moves only when the other side is cheaper by
 * more than {@value #MARGIN}: about equal costs do not move it back and forth.
 */
final class CostModel {
  static final int FIRST = 8;
  static final int AGAIN = 256;
  static final double MARGIN = 0.25;

  private final LinearCost here = new LinearCost();
  private final LinearCost way = new LinearCost();
  private long messages;
  private boolean away;
  private long moves;

  /**
   * Whether the next message goes to a host.
   *
   * @param size bytes of the message, as far as the handler reads it
   */
  synchronized boolean goesAway(long size) {
    messages++;
    if (here.samples() < FIRST || way.samples() < FIRST) {
      return here.samples() >= FIRST;
    }
    decide(size);
    return messages % AGAIN == 0 ? !away : away;
  }

  private void decide(long size) {
    double stay = here.at(size);
    double go = way.at(size);
    boolean moving = away ? go > stay * (1 + MARGIN) : stay > go * (1 + MARGIN);
    if (moving) {
      away = !away;
      moves++;
    }
  }

  /** Adds a measurement of the handler here. */
  synchronized void local(long size, long nanos) {
    here.add(size, nanos);
  }

  /** Adds the time of a message sent to a host, which has answered or failed. */
  synchronized void remote(long size, long nanos, long ofThatHandling) {
    way.add(size, Math.max(0, nanos - ofThatHandling));
  }

  /** The decision for messages of a size, with the reason. Does not change it. */
  synchronized PlacementDecision decision(long size) {
    boolean known = here.samples() >= FIRST && way.samples() >= FIRST;
    return new PlacementDecision(
        known && away, known, size, here.at(size), way.at(size), way.perMessage(), way.perByte());
  }

  /** Number of moves of the handler. */
  synchronized long moves() {
    return moves;
  }
}
