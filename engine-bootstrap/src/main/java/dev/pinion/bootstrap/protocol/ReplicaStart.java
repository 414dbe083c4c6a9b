package dev.pinion.bootstrap.protocol;

/**
 * A start of a replica, as far as its supervisor decides about it.
 *
 * @param index its place in the plan
 * @param dispatch dispatch of requests to it
 * @param port port to listen on; 0 for any free one
 * @param assignment replica of each slot, as in {@link ReplicaProtocol#SLOTS}; empty when each
 *     replica holds its own
 */
public record ReplicaStart(int index, DispatchMode dispatch, int port, String assignment) {
  /** A first start, before slots were assigned. */
  public static ReplicaStart first(int index, DispatchMode dispatch, int port) {
    return new ReplicaStart(index, dispatch, port, "");
  }

  /** This start on another port. */
  public ReplicaStart withPort(int newPort) {
    return new ReplicaStart(index, dispatch, newPort, assignment);
  }

  /** This start with another assignment of slots. */
  public ReplicaStart withAssignment(String slots) {
    return new ReplicaStart(index, dispatch, port, slots);
  }
}
