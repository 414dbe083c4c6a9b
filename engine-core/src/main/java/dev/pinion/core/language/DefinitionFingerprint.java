package dev.pinion.core.language;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Distinguishes definitions of the same identity: the first 64 bits of the SHA-256 of the document
 * as compact JSON, members in their order. Comments and layout do not count.
 */
final class DefinitionFingerprint {
  private static final PayloadCodec CODEC = new PayloadCodec(EngineLimits.defaults().json());

  private DefinitionFingerprint() {}

  static long of(Payload document) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return ByteBuffer.wrap(digest.digest(CODEC.toExactBytes(document))).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("expected SHA-256, which every JVM has", e);
    }
  }
}
