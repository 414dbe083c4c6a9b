package dev.pinion.core.peer;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.PercentEncoding;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.partition.ReplicaGroup;
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
 * start finds it in any replica; lets them forget a deleted one, and learn that one was disabled or
 * enabled, in the same way. It continues when the client has gone. Event loop only.
 *
 * <p>A replica that does not listen to others yet is passed over: it reads the store after it has
 * begun to listen, and so finds everything stored before. A lost replica is asked again until it
 * answers, stops listening, or the attempts are used up.
 */
public final class DefinitionReplication {
  /** Attempts for a replica that does not answer. */
  private static final int ATTEMPTS = 3;

  private final ReplicaGroup replicaGroup;
  private final PeerClient peers;

  public DefinitionReplication(ReplicaGroup replicaGroup, PeerClient peers) {
    this.replicaGroup = replicaGroup;
    this.peers = peers;
  }

  /** The path of a definition, the same in every replica. */
  public static String path(DefinitionKey key) {
    return "/v1/namespaces/"
        + PercentEncoding.encode(key.namespace())
        + "/definitions/"
        + PercentEncoding.encode(key.name())
        + "/versions/"
        + PercentEncoding.encode(key.version());
  }

  /** The next step when every replica has answered. */
  public interface ReplicationListener {
    void proceed() throws ProblemException;
  }

  /** Installs a definition in all other replicas, then continues; at once when there are none. */
  public void install(
      HttpExchange httpExchange, DeployedDefinition definition, ReplicationListener then) {
    askAll(
        httpExchange,
        () -> request(definition),
        "the definition is stored, but not installed in replicas %s yet; deploy it again",
        then);
  }

  /** Lets every other replica forget a deleted definition, then continues. */
  public void forget(HttpExchange httpExchange, DefinitionKey key, ReplicationListener then) {
    askAll(
        httpExchange,
        () -> deletion(key),
        "the definition is deleted, but replicas %s may go by it until they start again",
        then);
  }

  /** Lets every other replica read whether a definition is enabled, then continues. */
  public void refreshStatus(
      HttpExchange httpExchange, DefinitionKey key, boolean enabled, ReplicationListener then) {
    askAll(
        httpExchange,
        () -> statusChange(key, enabled),
        "the definition is "
            + (enabled ? "enabled" : "disabled")
            + ", but replicas %s may not know it yet; repeat the request",
        then);
  }

  private void askAll(
      HttpExchange httpExchange,
      Supplier<FullHttpRequest> requests,
      String refusal,
      ReplicationListener then) {
    ResponseCount responseCount = new ResponseCount(httpExchange, refusal, then);
    for (int slot = 0; slot < replicaGroup.slots() && !httpExchange.fromPeer(); slot++) {
      if (slot != replicaGroup.slot()) {
        responseCount.asked();
        ask(slot, requests, responseCount, ATTEMPTS);
      }
    }
    responseCount.allAsked();
  }

  private void ask(
      int slot, Supplier<FullHttpRequest> requests, ResponseCount responseCount, int attempts) {
    peers.send(
        slot,
        requests.get(),
        new PeerResponseListener() {
          @Override
          public void onResponse(FullHttpResponse response) {
            responseCount.answered(slot, response.status().code() < 300);
          }

          @Override
          public void onLost(boolean begun, Throwable cause) {
            if (nobodyListens(cause)) {
              responseCount.answered(slot, true);
            } else if (attempts > 1) {
              ask(slot, requests, responseCount, attempts - 1);
            } else {
              responseCount.answered(slot, false);
            }
          }
        });
  }

  /** Whether there is no such socket, or no process listens on it. */
  private static boolean nobodyListens(Throwable cause) {
    return cause instanceof ConnectException || cause instanceof FileNotFoundException;
  }

  private static FullHttpRequest request(DeployedDefinition definition) {
    byte[] source = definition.source().getBytes(StandardCharsets.UTF_8);
    FullHttpRequest request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1,
            HttpMethod.PUT,
            path(definition.key()),
            Unpooled.wrappedBuffer(source));
    request.headers().set(HttpHeaderNames.HOST, "localhost");
    request.headers().set(HttpHeaderNames.CONTENT_TYPE, definition.mediaType());
    HttpUtil.setContentLength(request, source.length);
    return request;
  }

  private static FullHttpRequest deletion(DefinitionKey key) {
    FullHttpRequest request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1, HttpMethod.DELETE, path(key), Unpooled.EMPTY_BUFFER);
    request.headers().set(HttpHeaderNames.HOST, "localhost");
    return request;
  }

  private static FullHttpRequest statusChange(DefinitionKey key, boolean enabled) {
    FullHttpRequest request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1,
            HttpMethod.POST,
            path(key) + (enabled ? "/enablement" : "/disablement"),
            Unpooled.EMPTY_BUFFER);
    request.headers().set(HttpHeaderNames.HOST, "localhost");
    HttpUtil.setContentLength(request, 0);
    return request;
  }

  /** Counts answers. */
  private static final class ResponseCount {
    private final HttpExchange httpExchange;
    private final String refusal;
    private final ReplicationListener then;
    private final List<Integer> refused = new ArrayList<>();
    private int open = 1; // until all are asked

    ResponseCount(HttpExchange httpExchange, String refusal, ReplicationListener then) {
      this.httpExchange = httpExchange;
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
        httpExchange.run(this::proceed);
      }
    }

    private void proceed() throws ProblemException {
      if (!refused.isEmpty()) {
        throw new ProblemException(
            Problem.of(ProblemType.NOT_EVERYWHERE, refusal.formatted(refused))
                .field("retry-after", "1"));
      }
      then.proceed();
    }
  }
}
