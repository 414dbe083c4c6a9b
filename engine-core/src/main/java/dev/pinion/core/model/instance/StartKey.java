package dev.pinion.core.model.instance;

import dev.pinion.core.model.InstanceId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Key and body of a client's start, each as the first 128 bits of a SHA-256: enough to rule out
 * collisions. Immutable.
 *
 * @param high first half of the hash of the route and the client's key
 * @param low second half of it
 * @param bodyHigh first half of the hash of the body
 * @param bodyLow second half of it
 */
public record StartKey(long high, long low, long bodyHigh, long bodyLow) {
  /** Length of the written form. */
  public static final int BYTES = 4 * Long.BYTES;

  /**
   * The key of a start.
   *
   * @param route route of the start, as the client names it
   * @param key the client's key
   * @param body body as it was sent; its remaining bytes, not consumed
   */
  public static StartKey of(String route, String key, ByteBuffer body) {
    MessageDigest digest = sha256();
    digest.update(route.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) '\n'); // neither of the two contains it
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

  /** The partition of a start with this key. */
  public int partition() {
    return (int) Long.remainderUnsigned(high, InstanceId.MAX_PARTITIONS);
  }

  /**
   * This key in a partition that is chosen otherwise: the bits of the partition are taken from the
   * 128.
   */
  public StartKey withPartition(int partition) {
    long rest = high - Long.remainderUnsigned(high, InstanceId.MAX_PARTITIONS);
    return new StartKey(rest + partition, low, bodyHigh, bodyLow);
  }

  /** Whether another start has the same key, with any body. */
  public boolean hasSameKey(StartKey other) {
    return high == other.high && low == other.low;
  }

  /** Whether another start has the same body. */
  public boolean hasSameBody(StartKey other) {
    return bodyHigh == other.bodyHigh && bodyLow == other.bodyLow;
  }
}
