package dev.pinion.bootstrap.client.rpc;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.interception.MessageBody;
import dev.pinion.core.invoker.CallFailures;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.ServiceCaller.OngoingCall;
import dev.pinion.core.invoker.ServiceResponse;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One request over HTTP and the messages that answer it: one in JSON, or several in a stream of
 * events. On the thread of the Invoker that makes it.
 */
public final class RpcPost implements ServiceCaller.StreamListener {
  private static final String EVENT_STREAM = "text/event-stream";
  private static final int UNAUTHORIZED = 401;

  private final HttpCall call;
  private final PayloadCodec codec;
  private final int maxMessages;
  private final RpcListener listener;
  private final EventStream events = new EventStream();
  private @Nullable OngoingCall ongoing;
  private @Nullable CallOutcome failure;
  private int messages;
  private boolean headSeen;
  private boolean over;

  /** Whether the connection shows a response and will close itself, if need be. */
  private boolean inside;

  /** Told what answers a request. */
  public interface RpcListener {
    /** Handles the head of an answer with a status of success. */
    void onHead(ServiceResponse answer);

    /** Handles a message; returns whether more are wanted. */
    boolean onMessage(Payload message);

    /** Handles the end of the answer, or of the interest in it. */
    void onEnd();

    /**
     * Offers an answer that refuses the authorization.
     *
     * @return whether it was taken: nothing else is told then
     */
    boolean onUnauthorized(ServiceResponse answer);

    /** Handles the lack of an answer, or one with another status. */
    void onFailure(CallOutcome failure);
  }

  /**
   * A request that has not begun.
   *
   * @param call the HTTP request
   * @param maxMessages most messages of its answer
   */
  public RpcPost(HttpCall call, PayloadCodec codec, int maxMessages, RpcListener listener) {
    this.call = call;
    this.codec = codec;
    this.maxMessages = maxMessages;
    this.listener = listener;
  }

  /** Sends the request. */
  public void begin(ServiceCaller services) {
    OngoingCall begun = services.call(call, this);
    ongoing = over ? null : begun;
  }

  /** Drops the request; nothing more is told. */
  public void cancel() {
    over = true;
    if (ongoing != null && !inside) {
      ongoing.cancel();
    }
    ongoing = null;
  }

  /** Description of what the request waits for. */
  public String waitsFor() {
    return ongoing == null ? "its start" : ongoing.waitsFor();
  }

  @Override
  public @Nullable MessageBody content() {
    return null;
  }

  @Override
  public boolean onPart(ServiceResponse soFar) {
    if (over || !isSuccess(soFar) || !isStream(soFar)) {
      return over;
    }
    inside = true;
    head(soFar);
    boolean wantsMore = !over && events.read(soFar.body(), false, this::onEvent);
    if (!wantsMore) {
      end();
    }
    inside = false;
    return over;
  }

  @Override
  public boolean onResponse(ServiceResponse answer) {
    if (over) {
      return true;
    }
    inside = true;
    boolean taken = isSuccess(answer) ? onSuccess(answer) : onRefused(answer);
    inside = false;
    return taken;
  }

  private boolean onSuccess(ServiceResponse answer) {
    head(answer);
    if (isStream(answer)) {
      boolean _ = events.read(answer.body(), true, this::onEvent);
    } else if (!over && answer.body().isReadable()) {
      onJson(answer.body());
    }
    end();
    return true;
  }

  /** An answer with another status: the caller makes the error, unless it can be renewed. */
  private boolean onRefused(ServiceResponse answer) {
    boolean taken = answer.status() == UNAUTHORIZED && listener.onUnauthorized(answer);
    over |= taken;
    return taken;
  }

  @Override
  public void onOutcome(CallOutcome outcome) {
    if (!over) {
      over = true;
      ongoing = null;
      listener.onFailure(outcome);
    }
  }

  private void head(ServiceResponse answer) {
    if (!headSeen) {
      headSeen = true;
      listener.onHead(answer);
    }
  }

  private void end() {
    if (over) {
      return;
    }
    over = true;
    ongoing = null;
    CallOutcome failed = failure;
    if (failed == null) {
      listener.onEnd();
    } else {
      listener.onFailure(failed);
    }
  }

  private void onJson(ByteBuf body) {
    byte[] bytes = ByteBufUtil.getBytes(body);
    boolean _ = onText(bytes);
  }

  private boolean onEvent(String data) {
    return over || data.isBlank() || onText(data.getBytes(StandardCharsets.UTF_8));
  }

  /** Handles a text of one message, or an array of some; returns whether more are wanted. */
  private boolean onText(byte[] text) {
    Payload value;
    try {
      value = codec.readBounded(text, 0, text.length);
    } catch (PayloadSyntaxException e) {
      boolean told = !call.showsSecret(new String(text, StandardCharsets.UTF_8));
      String why = told ? ": " + e.getMessage() : "";
      return fail("the answer to " + call.description() + " could not be read" + why);
    }
    if (!value.json().isArray()) {
      return onMessage(value);
    }
    for (int i = 0; i < value.json().size(); i++) {
      if (!onMessage(Payload.of(value.json().get(i)))) {
        return false;
      }
    }
    return true;
  }

  private boolean onMessage(Payload message) {
    if (++messages > maxMessages) {
      return fail(
          "expected at most "
              + maxMessages
              + " messages (protocol.maxMessages) from "
              + call.description()
              + ", found more");
    }
    return listener.onMessage(message) && !over;
  }

  private boolean fail(String detail) {
    failure = CallFailures.communication(detail);
    return false;
  }

  private static boolean isSuccess(ServiceResponse answer) {
    return answer.status() / 100 == 2;
  }

  private static boolean isStream(ServiceResponse answer) {
    String type = answer.headers().get(HttpHeaderNames.CONTENT_TYPE);
    return type != null && type.strip().toLowerCase(Locale.ROOT).startsWith(EVENT_STREAM);
  }
}
