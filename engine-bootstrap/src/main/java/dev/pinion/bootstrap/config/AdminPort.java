package dev.pinion.bootstrap.config;

/**
 * The port for operators.
 *
 * @param port the port; 0 for any that is free
 * @param elseAny whether any other will do when it is taken
 */
public record AdminPort(int port, boolean elseAny) {
  /** The port that operators may expect. */
  public static final int PREFERRED = 9180;

  /** What is taken when nothing is said: several engines on one machine do not get in the way. */
  public static final AdminPort AUTO = new AdminPort(PREFERRED, true);
}
