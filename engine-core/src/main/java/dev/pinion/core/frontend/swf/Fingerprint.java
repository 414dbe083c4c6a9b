package dev.pinion.core.frontend.swf;

import dev.pinion.core.model.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What tells a definition from another one of the same identity: the first 64 bits of the SHA-256
 * of the document as compact JSON, members in their order. Comments and layout do not count.
 */
final class Fingerprint {
  private Fingerprint() {}

  static long of(Payload document) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] text = document.toString().getBytes(StandardCharsets.UTF_8);
      return ByteBuffer.wrap(digest.digest(text)).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("expected SHA-256, which every JVM has", e);
    }
  }
}
