package dev.pinion.core.schedule;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/** The five fields of a cron expression: their ranges and names. */
enum CronField {
  MINUTE("minute", 0, 59, List.of()),
  HOUR("hour", 0, 23, List.of()),
  DAY_OF_MONTH("day of month", 1, 31, List.of()),
  MONTH(
      "month",
      1,
      12,
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")),
  /** 0 and 7 are Sunday. */
  DAY_OF_WEEK("day of week", 0, 7, List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"));

  private static final int SUNDAY = 7;
  private static final int NOT_A_NUMBER = -1;

  private final String title;
  private final int min;
  private final int max;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> names;

  CronField(String title, int min, int max, List<String> names) {
    this.title = title;
    this.min = min;
    this.max = max;
    this.names = names;
  }

  String title() {
    return title;
  }

  /**
   * The values that a text selects: a list of values, ranges and steps.
   *
   * @throws CronSyntaxException when it selects none or is of another form
   */
  BitSet parse(String text) throws CronSyntaxException {
    BitSet selected = new BitSet(max + 1);
    for (String item : text.split(",", -1)) {
      addItem(item, text, selected);
    }
    if (this == DAY_OF_WEEK && selected.get(SUNDAY)) {
      selected.clear(SUNDAY);
      selected.set(0);
    }
    return selected;
  }

  private void addItem(String item, String text, BitSet selected) throws CronSyntaxException {
    int slash = item.indexOf('/');
    String range = slash < 0 ? item : item.substring(0, slash);
    int step = slash < 0 ? 1 : step(item.substring(slash + 1), text);
    int from;
    int to;
    if (range.equals("*")) {
      from = min;
      to = this == DAY_OF_WEEK ? max - 1 : max;
    } else {
      int dash = range.indexOf('-');
      from = value(dash < 0 ? range : range.substring(0, dash), text);
      to = dash < 0 ? (slash < 0 ? from : max) : value(range.substring(dash + 1), text);
      if (to < from) {
        throw problem("a range that ascends", range, text);
      }
    }
    for (int value = from; value <= to; value += step) {
      selected.set(value);
    }
  }

  private int step(String text, String all) throws CronSyntaxException {
    int step = number(text);
    if (step < 1 || step > max) {
      throw problem("a step from 1 to " + max, text, all);
    }
    return step;
  }

  private int value(String text, String all) throws CronSyntaxException {
    int position = names.indexOf(text.toUpperCase(Locale.ROOT));
    int value = position < 0 ? number(text) : position + min;
    if (value < min || value > max) {
      String orName = names.isEmpty() ? "" : " or a name such as " + names.get(1);
      throw problem("a number from " + min + " to " + max + orName, text, all);
    }
    return value;
  }

  /** The value of one or two digits, or a negative number. */
  private static int number(String text) {
    if (text.isEmpty() || text.length() > 2) {
      return NOT_A_NUMBER;
    }
    int value = 0;
    for (int i = 0; i < text.length(); i++) {
      char digit = text.charAt(i);
      if (digit < '0' || digit > '9') {
        return NOT_A_NUMBER;
      }
      value = 10 * value + digit - '0';
    }
    return value;
  }

  private CronSyntaxException problem(String expected, String found, String all) {
    String within = found.equals(all) ? "" : " in \"" + all + "\"";
    return new CronSyntaxException(
        "expected " + expected + " as " + title + ", found \"" + found + "\"" + within);
  }
}
