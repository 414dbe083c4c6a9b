package dev.pinion.core.peer;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.partition.ReplicaGroup;
import java.util.function.IntFunction;

/** Sends requests about an instance to the replica that owns its partition. Event loop only. */
public final class OwnerRouting {
  private final ReplicaGroup replicaGroup;
  private final PeerRelay relay;

  public OwnerRouting(ReplicaGroup replicaGroup, PeerRelay relay) {
    this.replicaGroup = replicaGroup;
    this.relay = relay;
  }

  /**
   * Sends a request elsewhere if its instance lives there.
   *
   * @return whether it was sent; if not, the instance is this replica's
   * @throws ProblemException when another replica asks for an instance that is not this replica's:
   *     one of them has not been notified yet that it moved
   */
  public boolean sendElsewhere(HttpExchange httpExchange, InstanceId id) throws ProblemException {
    return sendElsewhere(httpExchange, id.partition());
  }

  /**
   * Sends a request that has a further effect when repeated elsewhere if its partition belongs
   * there. If the owner is lost and may have begun it, the error states this: only the client can
   * decide whether a repetition is safe.
   *
   * @return whether it was sent; if not, the partition is this replica's
   * @throws ProblemException as {@link #sendElsewhere(HttpExchange, int)}
   */
  public boolean sendElsewhereOnce(HttpExchange httpExchange, int partition)
      throws ProblemException {
    return send(httpExchange, partition, OwnerRouting::lost);
  }

  /**
   * Sends a request that may be repeated, such as a start with a key, elsewhere if its partition
   * belongs there.
   *
   * @return whether it was sent; if not, the partition is this replica's
   * @throws ProblemException when another replica sent it for a partition that is not this
   *     replica's
   */
  public boolean sendElsewhere(HttpExchange httpExchange, int partition) throws ProblemException {
    return send(httpExchange, partition, OwnerRouting::unavailable);
  }

  private boolean send(
      HttpExchange httpExchange, int partition, IntFunction<ProblemException> whenBegun)
      throws ProblemException {
    int owner = replicaGroup.owner(partition);
    if (owner == replicaGroup.slot()) {
      return false;
    }
    if (httpExchange.fromPeer()) {
      throw unavailable(owner);
    }
    relay.relay(
        httpExchange,
        owner,
        begun -> {
          throw begun ? whenBegun.apply(owner) : unavailable(owner);
        });
    return true;
  }

  private static ProblemException lost(int owner) {
    return new ProblemException(
        Problem.of(
                ProblemType.REPLICA_LOST,
                "expected replica "
                    + owner
                    + " to answer, found that it ended before it did; it may have done what was"
                    + " asked")
            .field("retry-after", "1"));
  }

  private static ProblemException unavailable(int owner) {
    return new ProblemException(
        Problem.of(
                ProblemType.REPLICA_UNAVAILABLE,
                "expected replica " + owner + " to answer for this instance, found it not serving")
            .field("retry-after", "1"));
  }
}
