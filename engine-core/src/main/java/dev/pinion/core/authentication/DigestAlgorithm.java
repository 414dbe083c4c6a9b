package dev.pinion.core.authentication;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** Hash functions of digest authentication (RFC 7616, section 6.1), weakest first. */
enum DigestAlgorithm {
  MD5("MD5", false),
  MD5_SESS("MD5", true),
  SHA_256("SHA-256", false),
  SHA_256_SESS("SHA-256", true),
  SHA_512_256("SHA-512/256", false),
  SHA_512_256_SESS("SHA-512/256", true);

  private final String javaName;
  private final boolean isOfSession;

  DigestAlgorithm(String javaName, boolean isOfSession) {
    this.javaName = javaName;
    this.isOfSession = isOfSession;
  }

  /** The algorithm of a name. */
  static Optional<DigestAlgorithm> of(String name) {
    return Arrays.stream(values()).filter(each -> each.label().equalsIgnoreCase(name)).findFirst();
  }

  /** Its name in header fields. */
  String label() {
    return javaName.replace('/', '-') + (isOfSession ? "-sess" : "");
  }

  /** Whether the nonces are part of the first hash. */
  boolean isOfSession() {
    return isOfSession;
  }

  /** The hash in hexadecimal digits. */
  String hash(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance(javaName).digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("expected " + javaName + " of this Java, found none", e);
    }
  }
}
