package dev.pinion.core.jq.builtin;

import dev.pinion.core.jq.value.EvaluationContext;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints times by the conversions of C's strftime, with GNU's flags, in the C locale and UTC. */
final class TimeFormat {
  private static final String[] MONTHS = {
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December"
  };
  private static final String[] DAYS = {
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"
  };

  private TimeFormat() {}

  static String print(LocalDateTime time, String format, EvaluationContext evaluationContext) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < format.length(); i++) {
      evaluationContext.step();
      if (format.charAt(i) == '%' && i + 1 < format.length()) {
        evaluationContext.charge(8);
        Directive directive = Directive.at(format, i);
        directive.print(time, out, evaluationContext);
        i = directive.end - 1;
      } else {
        out.append(format.charAt(i));
      }
      evaluationContext.checkText(out.length());
    }
    return out.toString();
  }

  /** What a conversion makes: text, and how it is padded unless the directive says otherwise. */
  private record Piece(String text, int width, char pad) {
    static Piece text(String text) {
      return new Piece(text, 0, ' ');
    }

    static Piece number(long number, int width) {
      return new Piece(Long.toString(number), width, '0');
    }

    static Piece padded(long number) {
      return new Piece(Long.toString(number), 2, ' ');
    }
  }

  /**
   * A conversion with the flags and the width of the C library of GNU: {@code %-d}, {@code %_5Y}.
   *
   * @param source its text
   * @param flags {@code _-0^#}, each at most once in effect
   * @param width 0 for the usual one
   * @param end position behind it
   */
  private record Directive(String source, String flags, int width, char conversion, int end) {
    private static final int MAX_WIDTH_DIGITS = 8;

    static Directive at(String format, int start) {
      int at = start + 1;
      at = skip(format, at, "_-0^#", format.length());
      int digits = at;
      at = skip(format, at, "0123456789", at + MAX_WIDTH_DIGITS);
      String flags = format.substring(start + 1, digits);
      int width = at == digits ? 0 : Integer.parseInt(format.substring(digits, at));
      at = skip(format, at, "EO", at + 1);
      if (at == format.length()) {
        return new Directive(format.substring(start), flags, width, '\0', at);
      }
      return new Directive(
          format.substring(start, at + 1), flags, width, format.charAt(at), at + 1);
    }

    private static int skip(String format, int from, String any, int to) {
      int at = from;
      while (at < Math.min(to, format.length()) && any.indexOf(format.charAt(at)) >= 0) {
        at++;
      }
      return at;
    }

    void print(LocalDateTime time, StringBuilder out, EvaluationContext evaluationContext) {
      Piece piece = date(time, conversion);
      if (piece == null) {
        out.append(source);
        return;
      }
      String text = cased(piece.text);
      int wanted = width > 0 ? width : has('-') ? 0 : piece.width;
      evaluationContext.text(wanted);
      char pad = has('_') ? ' ' : has('0') ? '0' : piece.pad;
      out.repeat(pad, Math.max(0, wanted - text.length())).append(text);
    }

    private String cased(String text) {
      boolean lower = has('#') && (conversion == 'p' || conversion == 'Z');
      return lower
          ? text.toLowerCase(Locale.ROOT)
          : has('^') || has('#') ? text.toUpperCase(Locale.ROOT) : text;
    }

    private boolean has(char flag) {
      return flags.indexOf(flag) >= 0;
    }
  }

  private static @Nullable Piece date(LocalDateTime t, char conversion) {
    int year = t.getYear();
    int weekday = t.getDayOfWeek().getValue();
    int day = t.getDayOfYear();
    return switch (conversion) {
      case 'Y' -> Piece.number(year, 0);
      case 'C' -> Piece.number(Math.floorDiv(year, 100), 2);
      case 'y' -> Piece.number(Math.floorMod(year, 100), 2);
      case 'm' -> Piece.number(t.getMonthValue(), 2);
      case 'd' -> Piece.number(t.getDayOfMonth(), 2);
      case 'e' -> Piece.padded(t.getDayOfMonth());
      case 'j' -> Piece.number(day, 3);
      case 'B' -> Piece.text(MONTHS[t.getMonthValue() - 1]);
      case 'b', 'h' -> Piece.text(MONTHS[t.getMonthValue() - 1].substring(0, 3));
      case 'A' -> Piece.text(DAYS[weekday % 7]);
      case 'a' -> Piece.text(DAYS[weekday % 7].substring(0, 3));
      case 'u' -> Piece.number(weekday, 1);
      case 'w' -> Piece.number(weekday % 7, 1);
      case 'G' -> Piece.number(t.get(IsoFields.WEEK_BASED_YEAR), 0);
      case 'g' -> Piece.number(Math.floorMod(t.get(IsoFields.WEEK_BASED_YEAR), 100), 2);
      case 'V' -> Piece.number(t.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2);
      case 'U' -> Piece.number((day + 6 - weekday % 7) / 7, 2);
      case 'W' -> Piece.number((day + 6 - (weekday + 6) % 7) / 7, 2);
      case 'F' -> all(t, "Y-m-d");
      case 'D', 'x' -> all(t, "m/d/y");
      case 'c' -> all(t, "a b e T Y");
      default -> time(t, conversion);
    };
  }

  private static @Nullable Piece time(LocalDateTime t, char conversion) {
    return switch (conversion) {
      case 'H' -> Piece.number(t.getHour(), 2);
      case 'I' -> Piece.number(t.get(ChronoField.CLOCK_HOUR_OF_AMPM), 2);
      case 'k' -> Piece.padded(t.getHour());
      case 'l' -> Piece.padded(t.get(ChronoField.CLOCK_HOUR_OF_AMPM));
      case 'M' -> Piece.number(t.getMinute(), 2);
      case 'S' -> Piece.number(t.getSecond(), 2);
      case 'p' -> Piece.text(t.getHour() < 12 ? "AM" : "PM");
      case 'P' -> Piece.text(t.getHour() < 12 ? "am" : "pm");
      case 'r' -> all(t, "I:M:S p");
      case 'R' -> all(t, "H:M");
      case 'T', 'X' -> all(t, "H:M:S");
      case 's' -> Piece.number(t.toEpochSecond(ZoneOffset.UTC), 1);
      case 'Z' -> Piece.text("UTC");
      case 'z' -> Piece.text("+0000");
      case 'n' -> Piece.text("\n");
      case 't' -> Piece.text("\t");
      case '%' -> Piece.text("%");
      default -> null;
    };
  }

  /** Conversions, given by letters, and the text between them. */
  private static Piece all(LocalDateTime time, String pattern) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      Piece piece = Character.isLetter(c) ? date(time, c) : null;
      if (piece == null) {
        out.append(c);
      } else {
        out.repeat(piece.pad, Math.max(0, piece.width - piece.text.length())).append(piece.text);
      }
    }
    return Piece.text(out.toString());
  }
}
