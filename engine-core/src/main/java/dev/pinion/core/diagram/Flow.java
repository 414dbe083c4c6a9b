package dev.pinion.core.diagram;

/**
 * An arrow from one shape of a section to another, or to itself.
 *
 * @param from index of the shape that it leaves
 * @param to index of the shape to which it leads
 * @param label condition; empty when there is none
 */
public record Flow(int from, int to, String label, Kind kind) {
  /** Reasons for which a flow is taken. */
  public enum Kind {
    /** The shape has ended. */
    NEXT,
    /** A condition holds. */
    CASE,
    /** No other condition holds. */
    OTHERWISE,
    /** An error was caught. */
    ERROR
  }
}
