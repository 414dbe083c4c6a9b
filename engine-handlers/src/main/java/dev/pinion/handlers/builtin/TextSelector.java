package dev.pinion.handlers.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.View;
import org.jspecify.annotations.Nullable;

/**
 * Place of a text in a message: a property ({@code property:header.if-match}) or a part of the body
 * ({@code body:/name}) that is a text or a whole number.
 */
public record TextSelector(Slot slot) {
  /** The place in a setting, or null when it is not set. */
  public static @Nullable TextSelector of(Settings settings, String name) {
    if (!settings.has(name)) {
      return null;
    }
    String text = settings.text(name);
    try {
      Slot slot = Slot.parse(text);
      boolean one =
          switch (slot) {
            case Slot.Property property -> !property.prefix();
            case Slot.Json json -> !json.path().isEmpty();
            case Slot.Bytes _ -> false;
          };
      if (one) {
        return new TextSelector(slot);
      }
    } catch (IllegalArgumentException e) {
      // reported below
    }
    settings.problem(
        name,
        "expected one property or a part of the body, such as property:header.if-match or"
            + " body:/name, found \""
            + text
            + "\"");
    return null;
  }

  /** The text at this place, or null when there is none. */
  public @Nullable String read(View message) throws PayloadSyntaxException {
    return switch (slot) {
      case Slot.Property property -> message.property(property.name());
      case Slot.Json json -> text(message.json(json.pointer()));
      case Slot.Bytes _ -> null;
    };
  }

  private static @Nullable String text(@Nullable Payload value) {
    JsonNode json = value == null ? null : value.json();
    return json != null && (json.isTextual() || json.isIntegralNumber()) ? json.asText() : null;
  }
}
