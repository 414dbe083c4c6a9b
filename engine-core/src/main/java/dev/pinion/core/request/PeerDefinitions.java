package dev.pinion.core.request;

import dev.pinion.core.model.DefinitionInfo;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.peer.Neighbourhood;
import dev.pinion.core.peer.PeerClient;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.io.FileNotFoundException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Installs a stored definition in every other replica before its deployment is answered, so that a
 * start finds it in any replica; lets them forget a deleted one in the same way. It continues when
 * the client has gone. Event loop only.
 *
 * <p>A replica that does not listen to others yet is passed over: it reads the store after it has
 * begun to listen, and so finds everything stored before. A lost replica is asked again until it
 * answers, stops listening, or the attempts are used up.
 */
final class PeerDefinitions {
  /** Attempts for a replica that does not answer. */
  private static final int ATTEMPTS = 3;

  private final Neighbourhood neighbourhood;
  private final PeerClient peers;

  PeerDefinitions(Neighbourhood neighbourhood, PeerClient peers) {
    this.neighbourhood = neighbourhood;
    this.peers = peers;
  }

  /** The next step when every replica has answered. */
  interface Installed {
    void proceed() throws Refusal;
  }

  /** Installs a definition in all other replicas, then continues; at once when there are none. */
  void install(Exchange exchange, DefinitionInfo definition, Installed then) {
    askAll(
        exchange,
        () -> request(definition),
        "the definition is stored, but not installed in replicas %s yet; deploy it again",
        then);
  }

  /** Lets every other replica forget a deleted definition, then continues. */
  void forget(Exchange exchange, DefinitionKey key, Installed then) {
    askAll(
        exchange,
        () -> deletion(key),
        "the definition is deleted, but replicas %s may go by it until they start again",
        then);
  }

  private void askAll(
      Exchange exchange, Supplier<FullHttpRequest> requests, String refusal, Installed then) {
    Tally tally = new Tally(exchange, refusal, then);
    for (int slot = 0; slot < neighbourhood.slots() && !exchange.fromPeer(); slot++) {
      if (slot != neighbourhood.slot()) {
        tally.asked();
        ask(slot, requests, tally, ATTEMPTS);
      }
    }
    tally.allAsked();
  }

  private void ask(int slot, Supplier<FullHttpRequest> requests, Tally tally, int attempts) {
    peers.send(
        slot,
        requests.get(),
        new PeerClient.Reply() {
          @Override
          public void onResponse(FullHttpResponse response) {
            tally.answered(slot, response.status().code() < 300);
          }

          @Override
          public void onLost(boolean begun, Throwable cause) {
            if (nobodyListens(cause)) {
              tally.answered(slot, true);
            } else if (attempts > 1) {
              ask(slot, requests, tally, attempts - 1);
            } else {
              tally.answered(slot, false);
            }
          }
        });
  }

  /** Whether there is no such socket, or no process listens on it. */
  private static boolean nobodyListens(Throwable cause) {
    return cause instanceof ConnectException || cause instanceof FileNotFoundException;
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

  private static FullHttpRequest deletion(DefinitionKey key) {
    FullHttpRequest request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1,
            HttpMethod.DELETE,
            DefinitionEndpoints.path(key),
            Unpooled.EMPTY_BUFFER);
    request.headers().set(HttpHeaderNames.HOST, "localhost");
    return request;
  }

  /** Counts answers. */
  private static final class Tally {
    private final Exchange exchange;
    private final String refusal;
    private final Installed then;
    private final List<Integer> refused = new ArrayList<>();
    private int open = 1; // until all are asked

    Tally(Exchange exchange, String refusal, Installed then) {
      this.exchange = exchange;
      this.refusal = refusal;
      this.then = then;
    }

    void asked() {
      open++;
    }

    void allAsked() {
      countDown();
    }

    void answered(int slot, boolean installed) {
      if (!installed) {
        refused.add(slot);
      }
      countDown();
    }

    private void countDown() {
      open--;
      if (open == 0) {
        exchange.run(this::proceed);
      }
    }

    private void proceed() throws Refusal {
      if (!refused.isEmpty()) {
        throw new Refusal(
            Problem.of(ProblemType.NOT_EVERYWHERE, refusal.formatted(refused))
                .field("retry-after", "1"));
      }
      then.proceed();
    }
  }
}
