package dev.pinion.core.jq.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.pinion.core.model.RegexSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the regular expressions of one call and keeps the last one, because most are constant.
 *
 * <p>The cost of an evaluation does not depend on the content of the cache: it pays for compiling
 * each time its pattern changes.
 */
public final class RegexCache {
  private static final int MAX_PATTERN = 1_000;
  private static final long CHARACTER_STEPS = 80;

  /** Steps for a part of the automaton, which takes about 120 bytes. */
  private static final long PART_STEPS = 8;

  private volatile @Nullable CachedRegex cachedRegex;

  private record CachedRegex(String source, String flags, Regex regex) {}

  public Regex regex(JsonNode pattern, JsonNode flags, EvaluationContext evaluationContext) {
    String source = JqValues.text(pattern, "cannot be matched, as it is not a string");
    String options = flags.isNull() ? "" : JqValues.text(flags, "is not a string");
    if (evaluationContext.firstUse(this, source)) {
      charge(source, evaluationContext);
    }
    CachedRegex last = cachedRegex;
    if (last == null || !last.source.equals(source) || !last.flags.equals(options)) {
      last = new CachedRegex(source, options, compile(source, options, evaluationContext));
      cachedRegex = last;
    }
    evaluationContext.charge(last.regex.cost());
    return last.regex;
  }

  /** Pays for compiling, repetitions unfolded, before it is done. */
  private static void charge(String source, EvaluationContext evaluationContext) {
    if (source.length() > MAX_PATTERN) {
      throw new JqException(
          String.format(
              Locale.ROOT,
              "expected a regular expression of at most %d characters, found %d",
              MAX_PATTERN,
              source.length()));
    }
    evaluationContext.charge(
        100 + CHARACTER_STEPS * source.length() + PART_STEPS * RegexSize.of(source));
  }

  private static Regex compile(String source, String flags, EvaluationContext evaluationContext) {
    int options = 0;
    boolean global = false;
    boolean skipEmpty = false;
    boolean extended = false;
    for (int i = 0; i < flags.length(); i++) {
      switch (flags.charAt(i)) {
        case 'g' -> global = true;
        case 'i' -> options |= Pattern.CASE_INSENSITIVE;
        case 's' -> {} // "$" at the end only, which RE2 does without it
        case 'p' -> options |= Pattern.DOTALL;
        case 'n' -> skipEmpty = true;
        case 'x' -> extended = true;
        case 'l' -> options |= Pattern.LONGEST_MATCH;
        default -> throw new JqException(flags + " is not a valid modifier string");
      }
    }
    try {
      Pattern compiled = Pattern.compile(extended ? condense(source) : source, options);
      return new Regex(compiled, names(compiled), global, skipEmpty, compiled.programSize());
    } catch (PatternSyntaxException e) {
      evaluationContext.chargeFailure();
      throw new JqException(
          source
              + " is not a valid regular expression (RE2: no look-around, no back references): "
              + e.getDescription());
    }
  }

  private static List<String> names(Pattern pattern) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < pattern.groupCount(); i++) {
      names.add("");
    }
    pattern.namedGroups().forEach((name, group) -> names.set(group - 1, name));
    return names;
  }

  /** Takes blanks and comments out of a pattern with the flag {@code x}. */
  private static String condense(String source) {
    StringBuilder out = new StringBuilder();
    boolean inClass = false;
    for (int i = 0; i < source.length(); i++) {
      char c = source.charAt(i);
      if (c == '\\' && i + 1 < source.length()) {
        out.append(c).append(source.charAt(++i));
      } else if (c == '#' && !inClass) {
        int end = source.indexOf('\n', i);
        i = end < 0 ? source.length() : end;
      } else if (inClass || !Character.isWhitespace(c)) {
        inClass = c == '[' || (inClass && c != ']');
        out.append(c);
      }
    }
    return out.toString();
  }
}
