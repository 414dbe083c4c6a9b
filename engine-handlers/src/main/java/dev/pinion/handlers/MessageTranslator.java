package dev.pinion.handlers;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.interception.HttpMessage;
import dev.pinion.core.interception.InterceptionPoint;
import dev.pinion.core.interception.InterceptionVerdict;
import dev.pinion.core.interception.MessageBody;
import dev.pinion.core.interception.MessageContext;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.config.Attachment;
import dev.pinion.handlers.run.Outcome;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts messages of the engine to those of handlers, and outcomes back. Any thread. */
final class MessageTranslator {
  private static final Logger LOG = LoggerFactory.getLogger(MessageTranslator.class);
  private static final String HEADER = "header.";
  private static final String METHOD = "http.method";
  private static final String PATH = "http.path";
  private static final String STATUS = "http.status";

  /** The sender of a message, as determined by a handler; clients cannot set it. */
  private static final String CALLER = "auth.subject";

  private static final String CLIENT = "client.address";

  private final PayloadCodec codec;

  MessageTranslator(PayloadCodec codec) {
    this.codec = codec;
  }

  /** A message of the engine in the form for handlers. */
  Message message(HttpMessage httpMessage) {
    SortedMap<String, String> properties = new TreeMap<>();
    httpMessage.fields().forEach((name, value) -> properties.put(HEADER + name, value));
    properties.put(METHOD, httpMessage.method());
    properties.put(PATH, httpMessage.target());
    if (httpMessage.status() > 0) {
      properties.put(STATUS, Integer.toString(httpMessage.status()));
    }
    if (!httpMessage.client().isEmpty()) {
      properties.put(CLIENT, httpMessage.client());
    }
    MessageContext about = httpMessage.context();
    if (about.definition() != null) {
      properties.put(Attachment.DEFINITION, about.definition().toString());
    }
    if (about.service() != null) {
      properties.put(Attachment.SERVICE, about.service());
    }
    if (about.serviceClass() != null) {
      properties.put(Attachment.SERVICE_CLASS, about.serviceClass());
    }
    MessageBody messageBody = httpMessage.content();
    Body body = Body.of(messageBody.bytes(), messageBody.mediaType());
    UUID id = httpMessage.id();
    return new Message(
        new MessageId(id.getMostSignificantBits(), id.getLeastSignificantBits()),
        point(httpMessage.point()),
        properties,
        body);
  }

  /** The handlers' point for one of the engine. */
  static Point point(InterceptionPoint point) {
    return switch (point) {
      case REQUEST_IN -> Point.REQUEST_IN;
      case BEFORE_CALL -> Point.BEFORE_CALL;
      case AFTER_CALL -> Point.AFTER_CALL;
      case RESPONSE_OUT -> Point.RESPONSE_OUT;
    };
  }

  /** The engine's name for a point of handlers. */
  static String label(Point point) {
    return switch (point) {
      case REQUEST_IN -> InterceptionPoint.REQUEST_IN.label();
      case BEFORE_CALL -> InterceptionPoint.BEFORE_CALL.label();
      case AFTER_CALL -> InterceptionPoint.AFTER_CALL.label();
      case RESPONSE_OUT -> InterceptionPoint.RESPONSE_OUT.label();
    };
  }

  /**
   * The decision for the engine.
   *
   * @param httpMessage the message as it arrived
   * @param entered the same in the form for handlers
   */
  InterceptionVerdict decision(HttpMessage httpMessage, Message entered, Outcome outcome) {
    try {
      return switch (outcome) {
        case Outcome.Proceed(Message message) when message.equals(entered) ->
            new InterceptionVerdict.Proceed(httpMessage);
        case Outcome.Proceed(Message message) ->
            new InterceptionVerdict.Proceed(changed(httpMessage, message));
        case Outcome.Answered(var answer) ->
            new InterceptionVerdict.Respond(
                httpMessage.with(answer.status(), answer.headers(), content(answer.body())));
        case Outcome.Refused(String _, WorkflowError problem) ->
            new InterceptionVerdict.Reject(problem);
        case Outcome.Overloaded(String limit, int seconds) ->
            new InterceptionVerdict.Overloaded(limit, seconds);
      };
    } catch (RuntimeException e) { // the engine waits for a decision
      LOG.error("the outcome of a chain could not be reported", e);
      return new InterceptionVerdict.Reject(
          WorkflowError.of(ErrorType.RUNTIME, "the outcome of the handlers could not be used"));
    }
  }

  private HttpMessage changed(HttpMessage httpMessage, Message message) {
    SortedMap<String, String> fields = new TreeMap<>();
    SortedMap<String, String> properties = message.properties();
    for (Map.Entry<String, String> each : properties.tailMap(HEADER).entrySet()) {
      if (each.getKey().startsWith(HEADER)) {
        fields.put(each.getKey().substring(HEADER.length()), each.getValue());
      }
    }
    HttpMessage changed =
        httpMessage
            .with(status(httpMessage, properties.get(STATUS)), fields, content(message.body()))
            .withTarget(properties.getOrDefault(PATH, httpMessage.target()));
    String caller = properties.get(CALLER);
    return caller == null || caller.isEmpty() ? changed : changed.withCaller(caller);
  }

  /** An invalid status becomes 0, which the engine refuses to send. */
  private static int status(HttpMessage httpMessage, @Nullable String text) {
    if (httpMessage.status() == 0) {
      return 0;
    }
    return text != null && text.matches("[0-9]{3}") ? Integer.parseInt(text) : 0;
  }

  private MessageBody content(Body body) {
    return MessageBody.of(body.bytes(codec), body.mediaType());
  }
}
