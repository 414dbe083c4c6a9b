package dev.pinion.core.request;

import dev.pinion.core.peer.Neighbourhood;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.FullHttpResponse;

/**
 * Decides which replica takes a start, and sends it there. Event loop only.
 *
 * <p>A start that another replica certainly did not begin is run here. A start that it may have
 * begun is answered 503 and never run again: only its client knows whether that is safe.
 */
final class StartRouting {
  /** Starts after which the recorded loads of other replicas lose a quarter. */
  private static final int STARTS_PER_AGEING = 32;

  private final RequestHandler handler;
  private final Neighbourhood neighbourhood;
  private final PeerRelay relay;
  private final PeerLoads loads;
  private final WeightedTurns turns;
  private int untilAgeing = STARTS_PER_AGEING;

  StartRouting(RequestHandler handler, Neighbourhood neighbourhood, PeerRelay relay) {
    this.handler = handler;
    this.neighbourhood = neighbourhood;
    this.relay = relay;
    this.loads = new PeerLoads(neighbourhood);
    this.turns = new WeightedTurns(neighbourhood);
  }

  /** Starts an instance in this replica. */
  interface Here {
    void start(ByteBuf body) throws Refusal;
  }

  /**
   * Sends a start to another replica if that is where it belongs.
   *
   * @param here runs it in this replica after all
   * @return whether it was sent; if not, it is for this replica
   */
  boolean sendElsewhere(Exchange exchange, Here here) {
    int slot = exchange.fromPeer() ? neighbourhood.slot() : choose();
    if (slot == neighbourhood.slot()) {
      return false;
    }
    send(exchange, slot, ByteBufUtil.getBytes(exchange.body()), here);
    return true;
  }

  /** Sends a start that waits here to another replica. */
  void send(StartRoom.Waiting start, int slot) {
    send(start.exchange(), slot, ByteBufUtil.getBytes(start.body()), start.begin()::begin);
  }

  private void send(Exchange exchange, int slot, byte[] body, Here here) {
    loads.sent(slot);
    relay.ask(
        exchange,
        slot,
        PeerRelay.copy(exchange, Unpooled.wrappedBuffer(body)),
        response -> onResponse(exchange, slot, response, here, body),
        begun -> onLost(slot, begun, here, body));
  }

  private void onResponse(
      Exchange exchange, int slot, FullHttpResponse response, Here here, byte[] body)
      throws Refusal {
    loads.told(slot, response.headers());
    if (refusedBeforeItBegan(response) && !handler.isDraining()) {
      here.start(Unpooled.wrappedBuffer(body));
    } else {
      exchange.answer(PeerRelay.answer(response));
    }
  }

  /**
   * Whether a start was refused before it began: overload and draining are reported then,
   * everything else later.
   */
  private boolean refusedBeforeItBegan(FullHttpResponse response) throws Refusal {
    if (response.status().code() != 503) {
      return false;
    }
    String code = RequestJson.text(handler.json().read(response.content()), "code");
    return code.equals(ProblemType.OVERLOAD.code()) || code.equals(ProblemType.DRAINING.code());
  }

  private void onLost(int slot, boolean begun, Here here, byte[] body) throws Refusal {
    loads.lost(slot);
    if (begun) {
      throw new Refusal(
          Problem.of(
                  ProblemType.REPLICA_LOST,
                  "the replica that took the start ended before it answered; the instance may have"
                      + " run")
              .field("retry-after", "1"));
    }
    here.start(Unpooled.wrappedBuffer(body));
  }

  private int choose() {
    if (handler.isDraining()) {
      return inTurn(false);
    }
    return switch (neighbourhood.policy()) {
      case LOCAL -> neighbourhood.slot();
      case IN_TURN -> inTurn(true);
      case LEAST_LOADED -> leastLoaded();
    };
  }

  /** The serving slot whose turn it is; this replica's own when no other serves. */
  private int inTurn(boolean ownToo) {
    int self = neighbourhood.slot();
    int slot = turns.next(each -> neighbourhood.serves(each) || (ownToo && each == self));
    return slot < 0 ? self : slot;
  }

  /** The slot with the least load for its size. */
  private int leastLoaded() {
    if (--untilAgeing == 0) {
      untilAgeing = STARTS_PER_AGEING;
      loads.age();
    }
    int best = neighbourhood.slot();
    int least = handler.ports().load().getAsInt() - 1; // without this request
    for (int slot = 0; slot < neighbourhood.slots(); slot++) {
      if (neighbourhood.serves(slot)
          && loads.of(slot) * neighbourhood.weight(best) < least * neighbourhood.weight(slot)) {
        best = slot;
        least = loads.of(slot);
      }
    }
    return best;
  }
}
