package dev.pinion.handlers;

import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.PayloadCodec;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.spi.Around;
import dev.pinion.core.spi.Content;
import dev.pinion.core.spi.Decision;
import dev.pinion.core.spi.Passage;
import dev.pinion.core.spi.Subject;
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
final class Passages {
  private static final Logger LOG = LoggerFactory.getLogger(Passages.class);
  private static final String HEADER = "header.";
  private static final String METHOD = "http.method";
  private static final String PATH = "http.path";
  private static final String STATUS = "http.status";

  /** The sender of a message, as determined by a handler; clients cannot set it. */
  private static final String CALLER = "auth.subject";

  private static final String CLIENT = "client.address";

  private final PayloadCodec codec;

  Passages(PayloadCodec codec) {
    this.codec = codec;
  }

  /** A message of the engine in the form for handlers. */
  Message message(Passage passage) {
    SortedMap<String, String> properties = new TreeMap<>();
    passage.fields().forEach((name, value) -> properties.put(HEADER + name, value));
    properties.put(METHOD, passage.method());
    properties.put(PATH, passage.target());
    if (passage.status() > 0) {
      properties.put(STATUS, Integer.toString(passage.status()));
    }
    if (!passage.client().isEmpty()) {
      properties.put(CLIENT, passage.client());
    }
    Subject about = passage.about();
    if (about.definition() != null) {
      properties.put(Attachment.DEFINITION, about.definition().toString());
    }
    if (about.service() != null) {
      properties.put(Attachment.SERVICE, about.service());
    }
    if (about.serviceClass() != null) {
      properties.put(Attachment.SERVICE_CLASS, about.serviceClass());
    }
    Content content = passage.content();
    Body body = Body.of(content.bytes(), content.mediaType());
    UUID id = passage.id();
    return new Message(
        new MessageId(id.getMostSignificantBits(), id.getLeastSignificantBits()),
        point(passage.point()),
        properties,
        body);
  }

  /** The handlers' point for one of the engine. */
  static Point point(Around.Point point) {
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
      case REQUEST_IN -> Around.Point.REQUEST_IN.label();
      case BEFORE_CALL -> Around.Point.BEFORE_CALL.label();
      case AFTER_CALL -> Around.Point.AFTER_CALL.label();
      case RESPONSE_OUT -> Around.Point.RESPONSE_OUT.label();
    };
  }

  /**
   * The decision for the engine.
   *
   * @param passage the message as it arrived
   * @param entered the same in the form for handlers
   */
  Decision decision(Passage passage, Message entered, Outcome outcome) {
    try {
      return switch (outcome) {
        case Outcome.Proceed(Message message) when message.equals(entered) ->
            new Decision.Proceed(passage);
        case Outcome.Proceed(Message message) -> new Decision.Proceed(changed(passage, message));
        case Outcome.Answered(var answer) ->
            new Decision.Answered(
                passage.with(answer.status(), answer.headers(), content(answer.body())));
        case Outcome.Refused(String _, WorkflowError problem) -> new Decision.Refused(problem);
        case Outcome.Overloaded(String limit, int seconds) ->
            new Decision.Overloaded(limit, seconds);
      };
    } catch (RuntimeException e) { // the engine waits for a decision
      LOG.error("the outcome of a chain could not be reported", e);
      return new Decision.Refused(
          WorkflowError.of(ErrorType.RUNTIME, "the outcome of the handlers could not be used"));
    }
  }

  private Passage changed(Passage passage, Message message) {
    SortedMap<String, String> fields = new TreeMap<>();
    SortedMap<String, String> properties = message.properties();
    for (Map.Entry<String, String> each : properties.tailMap(HEADER).entrySet()) {
      if (each.getKey().startsWith(HEADER)) {
        fields.put(each.getKey().substring(HEADER.length()), each.getValue());
      }
    }
    Passage changed =
        passage
            .with(status(passage, properties.get(STATUS)), fields, content(message.body()))
            .to(properties.getOrDefault(PATH, passage.target()));
    String caller = properties.get(CALLER);
    return caller == null || caller.isEmpty() ? changed : changed.by(caller);
  }

  /** An invalid status becomes 0, which the engine refuses to send. */
  private static int status(Passage passage, @Nullable String text) {
    if (passage.status() == 0) {
      return 0;
    }
    return text != null && text.matches("[0-9]{3}") ? Integer.parseInt(text) : 0;
  }

  private Content content(Body body) {
    return Content.of(body.bytes(codec), body.mediaType());
  }
}
