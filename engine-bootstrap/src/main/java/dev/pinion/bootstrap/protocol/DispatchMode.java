package dev.pinion.bootstrap.protocol;

import java.util.Arrays;
import java.util.List;

/** Dispatch of client requests to several replicas behind one port. */
public enum DispatchMode {
  /** The one replica listens itself. */
  DIRECT("direct"),
  /**
   * The one replica accepts on a socket that the parent keeps open, so that clients wait while the
   * replica is restarted.
   */
  INHERITED("inherited"),
  /** The parent accepts connections and hands each to a replica, in turn. */
  HANDOVER("handover"),
  /** Every replica listens on the same port; the operating system distributes connections. */
  REUSEPORT("reuseport"),
  /**
   * Connections are handed over, and starts go to the replicas in turn, independent of their
   * connections: the policy of the SOSOA paper (section III).
   */
  ROUND_ROBIN("round-robin"),
  /**
   * Connections are handed over, and every start goes to the replica with the fewest instances
   * under way.
   */
  LEAST_LOADED("least-loaded");

  private final String label;

  DispatchMode(String label) {
    this.label = label;
  }

  /** Name in settings. */
  public String label() {
    return label;
  }

  /** Whether the parent accepts connections. */
  public boolean parentAccepts() {
    return this == HANDOVER || this == ROUND_ROBIN || this == LEAST_LOADED;
  }

  /**
   * The dispatch of a name in settings.
   *
   * @throws IllegalArgumentException when the name is unknown
   */
  public static DispatchMode of(String label) {
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
    return Arrays.stream(values()).map(DispatchMode::label).toList();
  }
}
