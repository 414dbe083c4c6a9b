package dev.pinion.bootstrap.client.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.client.rpc.RpcMessages;
import dev.pinion.bootstrap.client.rpc.RpcPost;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.invoker.CallFailures;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.ServiceResponse;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.A2aCall;
import dev.pinion.core.model.call.CallOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One call of an agent. On the thread of its Invoker. */
final class A2aExchange implements ServiceCaller.OngoingCall, RpcPost.RpcListener {
  /** Methods that answer with a stream of results. */
  private static final Set<String> STREAMS = Set.of("message/stream", "tasks/resubscribe");

  private static final int ID = 1;

  private final A2aCall call;
  private final ServiceCaller.CallListener callListener;
  private final List<Payload> results = new ArrayList<>();
  private @Nullable RpcPost post;
  private boolean ended;

  A2aExchange(A2aCall call, ServiceCaller.CallListener callListener) {
    this.call = call;
    this.callListener = callListener;
  }

  /** Sends the request. */
  void begin(ServiceCaller services, PayloadCodec codec, int maxMessages) {
    RpcPost begun = new RpcPost(AgentRequest.of(call, ID), codec, maxMessages, this);
    post = begun;
    begun.begin(services);
  }

  private boolean isStream() {
    return STREAMS.contains(call.method());
  }

  @Override
  public void onHead(ServiceResponse answer) {}

  @Override
  public boolean onMessage(Payload message) {
    if (!RpcMessages.answers(message, ID) && !RpcMessages.isUnread(message)) {
      return true; // nothing that the request has asked for
    }
    if (RpcMessages.isError(message)) {
      end(failed(RpcMessages.failure(message, call)));
      return false;
    }
    Payload result = RpcMessages.result(message);
    if (result == null) {
      end(failed("an answer without a result"));
      return false;
    }
    if (!isStream()) {
      end(new CallOutcome.Succeeded(result));
      return false;
    }
    results.add(result);
    return !isLast(result);
  }

  /** Whether nothing follows a result in a stream: a message, or the last state of a task. */
  private static boolean isLast(Payload result) {
    JsonNode json = result.json();
    return json.path("kind").asText().equals("message") || json.path("final").asBoolean();
  }

  @Override
  public void onEnd() {
    if (ended) {
      return;
    }
    if (isStream()) {
      end(new CallOutcome.Succeeded(Payload.array(results)));
    } else {
      end(failed("no answer"));
    }
  }

  @Override
  public boolean onUnauthorized(ServiceResponse answer) {
    boolean taken =
        callListener instanceof ServiceCaller.InterceptedListener intercepted
            && intercepted.onResponse(answer);
    ended |= taken;
    return taken;
  }

  @Override
  public void onFailure(CallOutcome failure) {
    end(failure);
  }

  private CallOutcome failed(String found) {
    return CallFailures.of(
        ErrorType.RUNTIME, "expected a result of " + call.description() + ", found " + found);
  }

  private void end(CallOutcome outcome) {
    if (!ended) {
      ended = true;
      callListener.onOutcome(outcome);
    }
  }

  @Override
  public void cancel() {
    ended = true;
    if (post != null) {
      post.cancel();
    }
  }

  @Override
  public String waitsFor() {
    return post == null ? "its start" : post.waitsFor();
  }
}
