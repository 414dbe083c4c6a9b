package dev.pinion.core.template;

import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Durations as definitions give them: ISO 8601 strings, parts, or expressions that yield strings.
 * All in nanoseconds; never negative; at most about 292 years.
 */
public final class Durations {
  private static final int MAX_CHARS = 100;
  private static final String NUMBER = "(\\d{1,18}(?:[.,]\\d{1,18})?)";

  private static final Pattern ISO =
      Pattern.compile(
          "P(?:%1$sY)?(?:%1$sM)?(?:%1$sW)?(?:%1$sD)?(T(?:%1$sH)?(?:%1$sM)?(?:%1$sS)?)?"
              .formatted(NUMBER));

  private static final int YEARS = 1;
  private static final int MONTHS = 2;
  private static final int WEEKS = 3;
  private static final int DAYS = 4;
  private static final int TIME = 5;
  private static final int HOURS = 6;
  private static final int MINUTES = 7;
  private static final int SECONDS = 8;

  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long MINUTE_NANOS = 60 * SECOND_NANOS;
  private static final long HOUR_NANOS = 60 * MINUTE_NANOS;
  private static final long DAY_NANOS = 24 * HOUR_NANOS;

  private Durations() {}

  /**
   * Reads an ISO 8601 duration: weeks, days, hours, minutes, seconds, with fractions; a day is 24
   * hours. Parts of a nanosecond are cut off.
   *
   * @throws IllegalArgumentException when the text is anything else, has years or months, which
   *     have no fixed length, or is too long; the message says what was expected
   */
  public static long parse(String text) {
    Matcher iso = ISO.matcher(text);
    if (text.length() > MAX_CHARS
        || !iso.matches()
        || text.endsWith("P")
        || "T".equals(iso.group(TIME))) {
      throw new IllegalArgumentException(
          "expected an ISO 8601 duration such as PT1M30S, found \"" + shown(text) + "\"");
    }
    if (iso.group(YEARS) != null || iso.group(MONTHS) != null) {
      throw new IllegalArgumentException(
          "expected a duration of weeks, days, hours, minutes and seconds, found years or months, "
              + "which have no fixed length, in \""
              + text
              + "\"");
    }
    BigDecimal nanos =
        part(iso.group(WEEKS), 7 * DAY_NANOS)
            .add(part(iso.group(DAYS), DAY_NANOS))
            .add(part(iso.group(HOURS), HOUR_NANOS))
            .add(part(iso.group(MINUTES), MINUTE_NANOS))
            .add(part(iso.group(SECONDS), SECOND_NANOS));
    return checked(nanos);
  }

  private static BigDecimal part(@Nullable String digits, long nanos) {
    return digits == null
        ? BigDecimal.ZERO
        : new BigDecimal(digits.replace(',', '.')).multiply(BigDecimal.valueOf(nanos));
  }

  private static long checked(BigDecimal nanos) {
    if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException("expected a duration of at most 292 years, found more");
    }
    return nanos.longValue();
  }

  private static String shown(String text) {
    return text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) + "..." : text;
  }

  /**
   * Adds up the parts of a duration.
   *
   * @throws IllegalArgumentException when a part is negative or the sum too long
   */
  public static long of(long days, long hours, long minutes, long seconds, long milliseconds) {
    return checked(
        part("days", days, DAY_NANOS)
            .add(part("hours", hours, HOUR_NANOS))
            .add(part("minutes", minutes, MINUTE_NANOS))
            .add(part("seconds", seconds, SECOND_NANOS))
            .add(part("milliseconds", milliseconds, 1_000_000)));
  }

  private static BigDecimal part(String name, long count, long nanos) {
    if (count < 0) {
      throw new IllegalArgumentException("expected " + name + " of at least 0, found " + count);
    }
    return BigDecimal.valueOf(count).multiply(BigDecimal.valueOf(nanos));
  }

  /** A duration that is always the same. */
  public static Expression<Long> constant(long nanos) {
    Long boxed = nanos;
    return (input, scope, budget) -> boxed;
  }

  /** A duration that an expression yields as an ISO 8601 string; else an expression error. */
  public static Expression<Long> of(Expression<Payload> expression) {
    return (input, scope, budget) -> {
      Payload value = expression.evaluate(input, scope, budget);
      if (!value.json().isTextual()) {
        throw new ExpressionException(
            "expected an ISO 8601 duration such as \"PT1M30S\", found "
                + JqValues.describe(value.json()));
      }
      try {
        budget.charge(20);
        return parse(value.json().textValue());
      } catch (IllegalArgumentException e) {
        throw new ExpressionException(String.valueOf(e.getMessage()));
      }
    };
  }
}
