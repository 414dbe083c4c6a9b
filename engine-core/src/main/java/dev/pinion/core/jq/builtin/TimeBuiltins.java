package dev.pinion.core.jq.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** Functions of dates and times. There is one time zone, UTC, and no clock. */
final class TimeBuiltins {
  private static final double MAX_SECONDS = 1e14;

  private TimeBuiltins() {}

  static void register(BuiltinRegistry registry) {
    registry.value("now", (in, evaluationContext) -> now(evaluationContext));
    registry.value("gmtime", TimeBuiltins::brokenDown);
    registry.value("localtime", TimeBuiltins::brokenDown);
    registry.value("mktime", TimeBuiltins::seconds);
    registry.value("timegm", TimeBuiltins::seconds);
    registry.value(
        "strftime",
        (in, format, evaluationContext) -> format(in, format, "strftime/1", evaluationContext));
    registry.value(
        "strflocaltime",
        (in, format, evaluationContext) ->
            format(in, format, "strflocaltime/1", evaluationContext));
    registry.value("strptime", TimeBuiltins::parse);
  }

  private static JsonNode now(EvaluationContext evaluationContext) {
    Payload now = evaluationContext.scope.variable("now");
    if (now == null || !now.json().isNumber()) {
      throw new ExpressionException(
          "expected the time of the evaluation as variable \"now\" for the function \"now\", found "
              + (now == null ? "none" : JqValues.describe(now.json())));
    }
    return now.json();
  }

  private static JsonNode brokenDown(JsonNode in, EvaluationContext evaluationContext) {
    double seconds = NumberBuiltins.number(in);
    evaluationContext.array(16);
    return fields(BrokenDownTime.of(dateTime(seconds)), seconds - Math.floor(seconds));
  }

  private static LocalDateTime dateTime(double seconds) {
    if (!(Math.abs(seconds) <= MAX_SECONDS)) {
      throw new JqException("error converting number of seconds since epoch to datetime");
    }
    return LocalDateTime.ofEpochSecond((long) Math.floor(seconds), 0, ZoneOffset.UTC);
  }

  private static JsonNode fields(BrokenDownTime time, double fraction) {
    List<JsonNode> fields = new ArrayList<>(8);
    fields.add(JqValues.number((long) time.year()));
    fields.add(JqValues.number((long) time.month() - 1));
    fields.add(JqValues.number((long) time.day()));
    fields.add(JqValues.number((long) time.hour()));
    fields.add(JqValues.number((long) time.minute()));
    fields.add(JqValues.number(time.second() + fraction));
    fields.add(JqValues.number((long) time.date().getDayOfWeek().getValue() % 7));
    fields.add(JqValues.number((long) time.date().getDayOfYear() - 1));
    return JqValues.array(fields);
  }

  private static JsonNode seconds(JsonNode in, EvaluationContext evaluationContext) {
    if (!in.isArray()) {
      throw new JqException("mktime requires array of 6 numbers");
    }
    return JqValues.number(
        fromFields(in, "mktime", evaluationContext).toEpochSecond(ZoneOffset.UTC));
  }

  private static LocalDateTime fromFields(
      JsonNode fields, String function, EvaluationContext evaluationContext) {
    long[] numbers = new long[6];
    if (fields.isEmpty()) {
      throw new JqException(function + " requires parsed datetime inputs");
    }
    numbers[2] = 1;
    for (int i = 0; i < fields.size(); i++) {
      JsonNode field = fields.get(i);
      if (!field.isNumber() || !(Math.abs(field.doubleValue()) < 1e9)) {
        throw new JqException(function + " requires parsed datetime inputs");
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
      evaluationContext.chargeFailure();
      throw new JqException("invalid gmtime representation");
    }
  }

  private static JsonNode format(
      JsonNode in, JsonNode format, String function, EvaluationContext evaluationContext) {
    LocalDateTime time;
    if (in.isNumber()) {
      time = dateTime(in.doubleValue());
    } else if (in.isArray()) {
      time = fromFields(in, function, evaluationContext);
    } else {
      throw new JqException(function + " requires parsed datetime inputs");
    }
    if (!format.isTextual()) {
      throw new JqException(function + " requires a string format");
    }
    evaluationContext.charge(10);
    return evaluationContext.textNode(
        TimeFormat.print(time, format.textValue(), evaluationContext));
  }

  private static JsonNode parse(JsonNode in, JsonNode format, EvaluationContext evaluationContext) {
    if (!in.isTextual()) {
      throw new JqException(
          "strptime/1 requires string inputs and arguments, found " + JqValues.describe(in));
    }
    if (!format.isTextual()) {
      throw new JqException("strptime/1 requires string inputs and arguments");
    }
    evaluationContext.array(16);
    evaluationContext.charge(20);
    evaluationContext.scanText((in.textValue().length() + format.textValue().length()) * 8L);
    BrokenDownTime time =
        new TimeParser(in.textValue(), evaluationContext).parse(format.textValue());
    if (time == null) {
      throw new JqException(
          "date \"%s\" does not match format \"%s\""
              .formatted(excerpt(in.textValue()), excerpt(format.textValue())));
    }
    return fields(time, 0);
  }

  private static String excerpt(String text) {
    return text.length() > 100 ? text.substring(0, 100) + "..." : text;
  }
}
