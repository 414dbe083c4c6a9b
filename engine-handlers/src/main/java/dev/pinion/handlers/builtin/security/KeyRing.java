package dev.pinion.handlers.builtin.security;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Secret keys by id, one of them active: it is used for new data, the others for older data.
 * Immutable.
 *
 * <p>A file contains {@code {"active": "2026-09", "keys": {"2026-09": "BASE64", "2026-03":
 * "BASE64"}}}.
 *
 * @param active the id of the active key
 * @param keys the keys
 */
record KeyRing(String active, Map<String, SecretKey> keys) {
  /** The largest file. */
  static final int MAX_FILE_BYTES = 64 << 10;

  /** The most keys. */
  static final int MAX_KEYS = 100;

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String ID = "[A-Za-z0-9_-]{1,64}";

  KeyRing {
    keys = Map.copyOf(keys);
  }

  /**
   * Reads a file; problems are reported without showing keys.
   *
   * @param algorithm algorithm of the keys, by its name in Java
   * @param sizes the sizes allowed, in bytes
   */
  static KeyRing parse(byte[] file, String algorithm, Sizes sizes) throws IOException {
    JsonNode root;
    try {
      root = MAPPER.readTree(file);
    } catch (IOException e) {
      throw new IllegalArgumentException("expected {\"active\": …, \"keys\": {…}}, found no JSON");
    }
    Map<String, SecretKey> keys = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> each : root.path("keys").properties()) {
      SecretKey key = key(each.getKey(), each.getValue(), algorithm, sizes);
      if (keys.containsValue(key)) {
        throw new IllegalArgumentException(
            "expected different keys, found that of \"" + each.getKey() + "\" twice");
      }
      keys.put(each.getKey(), key);
    }
    String active = root.path("active").asText();
    if (keys.isEmpty() || keys.size() > MAX_KEYS || !keys.containsKey(active)) {
      throw new IllegalArgumentException(
          "expected from 1 to "
              + MAX_KEYS
              + " keys with the active one among them, found "
              + keys.size()
              + " and \"active\": \""
              + active
              + "\"");
    }
    return new KeyRing(active, keys);
  }

  private static SecretKey key(String id, JsonNode value, String algorithm, Sizes sizes) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(value.asText());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("expected base64 as key \"" + id + "\", found else");
    }
    if (!id.matches(ID) || !sizes.allow(bytes.length)) {
      throw new IllegalArgumentException(
          "expected an id of at most 64 letters, digits, _ and -, and a key of "
              + sizes
              + ", found \""
              + id
              + "\" with "
              + bytes.length
              + " B");
    }
    return new SecretKeySpec(bytes, algorithm);
  }

  /** The key of an id, or null. */
  @Nullable SecretKey key(String id) {
    return keys.get(id);
  }

  /** The key for new data. */
  SecretKey activeKey() {
    return Objects.requireNonNull(keys.get(active));
  }

  /** Sizes of keys. */
  enum Sizes {
    /** For AES. */
    AES,
    /** For HMAC with SHA-256: at least as long as the hash (RFC 2104). */
    HMAC;

    boolean allow(int bytes) {
      return this == AES ? bytes == 16 || bytes == 24 || bytes == 32 : bytes >= 32 && bytes <= 512;
    }

    @Override
    public String toString() {
      return this == AES ? "16, 24 or 32 B" : "32 to 512 B";
    }
  }

  /** Never includes the keys. */
  @Override
  public String toString() {
    return "keys " + keys.keySet() + ", active " + active;
  }
}
