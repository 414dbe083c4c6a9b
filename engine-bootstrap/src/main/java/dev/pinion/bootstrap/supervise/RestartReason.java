package dev.pinion.bootstrap.supervise;

/** Reasons for starting another process of a replica: how the one before ended. */
public enum RestartReason {
  /** It died. */
  DIED("died"),
  /** It was late or silent, and was killed. */
  SILENT("silent"),
  /** It could not start. */
  NOT_STARTED("not_started"),
  /** A restart was asked for. */
  REQUESTED("requested"),
  /** It was not needed for some time. */
  SCALED("scaled");

  private final String label;

  RestartReason(String label) {
    this.label = label;
  }

  /** Value of the label {@code reason}. */
  public String label() {
    return label;
  }
}
