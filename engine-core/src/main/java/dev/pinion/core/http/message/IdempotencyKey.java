package dev.pinion.core.http.message;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The field Idempotency-Key of a start: a string in quotes (RFC 8941 section 3.3.3), or without
 * quotes, as many clients send it.
 */
public final class IdempotencyKey {
  public static final String FIELD = "idempotency-key";

  private static final Pattern QUOTED = Pattern.compile("\"(?:[ !#-\\[\\]-~]|\\\\[\"\\\\])*+\"");
  private static final Pattern BARE = Pattern.compile("[!#-+\\--:<-~]++");

  private IdempotencyKey() {}

  /**
   * The key of a request, without quotes; null when it has none.
   *
   * @param maxChars most characters of a key
   * @throws ProblemException when there are several fields, or an invalid one
   */
  public static @Nullable String parse(List<String> fields, int maxChars) throws ProblemException {
    if (fields.isEmpty()) {
      return null;
    }
    String field = String.join(", ", fields).strip();
    String key = text(field);
    if (fields.size() > 1 || key == null || key.isEmpty() || key.length() > maxChars) {
      throw new ProblemException(
          ProblemType.BAD_PARAMETER,
          "expected one field Idempotency-Key with a string in quotes of 1 to "
              + maxChars
              + " characters (request.maxKeyChars), found "
              + Problem.quoted(field));
    }
    return key;
  }

  private static @Nullable String text(String field) {
    if (QUOTED.matcher(field).matches()) {
      return field.substring(1, field.length() - 1).replaceAll("\\\\(.)", "$1");
    }
    return BARE.matcher(field).matches() ? field : null;
  }
}
