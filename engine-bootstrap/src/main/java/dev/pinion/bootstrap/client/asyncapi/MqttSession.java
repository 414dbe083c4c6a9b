package dev.pinion.bootstrap.client.asyncapi;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What a server keeps for a client.
 *
 * @param clientId name of the client; empty for one that the server chooses
 * @param isClean whether the server keeps nothing, and forgets what it has kept
 * @param expirySeconds time after the end of the connection that it keeps it, over MQTT 5
 * @param bounds bounds of what the server may send
 */
record MqttSession(String clientId, boolean isClean, int expirySeconds, PacketBounds bounds) {
  private static final String PREFIX = "pinion";

  /** Characters that every server takes are 23 (MQTT 3.1.1, section 3.1.3.1). */
  private static final int HASH_CHARS = 17;

  /**
   * Bounds of packets.
   *
   * @param mostInFlight messages that are not acknowledged
   * @param maxPacketBytes bytes of a packet
   */
  record PacketBounds(int mostInFlight, int maxPacketBytes) {}

  /** A session that ends with the connection. */
  static MqttSession clean(PacketBounds bounds) {
    return new MqttSession("", true, 0, bounds);
  }

  /** The session of a subscription, the same after a crash. */
  static MqttSession of(String key, int expirySeconds, PacketBounds bounds) {
    return new MqttSession(PREFIX + hash(key), false, expirySeconds, bounds);
  }

  /** The same session when it is to be forgotten. */
  MqttSession forgotten() {
    return new MqttSession(clientId, true, 0, bounds);
  }

  private static String hash(String key) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, HASH_CHARS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("expected SHA-256, which every JDK has, found none", e);
    }
  }
}
