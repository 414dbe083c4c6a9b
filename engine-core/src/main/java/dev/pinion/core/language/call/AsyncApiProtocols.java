package dev.pinion.core.language.call;

import dev.pinion.core.model.call.MessageProtocol;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The protocols that servers of AsyncAPI documents have. */
final class AsyncApiProtocols {
  /** What the argument {@code protocol} of a call may be (DSL reference, "AsyncAPI Call"). */
  static final List<String> OF_CALLS =
      List.of(
          "amqp",
          "amqp1",
          "anypointmq",
          "googlepubsub",
          "http",
          "ibmmq",
          "jms",
          "kafka",
          "mercure",
          "mqtt",
          "mqtt5",
          "nats",
          "pulsar",
          "redis",
          "sns",
          "solace",
          "sqs",
          "stomp",
          "ws");

  /** The words that this engine speaks, for messages. */
  static final String SPOKEN = "http, ws, nats, mqtt, mqtt5, amqp";

  /** Words with TLS, by the word without it. */
  private static final Map<String, String> SECURE =
      Map.of(
          "https", "http",
          "wss", "ws",
          "mqtts", "mqtt",
          "secure-mqtt", "mqtt",
          "amqps", "amqp");

  private static final String MQTT = "mqtt";
  private static final String FIFTH = "5";

  private AsyncApiProtocols() {}

  /** The word without TLS for one with it; any other word as it is. */
  static String plain(String word) {
    return SECURE.getOrDefault(word, word);
  }

  static boolean isSecure(String word) {
    return SECURE.containsKey(word);
  }

  /** Whether a server's protocol is the one that a call asks for, with TLS or without. */
  static boolean fits(String ofServer, @Nullable String version, String ofCall) {
    MessageProtocol found = of(ofServer, version);
    return plain(ofServer).equals(ofCall) || (found != null && found.word().equals(ofCall));
  }

  /**
   * The protocol of a word; null for one that this engine does not speak.
   *
   * @param version version of the protocol, or null
   */
  static @Nullable MessageProtocol of(String word, @Nullable String version) {
    String plain = plain(word);
    boolean fifth = version != null && version.startsWith(FIFTH);
    for (MessageProtocol protocol : MessageProtocol.values()) {
      if (protocol.word().equals(plain)) {
        return plain.equals(MQTT) && fifth ? MessageProtocol.MQTT5 : protocol;
      }
    }
    return null;
  }
}
