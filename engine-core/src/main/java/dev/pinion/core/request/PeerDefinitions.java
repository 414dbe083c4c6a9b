package dev.pinion.core.request;

import dev.pinion.core.model.DefinitionInfo;
import dev.pinion.core.peer.Neighbourhood;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Installs a stored definition in every other replica before its deployment is answered, so that a
 * start finds it whichever replica its connection leads to. Event loop only.
 *
 * <p>A replica that does not listen to others yet reads the store after it has begun to listen, and
 * so finds what was stored before it was asked in vain; it is passed over. One that is lost reads
 * the store when it is started again.
 */
final class PeerDefinitions {
  private final Neighbourhood neighbourhood;
  private final PeerRelay relay;

  PeerDefinitions(Neighbourhood neighbourhood, PeerRelay relay) {
    this.neighbourhood = neighbourhood;
    this.relay = relay;
  }

  /** What follows when every replica has answered. */
  interface Installed {
    void proceed() throws Refusal;
  }

  /** Installs a definition elsewhere, then goes on; at once when there is nowhere else. */
  void install(Exchange exchange, DefinitionInfo definition, Installed then) throws Refusal {
    List<Integer> others = others(exchange);
    if (others.isEmpty()) {
      then.proceed();
      return;
    }
    Tally tally = new Tally(others.size(), then);
    for (int slot : others) {
      relay.ask(
          exchange,
          slot,
          request(definition),
          response -> tally.answered(slot, response.status().code() < 300),
          begun -> tally.answered(slot, true));
    }
  }

  private List<Integer> others(Exchange exchange) {
    List<Integer> others = new ArrayList<>();
    for (int slot = 0; slot < neighbourhood.slots() && !exchange.fromPeer(); slot++) {
      if (slot != neighbourhood.slot()) {
        others.add(slot);
      }
    }
    return others;
  }

  private static FullHttpRequest request(DefinitionInfo definition) {
    byte[] source = definition.source().getBytes(StandardCharsets.UTF_8);
    FullHttpRequest request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1,
            HttpMethod.PUT,
            DefinitionEndpoints.path(definition.key()),
            Unpooled.wrappedBuffer(source));
    request.headers().set(HttpHeaderNames.HOST, "localhost");
    request.headers().set(HttpHeaderNames.CONTENT_TYPE, definition.mediaType());
    HttpUtil.setContentLength(request, source.length);
    return request;
  }

  /** Counts answers. */
  private static final class Tally {
    private final Installed then;
    private final List<Integer> refused = new ArrayList<>();
    private int open;

    Tally(int open, Installed then) {
      this.open = open;
      this.then = then;
    }

    void answered(int slot, boolean installed) throws Refusal {
      open--;
      if (!installed) {
        refused.add(slot);
      }
      if (open > 0) {
        return;
      }
      if (!refused.isEmpty()) {
        throw new Refusal(
            Problem.of(
                    ProblemType.NOT_EVERYWHERE,
                    "the definition is stored, but not installed in replicas "
                        + refused
                        + " yet; deploy it again")
                .field("retry-after", "1"));
      }
      then.proceed();
    }
  }
}
