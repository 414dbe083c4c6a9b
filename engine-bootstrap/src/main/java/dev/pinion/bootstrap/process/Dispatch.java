package dev.pinion.bootstrap.process;

import java.util.Arrays;
import java.util.List;

/** How requests of clients come to several replicas that stand behind one port. */
public enum Dispatch {
  /** The one replica listens itself. */
  DIRECT("direct"),
  /**
   * The one replica accepts at a socket that the parent keeps open, so that clients wait while the
   * replica is started again.
   */
  INHERITED("inherited"),
  /** The parent accepts connections and hands each to a replica, in turn. */
  HANDOVER("handover"),
  /** Every replica listens at the same port; the operating system deals connections out. */
  REUSEPORT("reuseport"),
  /**
   * Connections are handed over, and every start goes to the replicas in turn, wherever its
   * connection is: the policy of the SOSOA paper (section III).
   */
  ROUND_ROBIN("round-robin"),
  /** Connections are handed over, and every start goes to the replica with the least under way. */
  LEAST_LOADED("least-loaded");

  private final String label;

  Dispatch(String label) {
    this.label = label;
  }

  /** Its name in settings. */
  public String label() {
    return label;
  }

  /** Whether the parent accepts connections. */
  public boolean parentAccepts() {
    return this == HANDOVER || this == ROUND_ROBIN || this == LEAST_LOADED;
  }

  /**
   * Finds one by its name in settings.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static Dispatch of(String label) {
    return Arrays.stream(values())
        .filter(each -> each.label.equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "expected one of " + labels() + ", found \"" + label + "\""));
  }

  /** The names of all. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(Dispatch::label).toList();
  }
}
