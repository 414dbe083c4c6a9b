package dev.pinion.core.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A document to which a definition refers, as it was when the definition was deployed. It is kept
 * with the definition, which means this content from then on.
 *
 * @param uri where it came from
 * @param mediaType {@code application/yaml} or {@code application/json}
 * @param sha256 hash of its text in UTF-8, in lower-case hexadecimal
 * @param text its text
 */
public record PinnedDocument(String uri, String mediaType, String sha256, String text) {
  /** A document with its hash. */
  public static PinnedDocument of(String uri, String mediaType, String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return new PinnedDocument(uri, mediaType, HexFormat.of().formatHex(hash), text);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }
}
