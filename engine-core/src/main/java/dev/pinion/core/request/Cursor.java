package dev.pinion.core.request;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * A place in a list, as clients carry it: opaque, and bound to the filter it was made for.
 *
 * <p>It holds nothing secret, so a checksum is enough: one made for another filter, or altered, is
 * noticed. It stays valid over restarts and in every replica.
 */
final class Cursor {
  private static final int CHECK_BYTES = 8;
  private static final int MAX_TEXT = 4_096;

  private Cursor() {}

  /**
   * The text form of a place.
   *
   * @param filter name of the list and the values it is filtered by
   * @param position where the next page begins
   */
  static String encode(List<String> filter, String position) {
    byte[] place = position.getBytes(StandardCharsets.UTF_8);
    byte[] all = Arrays.copyOf(check(filter, place), CHECK_BYTES + place.length);
    System.arraycopy(place, 0, all, CHECK_BYTES, place.length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
  }

  /** The position that a text form names. */
  static String decode(List<String> filter, String text) throws Refusal {
    if (text.length() <= MAX_TEXT) {
      try {
        byte[] all = Base64.getUrlDecoder().decode(text);
        if (all.length > CHECK_BYTES) {
          byte[] place = Arrays.copyOfRange(all, CHECK_BYTES, all.length);
          if (Arrays.equals(all, 0, CHECK_BYTES, check(filter, place), 0, CHECK_BYTES)
              && Base64.getUrlEncoder().withoutPadding().encodeToString(all).equals(text)) {
            return new String(place, StandardCharsets.UTF_8);
          }
        }
      } catch (IllegalArgumentException e) {
        throw refusal(text);
      }
    }
    throw refusal(text);
  }

  private static Refusal refusal(String text) {
    return new Refusal(
        ProblemType.BAD_CURSOR,
        "expected a cursor taken from a page of this list with the same filter, found "
            + Problem.quoted(text)
            + "; begin again without a cursor");
  }

  private static byte[] check(List<String> filter, byte[] place) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String part : filter) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
      }
      digest.update(place);
      return Arrays.copyOf(digest.digest(), CHECK_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
