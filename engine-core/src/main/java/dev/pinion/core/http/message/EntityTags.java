package dev.pinion.core.http.message;

import java.util.List;
import java.util.regex.Pattern;

/** Conditional requests (RFC 9110 section 13.1.2). */
public final class EntityTags {
  private static final String TAG = "(?:W/)?\"[!#-~\\x80-\\xff]*+\"";
  private static final Pattern TAGS =
      Pattern.compile("\\*|" + TAG + "(?:[ \\t]*,[ \\t]*" + TAG + ")*+");

  private EntityTags() {}

  /**
   * Checks a condition, which would hold for nothing if it were malformed.
   *
   * @param field its name
   * @param values of all fields of that name
   */
  public static void check(String field, List<String> values) throws ProblemException {
    String all = String.join(", ", values).strip();
    if (!values.isEmpty() && !TAGS.matcher(all).matches()) {
      throw new ProblemException(
          ProblemType.BAD_PARAMETER,
          "expected "
              + field
              + " to be * or entity tags in quotes with commas, found "
              + Problem.quoted(all));
    }
  }

  /**
   * Whether If-None-Match names a representation, by weak comparison.
   *
   * @param fields values of all If-None-Match fields
   * @param etag entity tag of the representation, with quotes
   */
  public static boolean matches(List<String> fields, String etag) {
    for (String field : fields) {
      for (String element : field.split(",", -1)) {
        String tag = element.strip();
        if (tag.equals("*") || tag.equals(etag) || tag.equals("W/" + etag)) {
          return true;
        }
      }
    }
    return false;
  }
}
