package dev.pinion.core.api;

import dev.pinion.core.api.json.DefinitionJson;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.Payload;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.peer.PeerResponseListener;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;

/** Handlers of messages: listed and reloaded. Event loop only. */
final class HandlerEndpoints {
  private static final String RELOAD = "/v1/handlers/reload";

  private final RequestContext context;

  HandlerEndpoints(RequestContext context) {
    this.context = context;
  }

  /** Shows the chains of this replica and their statistics. */
  void list(HttpExchange httpExchange) {
    httpExchange.respond(answer(context.ports().policies().interceptor().describe()));
  }

  private Response answer(Payload chains) {
    return Response.of(
        200, MediaTypes.JSON, context.json().bytes(Payload.object(Map.of("chains", chains))));
  }

  /** Reads the chains again, on an ancillary thread, here and then in every other replica. */
  void reload(HttpExchange httpExchange) throws ProblemException {
    try {
      context.ports().replica().ancillary().execute(() -> perform(httpExchange));
    } catch (RejectedExecutionException e) {
      throw new ProblemException(Problem.overload("deployments under way"));
    }
  }

  private void perform(HttpExchange httpExchange) {
    List<Diagnostic> problems;
    try {
      problems = context.ports().policies().interceptor().reload();
    } catch (RuntimeException | StackOverflowError e) {
      httpExchange.onLoop(
          () -> {
            throw new IllegalStateException("chains of handlers could not be read again", e);
          });
      return;
    }
    httpExchange.onLoop(() -> proceed(httpExchange, problems));
  }

  private void proceed(HttpExchange httpExchange, List<Diagnostic> problems)
      throws ProblemException {
    if (!problems.isEmpty()) {
      throw new ProblemException(
          Problem.of(
                  ProblemType.INVALID_HANDLERS,
                  "expected valid chains of handlers, found "
                      + problems.size()
                      + " problem"
                      + (problems.size() == 1 ? "" : "s")
                      + "; the chains stay as they were")
              .with("errors", DefinitionJson.problems(problems)));
    }
    new ReloadInAllReplicas(httpExchange).ask();
  }

  /** Lets the other replicas read theirs too; each reads the same documents. */
  private final class ReloadInAllReplicas {
    private final HttpExchange httpExchange;
    private final List<Integer> refused = new ArrayList<>();
    private int open = 1; // until all are asked

    ReloadInAllReplicas(HttpExchange httpExchange) {
      this.httpExchange = httpExchange;
    }

    void ask() {
      ReplicaGroup replicaGroup = context.ports().peers().group();
      for (int slot = 0; slot < replicaGroup.slots() && !httpExchange.fromPeer(); slot++) {
        if (slot != replicaGroup.slot() && replicaGroup.serves(slot)) {
          open++;
          ask(slot);
        }
      }
      countDown();
    }

    private void ask(int slot) {
      context
          .ports()
          .peers()
          .client()
          .send(
              slot,
              request(),
              new PeerResponseListener() {
                @Override
                public void onResponse(FullHttpResponse response) {
                  answered(slot, response.status().code() < 300);
                }

                @Override
                public void onLost(boolean begun, Throwable cause) {
                  answered(slot, false);
                }
              });
    }

    private void answered(int slot, boolean done) {
      if (!done) {
        refused.add(slot);
      }
      countDown();
    }

    private void countDown() {
      open--;
      if (open == 0) {
        httpExchange.run(this::tell);
      }
    }

    private void tell() throws ProblemException {
      if (!refused.isEmpty()) {
        throw new ProblemException(
            Problem.of(
                    ProblemType.NOT_EVERYWHERE,
                    "the chains are in force here, but not in replicas "
                        + refused
                        + " yet; ask again")
                .field("retry-after", "1"));
      }
      list(httpExchange);
    }
  }

  private static FullHttpRequest request() {
    FullHttpRequest request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1, HttpMethod.POST, RELOAD, Unpooled.EMPTY_BUFFER);
    request.headers().set(HttpHeaderNames.HOST, "localhost");
    HttpUtil.setContentLength(request, 0);
    return request;
  }
}
