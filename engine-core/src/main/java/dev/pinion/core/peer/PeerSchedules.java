package dev.pinion.core.peer;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.model.Payload;
import io.netty.handler.codec.http.FullHttpRequest;

/** Asks other replicas for their parts of a list of schedules. Event loop only. */
public final class PeerSchedules {
  private final PeerRelay relay;
  private final RequestJson json;

  public PeerSchedules(PeerRelay relay, RequestJson json) {
    this.relay = relay;
    this.json = json;
  }

  /** Receives the part of one replica. */
  public interface SchedulePartListener {
    /** Receives its page, as {@code GET /v1/schedules} answers. */
    void found(Payload page) throws ProblemException;

    /** Records that a replica did not report. */
    void missing(int slot) throws ProblemException;
  }

  /** Asks one replica. */
  public void ask(
      HttpExchange httpExchange, int slot, FullHttpRequest request, SchedulePartListener listener) {
    relay.ask(
        httpExchange,
        slot,
        request,
        response -> {
          if (response.status().code() == 200) {
            listener.found(json.read(response.content()));
          } else {
            listener.missing(slot);
          }
        },
        begun -> listener.missing(slot));
  }
}
