package dev.pinion.core.invoker;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.interception.HttpMessage;
import dev.pinion.core.interception.InterceptionPoint;
import dev.pinion.core.interception.InterceptionVerdict;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.interception.MessageBody;
import dev.pinion.core.interception.MessageContext;
import dev.pinion.core.interception.OneShotContinuation;
import dev.pinion.core.invoker.content.EncodedBody;
import dev.pinion.core.invoker.content.MediaType;
import dev.pinion.core.invoker.content.RequestBodyFormat;
import dev.pinion.core.limits.InvokerLimits;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes calls and their responses through handlers, and back to the event loop of an {@link
 * Invoker}. Decisions that come when that loop has ended are dropped: its calls have been reported
 * then.
 */
final class CallInterception {
  private static final String CONTENT_TYPE = "content-type";
  private static final int STATUS_OVERLOADED = 503;

  private final Interceptor interceptor;
  private final Executor loop;
  private final PayloadCodec codec;
  private final RequestBodyFormat formats;
  private final CallOutcomes callOutcomes;

  /**
   * Handlers around the calls of an Invoker.
   *
   * @param loop runs tasks on its event loop
   * @param limits bounds of bodies
   */
  CallInterception(
      Interceptor interceptor, Executor loop, PayloadCodec codec, InvokerLimits limits) {
    this.interceptor = interceptor;
    this.loop = loop;
    this.codec = codec;
    this.formats = new RequestBodyFormat(codec, limits);
    this.callOutcomes = new CallOutcomes(codec, limits);
  }

  /** Reason why the body of a call cannot be sent, or null when it can. */
  @Nullable String problem(HttpCall call) {
    return formats.problem(call);
  }

  /** Whether there are handlers for the calls of a definition's processes now. */
  boolean applies(DefinitionKey definition) {
    return interceptor.handles(InterceptionPoint.BEFORE_CALL, definition)
        || interceptor.handles(InterceptionPoint.AFTER_CALL, definition);
  }

  /** Whether a call has to pass handlers before it is sent. */
  boolean interceptsRequest(MessageContext about) {
    return interceptor.handles(InterceptionPoint.BEFORE_CALL, about.definition());
  }

  /** Whether the response to a call has to pass handlers. */
  boolean interceptsResponse(MessageContext about) {
    return interceptor.handles(InterceptionPoint.AFTER_CALL, about.definition());
  }

  /** Passes a message to the handlers; receives the decision once, on the event loop. */
  void intercept(HttpMessage message, Consumer<InterceptionVerdict> then) {
    interceptor.handle(
        message,
        new OneShotContinuation(
            interceptionVerdict -> {
              try {
                loop.execute(() -> then.accept(interceptionVerdict));
              } catch (RejectedExecutionException e) {
                // the engine has stopped
              }
            }));
  }

  /**
   * A call as a message for handlers.
   *
   * @param id id of the call and its response
   */
  HttpMessage outbound(UUID id, MessageContext about, HttpCall call) {
    SortedMap<String, String> fields = new TreeMap<>();
    for (HttpCall.HeaderField field : call.headers()) {
      merge(fields, field.name(), field.value());
    }
    MessageBody body = body(call.body(), fields.remove(CONTENT_TYPE));
    return new HttpMessage(
        id, InterceptionPoint.BEFORE_CALL, about, call.method(), call.uri(), "", 0, fields, body);
  }

  private MessageBody body(@Nullable Payload body, @Nullable String type) {
    if (body == null) {
      return MessageBody.of(new byte[0], type == null ? "" : type);
    }
    EncodedBody encoded = formats.encode(body, type);
    return encoded == null
        ? MessageBody.of(codec.toBytes(body), type == null ? MediaType.JSON : type)
        : MessageBody.of(encoded.bytes(), encoded.contentType());
  }

  /** The call that handlers have changed; its body is the content of the message. */
  static HttpCall toCall(HttpCall call, HttpMessage message) {
    List<HttpCall.HeaderField> headers = new ArrayList<>();
    message.fields().forEach((name, value) -> headers.add(new HttpCall.HeaderField(name, value)));
    String type = message.content().mediaType();
    if (!type.isEmpty()) {
      headers.add(new HttpCall.HeaderField(CONTENT_TYPE, type));
    }
    return call.at(message.target(), headers);
  }

  /**
   * A response as a message for handlers.
   *
   * @param id id of the call and its response
   */
  static HttpMessage inbound(UUID id, MessageContext about, HttpCall call, ServiceResponse answer) {
    SortedMap<String, String> fields = new TreeMap<>();
    for (Map.Entry<String, String> field : answer.headers()) {
      merge(fields, field.getKey(), field.getValue());
    }
    fields.remove("content-length");
    fields.remove("transfer-encoding");
    String type = fields.remove(CONTENT_TYPE);
    return new HttpMessage(
        id,
        InterceptionPoint.AFTER_CALL,
        about,
        call.method(),
        call.uri(),
        "",
        answer.status(),
        fields,
        MessageBody.of(ByteBufUtil.getBytes(answer.body()), type == null ? "" : type));
  }

  private static void merge(SortedMap<String, String> fields, String name, String value) {
    fields.merge(name.toLowerCase(Locale.ROOT), value, (before, more) -> before + ", " + more);
  }

  /** The outcome of a call whose response comes from handlers. */
  CallOutcome outcome(HttpCall call, HttpMessage answer) {
    int status = answer.status();
    if (status < 200 || status > 599) {
      return CallFailures.of(
          ErrorType.RUNTIME, "expected a status from 200 to 599 from handlers, found " + status);
    }
    try {
      return callOutcomes.of(call, new InterceptedResponse(status, headers(answer), body(answer)));
    } catch (IllegalArgumentException e) {
      return CallFailures.of(
          ErrorType.RUNTIME, "expected header fields from handlers, found: " + e.getMessage());
    }
  }

  private static HttpHeaders headers(HttpMessage answer) {
    HttpHeaders headers = new DefaultHttpHeaders();
    answer.fields().forEach(headers::set);
    String type = answer.content().mediaType();
    if (!type.isEmpty()) {
      headers.set(HttpHeaderNames.CONTENT_TYPE, type);
    }
    return headers;
  }

  private static ByteBuf body(HttpMessage answer) {
    return Unpooled.wrappedBuffer(answer.content().bytes());
  }

  /** The outcome of a call that handlers have refused. */
  static CallOutcome refused(WorkflowError problem) {
    return new CallOutcome.Failed(problem);
  }

  /** The outcome of a call that handlers have no room for. */
  static CallOutcome overloaded(String limit) {
    WorkflowError error =
        WorkflowError.of(
            ErrorType.COMMUNICATION, "the limit " + limit + " of handlers around calls is reached");
    return new CallOutcome.Failed(
        new WorkflowError(
            error.type(), STATUS_OVERLOADED, error.title(), error.detail(), error.instance()));
  }

  /** A response that comes from handlers. */
  private record InterceptedResponse(int status, HttpHeaders headers, ByteBuf body)
      implements ServiceResponse {
    @Override
    public String reason() {
      return HttpResponseStatus.valueOf(status).reasonPhrase();
    }
  }
}
