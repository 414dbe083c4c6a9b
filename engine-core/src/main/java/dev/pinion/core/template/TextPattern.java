package dev.pinion.core.template;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.RegexSize;
import org.jspecify.annotations.Nullable;

/**
 * A text of a filter: an attribute matches when it is equal, or when the text is a regular
 * expression that describes all of it. Dots alone make no regular expression, since most types of
 * events have them. Immutable.
 */
public final class TextPattern {
  /** Characters that make a text a regular expression. */
  private static final String OPERATORS = "*+?[](){}|^$\\";

  /** Products of pattern size and characters that cost one step. */
  private static final int WORK_PER_STEP = 16;

  private final String text;
  private final @Nullable Pattern pattern;
  private final long size;

  private TextPattern(String text, @Nullable Pattern pattern, long size) {
    this.text = text;
    this.pattern = pattern;
    this.size = size;
  }

  /**
   * The pattern of a text.
   *
   * @param maxSize most parts of a regular expression, see {@link RegexSize}
   * @throws IllegalArgumentException when it is a regular expression of more parts
   */
  public static TextPattern of(String text, int maxSize) {
    if (isLiteral(text)) {
      return new TextPattern(text, null, 0);
    }
    long size = RegexSize.of(text);
    if (size > maxSize) {
      throw new IllegalArgumentException(
          "expected a pattern of at most "
              + maxSize
              + " parts with its repetitions written out (definition.maxPatternSize), found "
              + size);
    }
    try {
      return new TextPattern(text, Pattern.compile(text), size);
    } catch (PatternSyntaxException e) {
      return new TextPattern(text, null, 0); // such as a URI with a bracket
    }
  }

  /** Whether a text matches nothing but itself. */
  public static boolean isLiteral(String text) {
    return text.chars().noneMatch(c -> OPERATORS.indexOf(c) >= 0);
  }

  boolean matches(String value, Budget budget) {
    budget.charge(1 + size * value.length() / WORK_PER_STEP);
    return value.equals(text) || (pattern != null && pattern.matcher(value).matches());
  }
}
