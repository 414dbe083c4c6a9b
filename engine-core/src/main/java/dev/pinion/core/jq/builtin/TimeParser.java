package dev.pinion.core.jq.builtin;

import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Reads times by the conversions of C's strptime, in the C locale; zones are read and ignored. */
final class TimeParser {
  private static final String[] MONTHS = {
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december"
  };
  private static final String[] DAYS = {
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"
  };

  private final String text;
  private final EvaluationContext evaluationContext;
  private int at;
  private int year = 1900;
  private int century = -1;
  private int month = 1;
  private int day = 1;
  private int dayOfYear;
  private int hour;
  private int minute;
  private int second;
  private int afternoon = -1;
  private @Nullable LocalDateTime epoch;

  TimeParser(String text, EvaluationContext evaluationContext) {
    this.text = text;
    this.evaluationContext = evaluationContext;
  }

  /** The time, or null when the text does not match the format. */
  @Nullable BrokenDownTime parse(String format) {
    return matches(format) && at == text.length() ? time() : null;
  }

  private boolean matches(String format) {
    for (int i = 0; i < format.length(); i++) {
      char c = format.charAt(i);
      if (c == '%' && i + 1 < format.length()) {
        i = conversionAt(format, i);
        if (!conversion(format.charAt(i))) {
          return false;
        }
      } else if (Character.isWhitespace(c)) {
        skipBlank();
      } else if (!literal(c)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The position of a conversion behind its flags, width and modifiers, which mean nothing here.
   */
  private static int conversionAt(String format, int percent) {
    int at = percent + 1;
    while (at < format.length() - 1 && "_-0^#123456789EO".indexOf(format.charAt(at)) >= 0) {
      at++;
    }
    return at;
  }

  private boolean conversion(char conversion) {
    return switch (conversion) {
      case 'Y' -> set((year = number(4)) >= 0);
      case 'C' -> set((century = number(2)) >= 0);
      case 'y' -> shortYear(number(2));
      case 'm' -> set((month = number(2)) >= 1 && month <= 12);
      case 'd', 'e' -> set((day = number(2)) >= 1 && day <= 31);
      case 'j' -> set((dayOfYear = number(3)) >= 1 && dayOfYear <= 366);
      case 'B', 'b', 'h' -> set((month = 1 + name(MONTHS)) >= 1);
      case 'A', 'a' -> set(name(DAYS) >= 0);
      case 'u', 'w' -> set(number(1) >= 0);
      case 'U', 'W', 'V', 'g' -> set(number(2) >= 0);
      case 'G' -> set(number(4) >= 0);
      case 'F' -> matches("%Y-%m-%d");
      case 'D', 'x' -> matches("%m/%d/%y");
      case 'c' -> matches("%a %b %e %H:%M:%S %Y");
      default -> timeConversion(conversion);
    };
  }

  private boolean timeConversion(char conversion) {
    return switch (conversion) {
      case 'H', 'k' -> set((hour = number(2)) >= 0 && hour <= 23);
      case 'I', 'l' -> set((hour = number(2)) >= 1 && hour <= 12);
      case 'M' -> set((minute = number(2)) >= 0 && minute <= 59);
      case 'S' -> set((second = number(2)) >= 0 && second <= 60);
      case 'p', 'P' -> set((afternoon = name("am", "pm")) >= 0);
      case 'T', 'X' -> matches("%H:%M:%S");
      case 'R' -> matches("%H:%M");
      case 'r' -> matches("%I:%M:%S %p");
      case 's' -> epochSeconds();
      case 'Z' -> zoneName();
      case 'z' -> zoneOffset();
      case 'n', 't' -> skipBlank();
      case '%' -> literal('%');
      default -> false;
    };
  }

  private static boolean set(boolean valid) {
    return valid;
  }

  private boolean shortYear(int number) {
    year = number < 69 ? 2000 + number : 1900 + number;
    return number >= 0;
  }

  private boolean skipBlank() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return true;
  }

  private boolean literal(char c) {
    boolean there = at < text.length() && text.charAt(at) == c;
    at += there ? 1 : 0;
    return there;
  }

  /** A number of at most some digits, or -1. */
  private int number(int digits) {
    skipBlank();
    int start = at;
    int value = 0;
    while (at < text.length() && at - start < digits && isDigit(text.charAt(at))) {
      value = value * 10 + text.charAt(at++) - '0';
    }
    return at == start ? -1 : value;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** The index of the name at this position, whole or by its first three letters, or -1. */
  private int name(String... names) {
    for (int i = 0; i < names.length; i++) {
      for (int length : new int[] {names[i].length(), Math.min(3, names[i].length())}) {
        if (text.regionMatches(true, at, names[i], 0, length)) {
          at += length;
          return i;
        }
      }
    }
    return -1;
  }

  private boolean epochSeconds() {
    int start = at;
    while (at < text.length() && at - start < 11 && isDigit(text.charAt(at))) {
      at++;
    }
    if (at == start) {
      return false;
    }
    long seconds = Long.parseLong(text.substring(start, at));
    epoch = LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
    return true;
  }

  private boolean zoneName() {
    int start = at;
    while (at < text.length() && Character.isLetter(text.charAt(at))) {
      at++;
    }
    return at > start;
  }

  private boolean zoneOffset() {
    if (literal('Z')) {
      return true;
    }
    if (!literal('+') && !literal('-')) {
      return false;
    }
    if (number(2) < 0) {
      return false;
    }
    literal(':');
    number(2);
    return true;
  }

  private BrokenDownTime time() {
    if (epoch != null) {
      return BrokenDownTime.of(epoch);
    }
    if (century >= 0) {
      year = century * 100 + Math.floorMod(year, 100);
    }
    int hours = afternoon < 0 ? hour : hour % 12 + 12 * afternoon;
    try {
      LocalDate date =
          dayOfYear > 0
              ? LocalDate.ofYearDay(year, dayOfYear)
              : LocalDate.of(year, month, 1).plusDays(day - 1L);
      boolean written = dayOfYear == 0;
      return new BrokenDownTime(
          year,
          written ? month : date.getMonthValue(),
          written ? day : date.getDayOfMonth(),
          hours,
          minute,
          second,
          date);
    } catch (DateTimeException e) {
      evaluationContext.chargeFailure();
      throw new JqException("date \"" + text + "\" is not a date");
    }
  }
}
