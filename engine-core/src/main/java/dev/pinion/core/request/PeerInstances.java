package dev.pinion.core.request;

import dev.pinion.core.model.InstanceView;
import dev.pinion.core.peer.Neighbourhood;
import io.netty.handler.codec.http.FullHttpRequest;
import java.util.ArrayList;
import java.util.List;

/** Asks every other serving replica for its part of a list. Event loop only. */
final class PeerInstances {
  private final Neighbourhood neighbourhood;
  private final PeerRelay relay;
  private final RequestJson json;

  PeerInstances(Neighbourhood neighbourhood, PeerRelay relay, RequestJson json) {
    this.neighbourhood = neighbourhood;
    this.relay = relay;
    this.json = json;
  }

  /** Receives the part of one replica. */
  interface Part {
    /** Receives its instances, newest first, and whether it has older ones too. */
    void found(List<InstanceView> instances, boolean more) throws Refusal;

    /** Records that a replica did not report. */
    void missing(int slot) throws Refusal;
  }

  /** The replicas to ask. */
  List<Integer> others(Exchange exchange) {
    List<Integer> others = new ArrayList<>();
    for (int slot = 0; slot < neighbourhood.slots() && !exchange.fromPeer(); slot++) {
      if (neighbourhood.serves(slot)) {
        others.add(slot);
      }
    }
    return others;
  }

  /** Asks one replica. */
  void ask(Exchange exchange, int slot, FullHttpRequest request, Part part) {
    relay.ask(
        exchange,
        slot,
        request,
        response -> {
          if (response.status().code() == 200) {
            InstancePage page = InstancePage.read(json.read(response.content()));
            part.found(page.instances(), page.more());
          } else {
            part.missing(slot);
          }
        },
        begun -> part.missing(slot));
  }
}
