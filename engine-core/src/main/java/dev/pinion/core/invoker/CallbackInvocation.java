package dev.pinion.core.invoker;

import dev.pinion.core.interception.MessageBody;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.CallbackAddresses;
import dev.pinion.core.model.call.CallbackResponse;
import dev.pinion.core.model.call.HttpCall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The call of a service that may answer later: its request contains the address for that, and a
 * response with status 202 is not the end.
 *
 * <pre>
 *   begun ──▶ asked ──202──▶ waiting ──late answer──▶ as if the service had answered so
 *               │  └──────────────────late answer─────────────────▲
 *               └── another answer, no answer ──▶ as any call
 * </pre>
 *
 * <p>While it waits it has no connection. Handlers around the call do not see the 202, only the
 * final response, however it came. On the thread of the Invoker's event loop.
 */
final class CallbackInvocation
    implements ServiceCaller.OngoingCall, ServiceCaller.InterceptedListener {
  private static final int ACCEPTED = 202;

  private final ServiceCaller caller;
  private final CallOutcomes callOutcomes;
  private final HttpCall call;
  private final String service;
  private final ServiceCaller.CallListener callListener;
  private ServiceCaller.@Nullable OngoingCall ongoing;
  private boolean waiting;
  private boolean over;

  /**
   * A call that has not begun.
   *
   * @param caller caller that makes it
   * @param callOutcomes evaluation of a late answer
   * @param service the id of the concrete service, for messages
   * @param callListener receives the outcome once; never after {@link #cancel}
   */
  CallbackInvocation(
      ServiceCaller caller,
      CallOutcomes callOutcomes,
      HttpCall call,
      String service,
      ServiceCaller.CallListener callListener) {
    this.caller = caller;
    this.callOutcomes = callOutcomes;
    this.call = call;
    this.service = service;
    this.callListener = callListener;
  }

  /**
   * Sends the request to the service.
   *
   * @param address address for a late answer; null when the engine has none, which fails the call
   */
  void begin(@Nullable String address) {
    if (address == null) {
      onOutcome(
          CallFailures.of(
              ErrorType.CONFIGURATION,
              "expected an engine with a data folder to call \""
                  + service
                  + "\", which may answer later, found none"));
      return;
    }
    List<HttpCall.HeaderField> fields = new ArrayList<>(call.headers());
    fields.removeIf(field -> field.name().equalsIgnoreCase(CallbackAddresses.FIELD));
    fields.add(new HttpCall.HeaderField(CallbackAddresses.FIELD, address));
    ServiceCaller.OngoingCall begun = caller.call(call.withHeaders(fields), this);
    ongoing = over || waiting ? null : begun;
  }

  /** Whether no response is awaited any more. */
  boolean isOver() {
    return over;
  }

  /** Handles the late answer of the service. Not when the call is over. */
  void onCallback(CallbackResponse late) {
    stop();
    ServiceResponse answer = new CallbackServiceResponse(late);
    if (!(callListener instanceof ServiceCaller.InterceptedListener interceptedListener)
        || !interceptedListener.onResponse(answer)) {
      callListener.onOutcome(callOutcomes.of(call, answer));
    }
  }

  @Override
  public @Nullable MessageBody content() {
    return callListener instanceof ServiceCaller.InterceptedListener interceptedListener
        ? interceptedListener.content()
        : null;
  }

  @Override
  public boolean onResponse(ServiceResponse answer) {
    if (answer.status() == ACCEPTED) {
      waiting = true;
      ongoing = null; // its connection is free for other calls
      return true;
    }
    if (callListener instanceof ServiceCaller.InterceptedListener interceptedListener
        && interceptedListener.onResponse(answer)) {
      over = true;
      ongoing = null;
      return true;
    }
    return false;
  }

  @Override
  public void onOutcome(CallOutcome outcome) {
    if (!over) {
      over = true;
      ongoing = null;
      callListener.onOutcome(outcome);
    }
  }

  @Override
  public void onWork(int since) {
    callListener.onWork(since);
  }

  @Override
  public void cancel() {
    if (!over) {
      stop();
    }
  }

  private void stop() {
    over = true;
    ServiceCaller.OngoingCall asked = ongoing;
    ongoing = null;
    if (asked != null) {
      asked.cancel();
    }
  }

  @Override
  public boolean wasDelayedLocally() {
    return !waiting && ongoing != null && ongoing.wasDelayedLocally();
  }

  @Override
  public String waitsFor() {
    if (waiting) {
      return "the answer that \"" + service + "\" has announced";
    }
    return ongoing == null ? "its start" : ongoing.waitsFor();
  }

  /** A late answer in the form of a response on a connection. */
  private record CallbackServiceResponse(int status, HttpHeaders headers, ByteBuf body)
      implements ServiceResponse {
    CallbackServiceResponse(CallbackResponse late) {
      this(late.status(), fields(late), Unpooled.wrappedBuffer(late.bytes()));
    }

    private static HttpHeaders fields(CallbackResponse late) {
      HttpHeaders fields = new DefaultHttpHeaders();
      if (!late.mediaType().isEmpty()) {
        fields.set(HttpHeaderNames.CONTENT_TYPE, late.mediaType());
      }
      return fields;
    }

    @Override
    public String reason() {
      return HttpResponseStatus.valueOf(status).reasonPhrase();
    }
  }
}
