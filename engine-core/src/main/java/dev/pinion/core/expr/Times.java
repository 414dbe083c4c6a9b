package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** Functions of dates and times. There is one time zone, UTC, and no clock. */
final class Times {
  private static final double MAX_SECONDS = 1e14;

  private Times() {}

  static void register(Builtins.Registry registry) {
    registry.value("now", (in, run) -> now(run));
    registry.value("gmtime", Times::brokenDown);
    registry.value("localtime", Times::brokenDown);
    registry.value("mktime", Times::seconds);
    registry.value("timegm", Times::seconds);
    registry.value("strftime", (in, format, run) -> format(in, format, "strftime/1", run));
    registry.value(
        "strflocaltime", (in, format, run) -> format(in, format, "strflocaltime/1", run));
    registry.value("strptime", Times::parse);
  }

  private static JsonNode now(Run run) {
    Payload now = run.scope.variable("now");
    if (now == null || !now.json().isNumber()) {
      throw new ExpressionException(
          "expected the time of the evaluation as variable \"now\" for the function \"now\", found "
              + (now == null ? "none" : Json.describe(now.json())));
    }
    return now.json();
  }

  private static JsonNode brokenDown(JsonNode in, Run run) {
    double seconds = Numbers.number(in, "gmtime/0, which takes seconds since 1970");
    run.array(16);
    return fields(dateTime(seconds), seconds - Math.floor(seconds));
  }

  private static LocalDateTime dateTime(double seconds) {
    if (!(Math.abs(seconds) <= MAX_SECONDS)) {
      throw new JqError("error converting number of seconds since epoch to datetime");
    }
    return LocalDateTime.ofEpochSecond((long) Math.floor(seconds), 0, ZoneOffset.UTC);
  }

  private static JsonNode fields(LocalDateTime time, double fraction) {
    List<JsonNode> fields = new ArrayList<>(8);
    fields.add(Json.number((long) time.getYear()));
    fields.add(Json.number((long) time.getMonthValue() - 1));
    fields.add(Json.number((long) time.getDayOfMonth()));
    fields.add(Json.number((long) time.getHour()));
    fields.add(Json.number((long) time.getMinute()));
    fields.add(Json.number(time.getSecond() + fraction));
    fields.add(Json.number((long) time.getDayOfWeek().getValue() % 7));
    fields.add(Json.number((long) time.getDayOfYear() - 1));
    return Json.array(fields);
  }

  private static JsonNode seconds(JsonNode in, Run run) {
    if (!in.isArray()) {
      throw new JqError("mktime requires array of 6 numbers");
    }
    return Json.number(fromFields(in, "mktime", run).toEpochSecond(ZoneOffset.UTC));
  }

  private static LocalDateTime fromFields(JsonNode fields, String function, Run run) {
    long[] numbers = new long[6];
    if (fields.isEmpty()) {
      throw new JqError(function + " requires parsed datetime inputs");
    }
    numbers[2] = 1;
    for (int i = 0; i < fields.size(); i++) {
      JsonNode field = fields.get(i);
      if (!field.isNumber() || !(Math.abs(field.doubleValue()) < 1e9)) {
        throw new JqError(function + " requires parsed datetime inputs");
      }
      if (i < numbers.length) {
        numbers[i] = (long) field.doubleValue();
      }
    }
    try {
      return LocalDate.of((int) numbers[0], 1, 1)
          .plusMonths(numbers[1])
          .plusDays(numbers[2] - 1)
          .atStartOfDay()
          .plusHours(numbers[3])
          .plusMinutes(numbers[4])
          .plusSeconds(numbers[5]);
    } catch (DateTimeException e) {
      run.failure();
      throw new JqError("invalid gmtime representation");
    }
  }

  private static JsonNode format(JsonNode in, JsonNode format, String function, Run run) {
    LocalDateTime time;
    if (in.isNumber()) {
      time = dateTime(in.doubleValue());
    } else if (in.isArray()) {
      time = fromFields(in, function, run);
    } else {
      throw new JqError(function + " requires parsed datetime inputs");
    }
    if (!format.isTextual()) {
      throw new JqError(function + " requires a string format");
    }
    run.charge(10);
    return run.textNode(TimeFormat.print(time, format.textValue(), run));
  }

  private static JsonNode parse(JsonNode in, JsonNode format, Run run) {
    if (!in.isTextual()) {
      throw new JqError(
          "strptime/1 requires string inputs and arguments, found " + Json.describe(in));
    }
    if (!format.isTextual()) {
      throw new JqError("strptime/1 requires string inputs and arguments");
    }
    run.array(16);
    run.charge(20);
    run.scanText((in.textValue().length() + format.textValue().length()) * 8L);
    LocalDateTime time = new TimeParser(in.textValue(), run).parse(format.textValue());
    if (time == null) {
      throw new JqError(
          "date \"%s\" does not match format \"%s\""
              .formatted(excerpt(in.textValue()), excerpt(format.textValue())));
    }
    return fields(time, 0);
  }

  private static String excerpt(String text) {
    return text.length() > 100 ? text.substring(0, 100) + "..." : text;
  }
}
