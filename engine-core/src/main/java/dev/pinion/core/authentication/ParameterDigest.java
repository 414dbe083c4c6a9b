package dev.pinion.core.authentication;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Names for parameters that contain secrets: equal ones have equal names, which reveal nothing,
 * because the key is made anew in each process. Safe for use by any thread.
 */
public final class ParameterDigest {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEY_BYTES = 32;

  private final SecretKeySpec key;

  /** Names by a new key. */
  public ParameterDigest() {
    byte[] bytes = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(bytes);
    this.key = new SecretKeySpec(bytes, ALGORITHM);
  }

  /** The name of some texts. */
  public String of(String... texts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      for (String text : texts) {
        mac.update((text.length() + ":" + text).getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("expected " + ALGORITHM + " of every Java platform", e);
    }
  }
}
