package dev.pinion.bootstrap.history.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.events.LifecycleEvents;
import dev.pinion.core.jq.ExpressionCompiler;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates requests from events, in the format of one subscription. Immutable. */
final class DeliveryRequests {
  private static final String STRUCTURED = "application/cloudevents+json; charset=utf-8";
  private static final List<String> ATTRIBUTES =
      List.of("specversion", "id", "source", "type", "subject", "time", "sequence");

  private final Subscription subscription;
  private final PayloadCodec codec;
  private final long maxSteps;
  private final @Nullable Expression<Payload> transform;

  DeliveryRequests(Subscription subscription, EngineLimits limits, PayloadCodec codec) {
    this.subscription = subscription;
    this.codec = codec;
    this.maxSteps = limits.expression().maxSteps();
    String source = subscription.transform();
    this.transform =
        source == null
            ? null
            : new ExpressionCompiler(limits).compile(source, Set.of(), problem -> {});
  }

  /** An event that cannot be converted for a subscriber. */
  static final class InapplicableEventException extends Exception {
    private static final long serialVersionUID = 1;

    InapplicableEventException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The events for the subscriber that an event of the outbox makes, in order. */
  List<Payload> events(OutboxEvent outbox) {
    Payload event = read(outbox.text());
    EventSelection selection = subscription.selection();
    List<Payload> events = new ArrayList<>();
    if (selection.kinds().contains(outbox.kind())) {
      events.add(event);
    }
    if (!outbox.isOfSchedule() && LifecycleEvents.areMadeOf(outbox.kind(), selection.lifecycle())) {
      events.addAll(LifecycleEvents.of(outbox.entry(event), selection.lifecycle()));
    }
    return events;
  }

  /**
   * The request with an event.
   *
   * @throws InapplicableEventException when the transformation fails
   */
  HttpRequest.Builder request(Payload event) throws InapplicableEventException {
    Payload data = data(event);
    return switch (subscription.mode()) {
      case STRUCTURED -> structured(event, data);
      case BINARY -> binary(event, data);
    };
  }

  private Payload read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      return codec.read(bytes, 0, bytes.length);
    } catch (PayloadSyntaxException e) {
      throw new IllegalStateException("expected JSON in the outbox, found other text", e);
    }
  }

  private Payload data(Payload event) throws InapplicableEventException {
    Expression<Payload> made = transform;
    if (made == null) {
      return Payload.of(event.json().path("data"));
    }
    try {
      return made.evaluate(event, Scope.EMPTY, new Budget(maxSteps));
    } catch (RuntimeException e) {
      throw new InapplicableEventException("the transformation failed: " + e.getMessage(), e);
    }
  }

  private HttpRequest.Builder structured(Payload event, Payload data) {
    ObjectNode whole = JsonNodeFactory.instance.objectNode();
    whole.setAll((ObjectNode) event.json());
    whole.put("datacontenttype", subscription.mediaType());
    whole.set("data", data.json());
    return HttpRequest.newBuilder(subscription.sink())
        .header("Content-Type", STRUCTURED)
        .POST(BodyPublishers.ofByteArray(codec.toExactBytes(Payload.of(whole))));
  }

  private HttpRequest.Builder binary(Payload event, Payload data) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(subscription.sink())
            .header("Content-Type", subscription.mediaType())
            .POST(BodyPublishers.ofByteArray(bytes(data)));
    for (String attribute : ATTRIBUTES) {
      String value = event.text(attribute);
      if (value != null) {
        request.header("ce-" + attribute, value);
      }
    }
    return request;
  }

  /** A text is sent as it is, unless the media type is JSON. */
  private byte[] bytes(Payload data) {
    JsonNode json = data.json();
    String type = subscription.mediaType();
    boolean wantsJson = type.startsWith("application/json") || type.contains("+json");
    return json.isTextual() && !wantsJson
        ? json.textValue().getBytes(StandardCharsets.UTF_8)
        : codec.toExactBytes(data);
  }
}
