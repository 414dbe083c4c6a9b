package dev.pinion.core.peer;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.partition.ReplicaGroup;
import io.netty.handler.codec.http.FullHttpRequest;
import java.util.ArrayList;
import java.util.List;

/** Asks every other serving replica for its part of a list. Event loop only. */
public final class PeerListRequests {
  private final ReplicaGroup replicaGroup;
  private final PeerRelay relay;
  private final RequestJson json;

  public PeerListRequests(ReplicaGroup replicaGroup, PeerRelay relay, RequestJson json) {
    this.replicaGroup = replicaGroup;
    this.relay = relay;
    this.json = json;
  }

  /** Receives the part of one replica. */
  public interface PartListener {
    /** Receives its instances, newest first, and whether it has older ones too. */
    void found(List<InstanceView> instances, boolean more) throws ProblemException;

    /** Records that a replica did not report. */
    void missing(int slot) throws ProblemException;
  }

  /** The replicas to ask. */
  public List<Integer> others(HttpExchange httpExchange) {
    List<Integer> others = new ArrayList<>();
    for (int slot = 0; slot < replicaGroup.slots() && !httpExchange.fromPeer(); slot++) {
      if (replicaGroup.serves(slot)) {
        others.add(slot);
      }
    }
    return others;
  }

  /** Asks one replica. */
  public void ask(
      HttpExchange httpExchange, int slot, FullHttpRequest request, PartListener partListener) {
    relay.ask(
        httpExchange,
        slot,
        request,
        response -> {
          if (response.status().code() == 200) {
            InstancePage page = InstancePage.read(json.read(response.content()));
            partListener.found(page.instances(), page.more());
          } else {
            partListener.missing(slot);
          }
        },
        begun -> partListener.missing(slot));
  }
}
