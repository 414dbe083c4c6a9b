package dev.pinion.core.model;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Under which key a client started something, and with which body, each as the first 128 bits of a
 * SHA-256: enough that nobody meets two alike. Immutable.
 *
 * @param high of where the start was sent to and of the client's key
 * @param low the rest of it
 * @param bodyHigh of the body
 * @param bodyLow the rest of it
 */
public record StartKey(long high, long low, long bodyHigh, long bodyLow) {
  /** Length of the written form. */
  public static final int BYTES = 4 * Long.BYTES;

  /**
   * The key of a start.
   *
   * @param route what is started, as the client names it
   * @param key the client's own key
   * @param body as it was sent; its remaining bytes, left as they are
   */
  public static StartKey of(String route, String key, ByteBuffer body) {
    MessageDigest digest = sha256();
    digest.update(route.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) '\n'); // in neither of the two
    ByteBuffer name = ByteBuffer.wrap(digest.digest(key.getBytes(StandardCharsets.UTF_8)));
    digest.update(body.duplicate());
    ByteBuffer content = ByteBuffer.wrap(digest.digest());
    return new StartKey(name.getLong(), name.getLong(), content.getLong(), content.getLong());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("expected SHA-256, which every JVM has", e);
    }
  }

  /** The partition that a start with this key belongs to. */
  public int partition() {
    return (int) Long.remainderUnsigned(high, InstanceId.MAX_PARTITIONS);
  }

  /**
   * This key in a partition that something else decides: the bits that name the partition are taken
   * from 128.
   */
  public StartKey in(int partition) {
    long rest = high - Long.remainderUnsigned(high, InstanceId.MAX_PARTITIONS);
    return new StartKey(rest + partition, low, bodyHigh, bodyLow);
  }

  /** Whether another start has the same key, with whatever body. */
  public boolean names(StartKey other) {
    return high == other.high && low == other.low;
  }

  /** Whether another start has the same body. */
  public boolean hasBodyOf(StartKey other) {
    return bodyHigh == other.bodyHigh && bodyLow == other.bodyLow;
  }
}
