package dev.pinion.core.model.call;

import dev.pinion.core.model.Payload;

/**
 * Emission of a CloudEvent into the namespace of its instance. Immutable.
 *
 * @param event the event in the JSON format of CloudEvents; without an id until it is named
 * @param isNamedByDefinition whether the definition gives its id
 */
public record EventEmission(Payload event, boolean isNamedByDefinition) implements CallRequest {
  private static final String ID = "id";

  @Override
  public Payload body() {
    return event;
  }

  @Override
  public EventEmission withBody(Payload other) {
    return new EventEmission(other, isNamedByDefinition);
  }

  /** A copy whose id is the key, unless the definition gives one. */
  @Override
  public EventEmission withIdempotencyKey(String key, int attempt) {
    return isNamedByDefinition ? this : withBody(event.withFirst(ID, Payload.of(key)));
  }

  @Override
  public boolean needsIdempotencyKey() {
    return !isNamedByDefinition;
  }

  @Override
  public String description() {
    return "emit " + event.text("type");
  }
}
