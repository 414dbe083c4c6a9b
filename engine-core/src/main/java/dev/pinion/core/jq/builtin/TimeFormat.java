package dev.pinion.core.jq.builtin;

import dev.pinion.core.jq.value.EvaluationContext;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.Locale;

/** Prints times by the conversions of C's strftime, in the C locale and UTC. */
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
      char c = format.charAt(i);
      evaluationContext.step();
      if (c != '%' || i + 1 == format.length()) {
        out.append(c);
        continue;
      }
      char conversion = format.charAt(++i);
      if ((conversion == 'E' || conversion == 'O' || conversion == '-')
          && i + 1 < format.length()) {
        conversion = format.charAt(++i);
      }
      evaluationContext.charge(8);
      date(time, conversion, out);
      evaluationContext.checkText(out.length());
    }
    return out.toString();
  }

  private static void date(LocalDateTime t, char conversion, StringBuilder out) {
    switch (conversion) {
      case 'Y' -> out.append(t.getYear());
      case 'C' -> two(out, Math.floorDiv(t.getYear(), 100));
      case 'y' -> two(out, Math.floorMod(t.getYear(), 100));
      case 'm' -> two(out, t.getMonthValue());
      case 'd' -> two(out, t.getDayOfMonth());
      case 'e' -> padded(out, t.getDayOfMonth());
      case 'j' -> out.append(String.format(Locale.ROOT, "%03d", t.getDayOfYear()));
      case 'B' -> out.append(MONTHS[t.getMonthValue() - 1]);
      case 'b', 'h' -> out.append(MONTHS[t.getMonthValue() - 1], 0, 3);
      case 'A' -> out.append(DAYS[t.getDayOfWeek().getValue() % 7]);
      case 'a' -> out.append(DAYS[t.getDayOfWeek().getValue() % 7], 0, 3);
      case 'u' -> out.append(t.getDayOfWeek().getValue());
      case 'w' -> out.append(t.getDayOfWeek().getValue() % 7);
      case 'G' -> out.append(t.get(IsoFields.WEEK_BASED_YEAR));
      case 'g' -> two(out, Math.floorMod(t.get(IsoFields.WEEK_BASED_YEAR), 100));
      case 'V' -> two(out, t.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
      case 'U' -> two(out, (t.getDayOfYear() + 6 - t.getDayOfWeek().getValue() % 7) / 7);
      case 'W' -> two(out, (t.getDayOfYear() + 6 - (t.getDayOfWeek().getValue() + 6) % 7) / 7);
      case 'F' -> all(t, "Y-m-d", out);
      case 'D', 'x' -> all(t, "m/d/y", out);
      case 'c' -> all(t, "a b e T Y", out);
      default -> time(t, conversion, out);
    }
  }

  private static void time(LocalDateTime t, char conversion, StringBuilder out) {
    switch (conversion) {
      case 'H' -> two(out, t.getHour());
      case 'I' -> two(out, t.get(ChronoField.CLOCK_HOUR_OF_AMPM));
      case 'k' -> padded(out, t.getHour());
      case 'l' -> padded(out, t.get(ChronoField.CLOCK_HOUR_OF_AMPM));
      case 'M' -> two(out, t.getMinute());
      case 'S' -> two(out, t.getSecond());
      case 'p' -> out.append(t.getHour() < 12 ? "AM" : "PM");
      case 'P' -> out.append(t.getHour() < 12 ? "am" : "pm");
      case 'r' -> all(t, "I:M:S p", out);
      case 'R' -> all(t, "H:M", out);
      case 'T', 'X' -> all(t, "H:M:S", out);
      case 's' -> out.append(t.toEpochSecond(ZoneOffset.UTC));
      case 'Z' -> out.append("UTC");
      case 'z' -> out.append("+0000");
      case 'n' -> out.append('\n');
      case 't' -> out.append('\t');
      case '%' -> out.append('%');
      default -> out.append('%').append(conversion);
    }
  }

  /** Prints conversions, given by letters, and the text between them. */
  private static void all(LocalDateTime time, String pattern, StringBuilder out) {
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (Character.isLetter(c)) {
        date(time, c, out);
      } else {
        out.append(c);
      }
    }
  }

  private static void two(StringBuilder out, int number) {
    out.append(number < 10 ? "0" : "").append(number);
  }

  private static void padded(StringBuilder out, int number) {
    out.append(number < 10 ? " " : "").append(number);
  }
}
