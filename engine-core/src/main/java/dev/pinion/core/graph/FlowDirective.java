package dev.pinion.core.graph;

/** Targets of the flow outside of the tasks of the same block (DSL reference, "Flow Directive"). */
public final class FlowDirective {
  /** To the next task of the block; past the last one it is {@link #EXIT}. */
  public static final int CONTINUE = -1;

  /** Out of the block. */
  public static final int EXIT = -2;

  /** To the end of the workflow. */
  public static final int END = -3;

  /** Beyond all other targets. */
  private static final int OUTER = -1_000;

  private FlowDirective() {}

  /**
   * A target of the block around that of a task: of an extended task, which stands in a block of
   * its own among the tasks of its extensions.
   *
   * @param target an index in the outer block, or a constant of this class
   */
  public static int outer(int target) {
    return OUTER - target;
  }

  /** Whether a target is one of the block around. */
  public static boolean isOuter(int target) {
    return target <= OUTER - END;
  }

  /** The target in the block around, of one that {@link #outer} has made. */
  public static int inOuter(int target) {
    return OUTER - target;
  }
}
