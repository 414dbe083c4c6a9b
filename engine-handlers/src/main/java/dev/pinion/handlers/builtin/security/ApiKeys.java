package dev.pinion.handlers.builtin.security;

import dev.pinion.handlers.builtin.Digests;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The known API keys, as SHA-256 of their UTF-8 bytes. A plain hash is enough because keys are long
 * and random, not chosen by people. Immutable.
 *
 * <p>A file has one key a line, {@code SUBJECT HASH} with 64 hexadecimal digits; empty lines and
 * those that begin with {@code #} are skipped. A subject may have several keys, so that they can be
 * changed one after the other.
 */
final class ApiKeys {
  /** The most keys; each attempt is compared with all. */
  static final int MAX_KEYS = 1_000;

  /** The longest accepted key, in characters. */
  static final int MAX_KEY_CHARS = 512;

  private static final Pattern LINE = Pattern.compile("(\\S{1,128})\\s+([0-9a-fA-F]{64})");

  private final List<Known> keys;

  private ApiKeys(List<Known> keys) {
    this.keys = keys;
  }

  static ApiKeys parse(byte[] file) {
    List<Known> keys = new ArrayList<>();
    int number = 0;
    for (String each : new String(file, StandardCharsets.UTF_8).lines().toList()) {
      number++;
      String line = each.strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      Matcher parts = LINE.matcher(line);
      if (!parts.matches()) {
        // The line is not shown: it may be a key that was never hashed.
        throw new IllegalArgumentException(
            "expected a subject and 64 hexadecimal digits in line " + number + ", found else");
      }
      keys.add(new Known(parts.group(1), HexFormat.of().parseHex(parts.group(2))));
    }
    if (keys.isEmpty() || keys.size() > MAX_KEYS) {
      throw new IllegalArgumentException(
          "expected from 1 to " + MAX_KEYS + " keys, found " + keys.size());
    }
    return new ApiKeys(List.copyOf(keys));
  }

  /** The subject of a key, or null; takes the same time for every key. */
  @Nullable String subject(String key) {
    if (key.length() > MAX_KEY_CHARS) {
      return null;
    }
    byte[] hash = Digests.sha256(key.getBytes(StandardCharsets.UTF_8));
    String subject = null;
    for (Known each : keys) {
      if (MessageDigest.isEqual(each.hash, hash)) {
        subject = each.subject;
      }
    }
    return subject;
  }

  private static final class Known {
    private final String subject;
    private final byte[] hash;

    Known(String subject, byte[] hash) {
      this.subject = subject;
      this.hash = hash;
    }
  }
}
