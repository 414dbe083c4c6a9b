package dev.pinion.broker.document;

/**
 * Bounds of a document.
 *
 * @param maxBytes its size
 * @param maxDepth objects and arrays within each other; each node of a process takes two
 * @param maxColumns columns of its program: implementations that classes may choose from
 * @param maxProblems problems that are reported; further ones are counted
 */
public record ProblemLimits(int maxBytes, int maxDepth, int maxColumns, int maxProblems) {
  /** 16 MiB, 400 levels, a million columns, 100 problems. */
  public static ProblemLimits defaults() {
    return new ProblemLimits(16 << 20, 400, 1_000_000, 100);
  }
}
