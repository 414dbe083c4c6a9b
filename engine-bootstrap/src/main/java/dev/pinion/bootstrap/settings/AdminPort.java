package dev.pinion.bootstrap.settings;

/**
 * The port for operators.
 *
 * @param port the port; 0 for any free one
 * @param elseAny whether any other port is used when this one is taken
 */
public record AdminPort(int port, boolean elseAny) {
  /** The port that operators expect. */
  public static final int PREFERRED = 9180;

  /** Default: several engines on one machine do not conflict. */
  public static final AdminPort AUTO = new AdminPort(PREFERRED, true);
}
