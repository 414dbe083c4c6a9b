package dev.pinion.core.model.call;

/** Protocols of messages that the engine speaks. */
public enum MessageProtocol {
  /** HTTP: a request for each message, one long response for a subscription. */
  HTTP("http"),
  /** WebSocket: each frame is a message. */
  WS("ws"),
  /** NATS, without streams. */
  NATS("nats"),
  /** MQTT 3.1.1. */
  MQTT("mqtt"),
  /** MQTT 5. */
  MQTT5("mqtt5"),
  /** AMQP 0-9-1. */
  AMQP("amqp");

  private final String word;

  MessageProtocol(String word) {
    this.word = word;
  }

  /** Its name in AsyncAPI documents. */
  public String word() {
    return word;
  }

  /** Whether the address of a channel is a path of a URI. */
  public boolean hasPaths() {
    return this == HTTP || this == WS;
  }

  /** Whether its messages have headers. */
  public boolean hasHeaders() {
    return this != MQTT && this != WS;
  }
}
