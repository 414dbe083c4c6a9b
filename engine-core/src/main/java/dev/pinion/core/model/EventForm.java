package dev.pinion.core.model;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Part of a CloudEvent that a listener reads. */
public enum EventForm {
  /** Its data: JSON as its value, text as a string, anything else in base 64; null without data. */
  DATA,
  /** The event as a JSON object: its attributes, and its data. */
  ENVELOPE,
  /** The bytes of its data in base 64; null without data. */
  RAW;

  private static final String DATA_MEMBER = "data";
  private static final String BINARY_MEMBER = "data_base64";
  private static final String JSON = "json";

  /** That part of an event in the JSON format of CloudEvents. */
  public Payload of(Payload event) {
    Payload data = event.member(DATA_MEMBER);
    Payload binary = event.member(BINARY_MEMBER);
    return switch (this) {
      case ENVELOPE -> event;
      case DATA -> data == null ? orNull(binary) : data;
      case RAW -> data == null || data.isNull() ? orNull(binary) : raw(event, data);
    };
  }

  private static Payload orNull(@Nullable Payload value) {
    return value == null ? Payload.NULL : value;
  }

  private static Payload raw(Payload event, Payload data) {
    String text = data.text();
    String sent = text == null || isJson(event) ? data.toString() : text;
    return Payload.of(Base64.getEncoder().encodeToString(sent.getBytes(StandardCharsets.UTF_8)));
  }

  private static boolean isJson(Payload event) {
    String type = event.text("datacontenttype");
    return type == null || type.contains(JSON);
  }
}
