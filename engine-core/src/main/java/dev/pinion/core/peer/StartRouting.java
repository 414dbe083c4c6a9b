package dev.pinion.core.peer;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.partition.ReplicaGroup;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.FullHttpResponse;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * Decides which replica takes a start, and sends it there. Event loop only.
 *
 * <p>A start that another replica certainly did not begin is run here. A start that it may have
 * begun is answered 503 and never run again: only its client knows whether that is safe.
 */
public final class StartRouting {
  /** Starts after which the recorded loads of other replicas lose a quarter. */
  private static final int STARTS_PER_AGEING = 32;

  private final RequestJson json;
  private final ReplicaGroup replicaGroup;
  private final PeerRelay relay;
  private final PeerLoads loads;
  private final BooleanSupplier draining;
  private final IntSupplier load;
  private final WeightedRoundRobin turns;
  private int untilAgeing = STARTS_PER_AGEING;

  /**
   * Routing for one event loop.
   *
   * @param json reads the problems of other replicas
   * @param draining whether this replica takes no more starts
   * @param load requests under way in this replica
   */
  public StartRouting(
      ReplicaGroup replicaGroup,
      PeerRelay relay,
      RequestJson json,
      BooleanSupplier draining,
      IntSupplier load) {
    this.json = json;
    this.draining = draining;
    this.load = load;
    this.replicaGroup = replicaGroup;
    this.relay = relay;
    this.loads = new PeerLoads(replicaGroup);
    this.turns = new WeightedRoundRobin(replicaGroup);
  }

  /** Starts an instance in this replica. */
  public interface LocalStart {
    void start(ByteBuf body) throws ProblemException;
  }

  /**
   * Sends a start to another replica if that is where it belongs.
   *
   * @param localStart runs it in this replica after all
   * @return whether it was sent; if not, it is for this replica
   */
  public boolean sendElsewhere(HttpExchange httpExchange, LocalStart localStart) {
    int slot = httpExchange.fromPeer() ? replicaGroup.slot() : choose();
    if (slot == replicaGroup.slot()) {
      return false;
    }
    send(httpExchange, slot, ByteBufUtil.getBytes(httpExchange.body()), localStart);
    return true;
  }

  /** Sends a start that waits here to another replica. */
  public void send(StartQueue.QueuedStart start, int slot) {
    send(start.exchange(), slot, ByteBufUtil.getBytes(start.body()), start.begin()::begin);
  }

  private void send(HttpExchange httpExchange, int slot, byte[] body, LocalStart localStart) {
    loads.sent(slot);
    relay.ask(
        httpExchange,
        slot,
        PeerRelay.copy(httpExchange, Unpooled.wrappedBuffer(body)),
        response -> onResponse(httpExchange, slot, response, localStart, body),
        begun -> onLost(slot, begun, localStart, body));
  }

  private void onResponse(
      HttpExchange httpExchange,
      int slot,
      FullHttpResponse response,
      LocalStart localStart,
      byte[] body)
      throws ProblemException {
    loads.received(slot, response.headers());
    if (refusedBeforeItBegan(response) && !draining.getAsBoolean()) {
      localStart.start(Unpooled.wrappedBuffer(body));
    } else {
      httpExchange.respond(PeerRelay.toResponse(response));
    }
  }

  /**
   * Whether a start was refused before it began: overload and draining are reported then,
   * everything else later.
   */
  private boolean refusedBeforeItBegan(FullHttpResponse response) throws ProblemException {
    if (response.status().code() != 503) {
      return false;
    }
    String code = RequestJson.text(json.read(response.content()), "code");
    return code.equals(ProblemType.OVERLOAD.code()) || code.equals(ProblemType.DRAINING.code());
  }

  private void onLost(int slot, boolean begun, LocalStart localStart, byte[] body)
      throws ProblemException {
    loads.lost(slot);
    if (begun) {
      throw new ProblemException(
          Problem.of(
                  ProblemType.REPLICA_LOST,
                  "the replica that took the start ended before it answered; the instance may have"
                      + " run")
              .field("retry-after", "1"));
    }
    localStart.start(Unpooled.wrappedBuffer(body));
  }

  private int choose() {
    if (draining.getAsBoolean()) {
      return inTurn(false);
    }
    return switch (replicaGroup.policy()) {
      case LOCAL -> replicaGroup.slot();
      case IN_TURN -> inTurn(true);
      case LEAST_LOADED -> leastLoaded();
    };
  }

  /** The serving slot whose turn it is; this replica's own when no other serves. */
  private int inTurn(boolean ownToo) {
    int self = replicaGroup.slot();
    int slot = turns.next(each -> replicaGroup.serves(each) || (ownToo && each == self));
    return slot < 0 ? self : slot;
  }

  /** The slot with the least load for its size. */
  private int leastLoaded() {
    if (--untilAgeing == 0) {
      untilAgeing = STARTS_PER_AGEING;
      loads.age();
    }
    int best = replicaGroup.slot();
    int least = load.getAsInt() - 1; // without this request
    for (int slot = 0; slot < replicaGroup.slots(); slot++) {
      if (replicaGroup.serves(slot)
          && loads.of(slot) * replicaGroup.weight(best) < least * replicaGroup.weight(slot)) {
        best = slot;
        least = loads.of(slot);
      }
    }
    return best;
  }
}
