package dev.pinion.core.invoker;

import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PayloadCodec;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.spi.Around;
import dev.pinion.core.spi.Content;
import dev.pinion.core.spi.Decision;
import dev.pinion.core.spi.Once;
import dev.pinion.core.spi.Passage;
import dev.pinion.core.spi.Subject;
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

/**
 * Passes calls and their responses through handlers, and back to the event loop of an {@link
 * Invoker}. Decisions that come when that loop has ended are dropped: its calls have been reported
 * then.
 */
final class CallHandlers {
  private static final String CONTENT_TYPE = "content-type";
  private static final int STATUS_OVERLOADED = 503;

  private final Around around;
  private final Executor loop;
  private final PayloadCodec codec;
  private final Outcomes outcomes;

  /**
   * Handlers around the calls of an Invoker.
   *
   * @param loop runs tasks on its event loop
   */
  CallHandlers(Around around, Executor loop, PayloadCodec codec) {
    this.around = around;
    this.loop = loop;
    this.codec = codec;
    this.outcomes = new Outcomes(codec);
  }

  /** Wraps a caller so that its calls pass handlers. */
  ServiceCaller around(ServiceCaller caller, Subject about) {
    return (call, listener) -> {
      HandledCall handled = new HandledCall(this, caller, about, call, listener);
      handled.begin();
      return handled;
    };
  }

  /** Whether there are handlers for the calls of a definition's processes now. */
  boolean stand(DefinitionKey definition) {
    return around.handles(Around.Point.BEFORE_CALL, definition)
        || around.handles(Around.Point.AFTER_CALL, definition);
  }

  /** Whether a call has to pass handlers before it is sent. */
  boolean before(Subject about) {
    return around.handles(Around.Point.BEFORE_CALL, about.definition());
  }

  /** Whether the response to a call has to pass handlers. */
  boolean after(Subject about) {
    return around.handles(Around.Point.AFTER_CALL, about.definition());
  }

  /** Passes a message to the handlers; receives the decision once, on the event loop. */
  void pass(Passage message, Consumer<Decision> then) {
    around.handle(
        message,
        new Once(
            decision -> {
              try {
                loop.execute(() -> then.accept(decision));
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
  Passage leaving(UUID id, Subject about, HttpCall call) {
    SortedMap<String, String> fields = new TreeMap<>();
    for (HttpCall.Header field : call.headers()) {
      merge(fields, field.name(), field.value());
    }
    String type = fields.remove(CONTENT_TYPE);
    Payload body = call.body();
    String sent = type == null ? body == null ? "" : Texts.JSON : type;
    return new Passage(
        id,
        Around.Point.BEFORE_CALL,
        about,
        call.method(),
        call.uri(),
        "",
        0,
        fields,
        Content.of(body == null ? new byte[0] : RequestEncoder.bytes(body, type, codec), sent));
  }

  /** The call that handlers have changed; its body is the content of the message. */
  static HttpCall changed(HttpCall call, Passage message) {
    List<HttpCall.Header> headers = new ArrayList<>();
    message.fields().forEach((name, value) -> headers.add(new HttpCall.Header(name, value)));
    String type = message.content().mediaType();
    if (!type.isEmpty()) {
      headers.add(new HttpCall.Header(CONTENT_TYPE, type));
    }
    return new HttpCall(
        call.method(),
        message.target(),
        headers,
        call.body(),
        call.output(),
        call.acceptRedirects());
  }

  /**
   * A response as a message for handlers.
   *
   * @param id id of the call and its response
   */
  static Passage arrived(UUID id, Subject about, HttpCall call, ServiceAnswer answer) {
    SortedMap<String, String> fields = new TreeMap<>();
    for (Map.Entry<String, String> field : answer.headers()) {
      merge(fields, field.getKey(), field.getValue());
    }
    fields.remove("content-length");
    fields.remove("transfer-encoding");
    String type = fields.remove(CONTENT_TYPE);
    return new Passage(
        id,
        Around.Point.AFTER_CALL,
        about,
        call.method(),
        call.uri(),
        "",
        answer.status(),
        fields,
        Content.of(ByteBufUtil.getBytes(answer.body()), type == null ? "" : type));
  }

  private static void merge(SortedMap<String, String> fields, String name, String value) {
    fields.merge(name.toLowerCase(Locale.ROOT), value, (before, more) -> before + ", " + more);
  }

  /** The outcome of a call whose response comes from handlers. */
  CallOutcome outcome(HttpCall call, Passage answer) {
    int status = answer.status();
    if (status < 200 || status > 599) {
      return Failures.of(
          ErrorType.RUNTIME, "expected a status from 200 to 599 from handlers, found " + status);
    }
    try {
      return outcomes.of(call, new Left(status, headers(answer), body(answer)));
    } catch (IllegalArgumentException e) {
      return Failures.of(
          ErrorType.RUNTIME, "expected header fields from handlers, found: " + e.getMessage());
    }
  }

  private static HttpHeaders headers(Passage answer) {
    HttpHeaders headers = new DefaultHttpHeaders();
    answer.fields().forEach(headers::set);
    String type = answer.content().mediaType();
    if (!type.isEmpty()) {
      headers.set(HttpHeaderNames.CONTENT_TYPE, type);
    }
    return headers;
  }

  private static ByteBuf body(Passage answer) {
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
  private record Left(int status, HttpHeaders headers, ByteBuf body) implements ServiceAnswer {
    @Override
    public String reason() {
      return HttpResponseStatus.valueOf(status).reasonPhrase();
    }
  }
}
