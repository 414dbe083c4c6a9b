package dev.pinion.core.language.reference;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PinnedDocument;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * Distinguishes definitions of the same identity: the first 64 bits of the SHA-256 of the document
 * as compact JSON, members in their order, followed by the hashes of the documents to which it
 * refers. Comments and layout of the definition do not count.
 */
public final class DefinitionFingerprint {
  private static final PayloadCodec CODEC = new PayloadCodec(EngineLimits.defaults().json());

  private DefinitionFingerprint() {}

  /** The fingerprint of a definition and the documents to which it refers. */
  public static long of(Payload document, List<PinnedDocument> documents) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(CODEC.toExactBytes(document));
      for (PinnedDocument each : documents) {
        digest.update((each.uri() + " " + each.sha256() + "\n").getBytes(StandardCharsets.UTF_8));
      }
      return ByteBuffer.wrap(digest.digest()).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("expected SHA-256, which every JVM has", e);
    }
  }
}
