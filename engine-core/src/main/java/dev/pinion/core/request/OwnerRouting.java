package dev.pinion.core.request;

import dev.pinion.core.model.InstanceId;
import dev.pinion.core.peer.Neighbourhood;
import java.util.function.IntFunction;

/** Sends requests about an instance to the replica that owns its partition. Event loop only. */
final class OwnerRouting {
  private final Neighbourhood neighbourhood;
  private final PeerRelay relay;

  OwnerRouting(Neighbourhood neighbourhood, PeerRelay relay) {
    this.neighbourhood = neighbourhood;
    this.relay = relay;
  }

  /**
   * Sends a request elsewhere if its instance lives there.
   *
   * @return whether it was sent; if not, the instance is this replica's
   * @throws Refusal when another replica asks for an instance that is not this replica's: one of
   *     them has not been notified yet that it moved
   */
  boolean sendElsewhere(Exchange exchange, InstanceId id) throws Refusal {
    return sendElsewhere(exchange, id.partition());
  }

  /**
   * Sends a request that has a further effect when repeated elsewhere if its partition belongs
   * there. If the owner is lost and may have begun it, the error states this: only the client can
   * decide whether a repetition is safe.
   *
   * @return whether it was sent; if not, the partition is this replica's
   * @throws Refusal as {@link #sendElsewhere(Exchange, int)}
   */
  boolean sendElsewhereOnce(Exchange exchange, int partition) throws Refusal {
    return send(exchange, partition, OwnerRouting::lost);
  }

  /**
   * Sends a request that may be repeated, such as a start with a key, elsewhere if its partition
   * belongs there.
   *
   * @return whether it was sent; if not, the partition is this replica's
   * @throws Refusal when another replica sent it for a partition that is not this replica's
   */
  boolean sendElsewhere(Exchange exchange, int partition) throws Refusal {
    return send(exchange, partition, OwnerRouting::unavailable);
  }

  private boolean send(Exchange exchange, int partition, IntFunction<Refusal> whenBegun)
      throws Refusal {
    int owner = neighbourhood.owner(partition);
    if (owner == neighbourhood.slot()) {
      return false;
    }
    if (exchange.fromPeer()) {
      throw unavailable(owner);
    }
    relay.relay(
        exchange,
        owner,
        begun -> {
          throw begun ? whenBegun.apply(owner) : unavailable(owner);
        });
    return true;
  }

  private static Refusal lost(int owner) {
    return new Refusal(
        Problem.of(
                ProblemType.REPLICA_LOST,
                "expected replica "
                    + owner
                    + " to answer, found that it ended before it did; it may have done what was"
                    + " asked")
            .field("retry-after", "1"));
  }

  private static Refusal unavailable(int owner) {
    return new Refusal(
        Problem.of(
                ProblemType.REPLICA_UNAVAILABLE,
                "expected replica " + owner + " to answer for this instance, found it not serving")
            .field("retry-after", "1"));
  }
}
