package dev.pinion.core.peer;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.PercentEncoding;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.Payload;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;

/** Asks other replicas for their schedules. Event loop only. */
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

  /**
   * Has a replica look at the schedule of a definition, which begins it, and then continues,
   * whatever it answers.
   */
  public void look(
      HttpExchange httpExchange,
      int slot,
      DefinitionName name,
      DefinitionReplication.ReplicationListener then) {
    relay.ask(httpExchange, slot, request(name), _ -> then.proceed(), _ -> then.proceed());
  }

  private static FullHttpRequest request(DefinitionName name) {
    FullHttpRequest request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1,
            HttpMethod.GET,
            "/v1/namespaces/"
                + PercentEncoding.encode(name.namespace())
                + "/definitions/"
                + PercentEncoding.encode(name.name())
                + "/schedule",
            Unpooled.EMPTY_BUFFER);
    request.headers().set(HttpHeaderNames.HOST, "localhost");
    return request;
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
