package dev.pinion.handlers.builtin.observe;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The {@code tracestate} field of W3C Trace Context, level 2: data of vendors about a trace, the
 * latest first.
 */
final class TraceState {
  static final int MAX_MEMBERS = 32;
  static final int MAX_CHARS = 512;
  private static final int LONG_MEMBER = 128;

  // Possessive, so that a hostile field costs no more than its length.
  private static final Pattern MEMBER =
      Pattern.compile(
          "[a-z0-9][a-z0-9_\\-*/@]{0,255}+=[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{1,256}+");

  private TraceState() {}

  /**
   * The field to pass on, or null when it is empty or malformed, which the specification requires
   * to be dropped. A field longer than {@value #MAX_CHARS} characters loses its long members first,
   * then the oldest.
   */
  static @Nullable String passedOn(String text) {
    List<String> members = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    for (String each : text.split(",", MAX_CHARS)) {
      String member = each.strip();
      if (!member.isEmpty()) {
        if (!MEMBER.matcher(member).matches()
            || !keys.add(member.substring(0, member.indexOf('=')))
            || keys.size() > MAX_MEMBERS) {
          return null;
        }
        members.add(member);
      }
    }
    return members.isEmpty() ? null : shortened(members);
  }

  private static @Nullable String shortened(List<String> members) {
    for (int i = members.size() - 1; i >= 0 && length(members) > MAX_CHARS; i--) {
      if (members.get(i).length() > LONG_MEMBER) {
        members.remove(i);
      }
    }
    while (length(members) > MAX_CHARS) {
      members.removeLast();
    }
    return members.isEmpty() ? null : String.join(",", members);
  }

  private static int length(List<String> members) {
    return members.stream().mapToInt(String::length).sum() + members.size() - 1;
  }
}
