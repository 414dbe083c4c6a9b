package dev.pinion.bootstrap.client.mcp;

import dev.pinion.bootstrap.client.call.CallTimeLimit;
import dev.pinion.bootstrap.client.rpc.RpcPost;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.invoker.CallFailures;
import dev.pinion.core.invoker.ProtocolClient.CallingInvoker;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.ServiceResponse;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.HttpCall.HeaderField;
import dev.pinion.core.model.call.McpCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One call of a server over HTTP ("Streamable HTTP"): a session that is begun, asked once and
 * ended. On the thread of its Invoker.
 */
final class HttpMcpExchange implements ServiceCaller.OngoingCall {
  private static final String SESSION = "Mcp-Session-Id";
  private static final String VERSION = "MCP-Protocol-Version";

  /** Most answers to requests of the server that it has not acknowledged; further ones get none. */
  private static final int MAX_REPLIES = 16;

  /** Fields that the client sets itself. */
  private static final Set<String> OWN = Set.of("accept", "accept-encoding", "content-type");

  /** Fields that name the call: only one of its requests is the call. */
  private static final Set<String> NAMES =
      Set.of(
          HttpCall.IDEMPOTENCY_KEY.toLowerCase(Locale.ROOT),
          HttpCall.ATTEMPT.toLowerCase(Locale.ROOT));

  private final McpCall call;
  private final HttpCall request;
  private final McpDialogue dialogue;
  private final CallingInvoker invoker;
  private final PayloadCodec codec;
  private final int maxMessages;
  private final UnawaitedRequests unawaited;
  private final ServiceCaller.CallListener callListener;
  private final CallTimeLimit limit;
  private @Nullable String session;
  private @Nullable RpcPost current;
  private boolean begun;
  private boolean ended;

  /**
   * A call that has not begun.
   *
   * @param request the HTTP request with everything that the call needs
   */
  HttpMcpExchange(
      McpCall call,
      HttpCall request,
      CallingInvoker invoker,
      PayloadCodec codec,
      EngineLimits limits,
      ServiceCaller.CallListener callListener) {
    this.call = call;
    this.request = request;
    this.dialogue = new McpDialogue(call.request(), request, call.description());
    this.invoker = invoker;
    this.codec = codec;
    this.maxMessages = limits.protocol().maxMessages();
    this.unawaited =
        new UnawaitedRequests(
            invoker, TimeUnit.MILLISECONDS.toNanos(limits.invoker().callTimeoutMillis()));
    this.callListener = callListener;
    this.limit = new CallTimeLimit(call.request().timeoutNanos(), invoker.loop(), this::onLate);
  }

  void begin() {
    post(dialogue.initialize(), false, new PostListener("an answer to initialize", this::notifyOf));
  }

  private void notifyOf() {
    Payload message = dialogue.afterInitialize().getFirst();
    PostListener listener = new PostListener("", this::ask);
    listener.arrived = true;
    post(message, false, listener);
  }

  private void ask() {
    post(dialogue.afterInitialize().getLast(), true, new PostListener("an answer", () -> {}));
  }

  private void post(Payload message, boolean isCall, PostListener listener) {
    if (ended) {
      return;
    }
    RpcPost post = new RpcPost(carrying("POST", message, isCall), codec, maxMessages, listener);
    current = post;
    post.begin(invoker.services());
  }

  /**
   * A request of the session.
   *
   * @param isCall whether it is the one that the task wants to be made
   */
  private HttpCall carrying(String method, @Nullable Payload message, boolean isCall) {
    List<HeaderField> fields = new ArrayList<>();
    for (HeaderField each : request.headers()) {
      String name = each.name().toLowerCase(Locale.ROOT);
      if (!OWN.contains(name) && (isCall || !NAMES.contains(name))) {
        fields.add(each);
      }
    }
    fields.add(new HeaderField("Accept", "application/json, text/event-stream"));
    fields.add(new HeaderField("Accept-Encoding", "identity"));
    if (session != null) {
      fields.add(new HeaderField(SESSION, session));
    }
    if (begun) {
      fields.add(new HeaderField(VERSION, dialogue.version()));
    }
    return new HttpCall(
        method, request.uri(), fields, message, HttpCall.Output.RAW, false, request.secretParts());
  }

  /** Answers a request of the server. */
  private void reply(Payload message) {
    if (unawaited.underWay() < MAX_REPLIES) {
      unawaited.send(carrying("POST", message, false));
    }
  }

  private void onLate() {
    end(
        CallFailures.of(
            ErrorType.TIMEOUT,
            "expected "
                + call.description()
                + " to end within its time, found it waiting for "
                + waitsFor()));
  }

  private void end(CallOutcome outcome) {
    if (!ended) {
      close();
      callListener.onOutcome(outcome);
    }
  }

  /** Ends the session, also at the server. */
  private void close() {
    ended = true;
    limit.stop();
    RpcPost last = current;
    current = null;
    if (last != null) {
      last.cancel();
    }
    if (session != null) {
      unawaited.send(carrying("DELETE", null, false));
      session = null;
    }
  }

  @Override
  public void cancel() {
    if (!ended) {
      close();
    }
  }

  @Override
  public String waitsFor() {
    return current == null ? "its start" : current.waitsFor();
  }

  /** Receives what answers one request. */
  private final class PostListener implements RpcPost.RpcListener {
    private final String awaited;
    private final Runnable next;

    /** Whether what is awaited has come. */
    private boolean arrived;

    /**
     * A listener.
     *
     * @param awaited what has to come, for messages
     * @param next run when it has come
     */
    PostListener(String awaited, Runnable next) {
      this.awaited = awaited;
      this.next = next;
    }

    @Override
    public void onHead(ServiceResponse answer) {
      String named = answer.headers().get(SESSION);
      if (!begun && named != null) {
        session = named;
      }
    }

    @Override
    public boolean onMessage(Payload message) {
      return switch (dialogue.on(message)) {
        case McpDialogue.Listen() -> true;
        case McpDialogue.Reply(Payload reply) -> {
          reply(reply);
          yield true;
        }
        case McpDialogue.Begun() -> {
          begun = true;
          arrived = true;
          yield false;
        }
        case McpDialogue.Ended(CallOutcome outcome) -> {
          end(outcome);
          yield false;
        }
      };
    }

    @Override
    public void onEnd() {
      if (arrived) {
        next.run();
        return;
      }
      end(
          CallFailures.of(
              ErrorType.RUNTIME,
              "expected " + awaited + " in the answer to " + call.description() + ", found none"));
    }

    @Override
    public boolean onUnauthorized(ServiceResponse answer) {
      boolean taken =
          callListener instanceof ServiceCaller.InterceptedListener intercepted
              && intercepted.onResponse(answer);
      if (taken) {
        ended = true;
        limit.stop();
        current = null;
      }
      return taken;
    }

    @Override
    public void onFailure(CallOutcome failure) {
      end(failure);
    }
  }
}
