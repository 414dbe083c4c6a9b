package dev.pinion.handlers.remote;

/**
 * Where a handler is better run, by what was measured of it: in a host when the time that it takes
 * here is more than what the way there and back costs. Guarded by itself.
 *
 * <p>Each side is measured {@value #FIRST} times, and the one that loses once more in each {@value
 * #AGAIN} messages, because loads change. A handler moves only when the other side is cheaper by
 * more than {@value #MARGIN}: costs that are about equal do not move it to and fro.
 */
final class CostModel {
  static final int FIRST = 8;
  static final int AGAIN = 256;
  static final double MARGIN = 0.25;

  private final CostLine here = new CostLine();
  private final CostLine way = new CostLine();
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

  /** The handler ran here. */
  synchronized void local(long size, long nanos) {
    here.add(size, nanos);
  }

  /** A host has answered, or failed to: how long the message was away. */
  synchronized void remote(long size, long nanos, long ofThatHandling) {
    way.add(size, Math.max(0, nanos - ofThatHandling));
  }

  /** What is decided for messages of such a size, and why. Decides nothing. */
  synchronized PlaceDecision decision(long size) {
    boolean known = here.samples() >= FIRST && way.samples() >= FIRST;
    return new PlaceDecision(
        known && away, known, size, here.at(size), way.at(size), way.perMessage(), way.perByte());
  }

  /** How often the handler was moved. */
  synchronized long moves() {
    return moves;
  }
}
