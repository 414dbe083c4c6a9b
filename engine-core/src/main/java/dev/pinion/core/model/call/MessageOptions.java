package dev.pinion.core.model.call;

import org.jspecify.annotations.Nullable;

/**
 * What the bindings of an AsyncAPI document say of a channel.
 *
 * @param method HTTP: the request method
 * @param queue NATS: the group of subscribers that share the messages; AMQP: the queue; or null
 * @param exchange AMQP: the exchange, or null for the default one
 * @param qos MQTT: quality of service, 0 to 2
 * @param retain MQTT: whether the server keeps the message for later subscribers
 * @param mandatory AMQP: whether a message that reaches no queue is an error
 */
public record MessageOptions(
    String method,
    @Nullable String queue,
    @Nullable String exchange,
    int qos,
    boolean retain,
    boolean mandatory) {
  /** Quality of service of MQTT at which nothing is lost. */
  public static final int AT_LEAST_ONCE = 1;

  /** A document without bindings. */
  public static final MessageOptions DEFAULT =
      new MessageOptions("POST", null, null, AT_LEAST_ONCE, false, false);
}
