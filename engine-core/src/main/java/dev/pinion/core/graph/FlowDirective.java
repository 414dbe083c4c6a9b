package dev.pinion.core.graph;

/** Targets of the flow outside of the tasks of the same block (DSL reference, "Flow Directive"). */
public final class FlowDirective {
  /** To the next task of the block; past the last one it is {@link #EXIT}. */
  public static final int CONTINUE = -1;

  /** Out of the block. */
  public static final int EXIT = -2;

  /** To the end of the workflow. */
  public static final int END = -3;

  private FlowDirective() {}
}
