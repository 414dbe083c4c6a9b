package dev.pinion.core.http.message;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request target, read strictly (RFC 9112 section 3.2): origin form, absolute form or {@code *}.
 *
 * <p>Segments are split first and decoded after, so an encoded slash stays inside its segment. An
 * empty segment is kept and matches nothing; a dot segment, encoded or not, is refused.
 *
 * @param segments decoded segments of the path; none for {@code *} and for {@code /}
 * @param asterisk whether the target is {@code *}
 * @param query text after the question mark, not decoded, or null
 */
public record RequestTarget(List<String> segments, boolean asterisk, @Nullable String query) {
  public static RequestTarget parse(String text) throws ProblemException {
    if (text.equals("*")) {
      return new RequestTarget(List.of(), true, null);
    }
    String target = text.charAt(0) == '/' ? text : withoutAuthority(text);
    if (target.indexOf('#') >= 0) {
      throw refusal("a target without fragment", text);
    }
    int question = target.indexOf('?');
    String path = question < 0 ? target : target.substring(0, question);
    String query = question < 0 ? null : target.substring(question + 1);
    return new RequestTarget(segments(path), false, query);
  }

  /**
   * The authority of a target in absolute form; null for other forms, and for targets that {@link
   * #parse} refuses.
   */
  public static @Nullable String authority(String text) {
    int from = authorityStart(text);
    int end = from < 0 ? -1 : authorityEnd(text, from);
    String authority = end <= from ? "" : text.substring(from, end);
    return authority.isEmpty() || authority.indexOf('@') >= 0 ? null : authority;
  }

  private static int authorityStart(String text) {
    return text.regionMatches(true, 0, "http://", 0, 7)
        ? 7
        : text.regionMatches(true, 0, "https://", 0, 8) ? 8 : -1;
  }

  private static int authorityEnd(String text, int from) {
    int end = from;
    while (end < text.length() && "/?#".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    return end;
  }

  private static String withoutAuthority(String text) throws ProblemException {
    int from = authorityStart(text);
    int end = from < 0 ? -1 : authorityEnd(text, from);
    if (end <= from || text.substring(from, end).indexOf('@') >= 0) {
      throw refusal("a path that begins with / or an http URI", text);
    }
    String rest = text.substring(end);
    return rest.startsWith("/") ? rest : "/" + rest;
  }

  private static List<String> segments(String path) throws ProblemException {
    if (path.length() == 1) {
      return List.of();
    }
    int count = 0;
    for (int i = 0; i < path.length(); i++) {
      count += path.charAt(i) == '/' ? 1 : 0;
    }
    List<String> segments = new ArrayList<>(count);
    int start = 1;
    for (int i = 0; i < count; i++) {
      int slash = path.indexOf('/', start);
      int end = slash < 0 ? path.length() : slash;
      String segment = PercentEncoding.decode(path.substring(start, end));
      segments.add(segment);
      if (segment.equals(".") || segment.equals("..")) {
        throw refusal("a path without dot segments", path);
      }
      start = end + 1;
    }
    return segments;
  }

  private static ProblemException refusal(String expected, String found) {
    return new ProblemException(
        ProblemType.BAD_TARGET, "expected " + expected + ", found " + Problem.quoted(found));
  }
}
