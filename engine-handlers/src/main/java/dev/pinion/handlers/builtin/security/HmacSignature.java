package dev.pinion.handlers.builtin.security;

import dev.pinion.handlers.api.View;
import dev.pinion.handlers.builtin.Digests;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * A signature in a header field: {@code t=SECONDS,k=KEY,v1=HEX}, in the style of Stripe with the
 * key named. HEX is HMAC-SHA-256 of the result of {@link #signed}.
 *
 * @param seconds time of signing, since the epoch
 * @param keyId id of its key
 * @param hex the signature as 64 lower case hexadecimal digits
 */
record HmacSignature(long seconds, String keyId, String hex) {
  private static final Pattern TEXT =
      Pattern.compile("t=([0-9]{1,12}),k=([A-Za-z0-9_-]{1,64}),v1=([0-9a-f]{64})");

  /** Reads a header field, or null when it is malformed. */
  static @Nullable HmacSignature parse(String text) {
    Matcher parts = TEXT.matcher(text);
    return parts.matches()
        ? new HmacSignature(Long.parseLong(parts.group(1)), parts.group(2), parts.group(3))
        : null;
  }

  /** Signs a message. */
  static HmacSignature of(
      View message, List<String> properties, long seconds, String keyId, SecretKey key) {
    byte[] hash = Digests.hmacSha256(key, signed(message, properties, seconds), message.bytes());
    return new HmacSignature(seconds, keyId, HexFormat.of().formatHex(hash));
  }

  /**
   * The signed bytes before the body: the time and a dot; then for each property its name, the
   * number of bytes of its value, and the value, so that no two messages are encoded alike.
   */
  private static byte[] signed(View message, List<String> properties, long seconds) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    text.writeBytes((seconds + ".").getBytes(StandardCharsets.UTF_8));
    for (String name : properties) {
      byte[] value = message.property(name, "").getBytes(StandardCharsets.UTF_8);
      text.writeBytes((name + ":" + value.length + ":").getBytes(StandardCharsets.UTF_8));
      text.writeBytes(value);
      text.write('\n');
    }
    return text.toByteArray();
  }

  @Override
  public String toString() {
    return "t=" + seconds + ",k=" + keyId + ",v1=" + hex;
  }
}
