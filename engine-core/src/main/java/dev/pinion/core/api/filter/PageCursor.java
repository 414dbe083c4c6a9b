package dev.pinion.core.api.filter;

import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A position in a list, as clients keep it: opaque, and bound to the filter it was made for.
 *
 * <p>It contains nothing secret, so a checksum is enough: a cursor of another filter, or an altered
 * one, is noticed. It stays valid over restarts and in every replica.
 */
public final class PageCursor {
  private static final int CHECK_BYTES = 8;

  /** Base64url of a checksum and at least one byte. */
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{12,4096}+");

  private PageCursor() {}

  /**
   * The text form of a place.
   *
   * @param filter name of the list and the values it is filtered by
   * @param position start of the next page
   */
  public static String encode(List<String> filter, String position) {
    byte[] place = position.getBytes(StandardCharsets.UTF_8);
    byte[] all = Arrays.copyOf(check(filter, place), CHECK_BYTES + place.length);
    System.arraycopy(place, 0, all, CHECK_BYTES, place.length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
  }

  /** The position in a text form. */
  public static String decode(List<String> filter, String text) throws ProblemException {
    if (!FORM.matcher(text).matches()) {
      throw new ProblemException(
          ProblemType.BAD_CURSOR,
          "expected the member next of a page as cursor, found " + Problem.quoted(text));
    }
    byte[] all;
    try {
      all = Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw unknown(text);
    }
    byte[] place = Arrays.copyOfRange(all, CHECK_BYTES, all.length);
    boolean own =
        Arrays.equals(all, 0, CHECK_BYTES, check(filter, place), 0, CHECK_BYTES)
            && Base64.getUrlEncoder().withoutPadding().encodeToString(all).equals(text);
    if (!own) {
      throw unknown(text);
    }
    return new String(place, StandardCharsets.UTF_8);
  }

  private static ProblemException unknown(String text) {
    return new ProblemException(
        ProblemType.UNKNOWN_CURSOR,
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
