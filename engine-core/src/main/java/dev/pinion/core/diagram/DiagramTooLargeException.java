package dev.pinion.core.diagram;

/** A definition that has more tasks or cases of switches than are drawn. */
public final class DiagramTooLargeException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Name of the limit. */
  public static final String LIMIT = "definition.maxDrawnTasks";

  DiagramTooLargeException(int most, String what) {
    super("expected a definition of at most " + most + " " + what + " (" + LIMIT + "), found more");
  }
}
