package dev.pinion.core.api.filter;

import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.QueryParameters;
import dev.pinion.core.model.Rfc3339;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** A query parameter that is a time of RFC 3339. */
final class TimeParameter {
  private TimeParameter() {}

  /** The time in milliseconds since the epoch; null when the parameter is absent. */
  static @Nullable Long of(QueryParameters from, String name) throws ProblemException {
    String text = from.get(name);
    if (text == null) {
      return null;
    }
    try {
      return Rfc3339.parse(text).toEpochMilli();
    } catch (DateTimeParseException | ArithmeticException e) {
      throw new ProblemException(
          ProblemType.BAD_PARAMETER,
          "expected " + name + " such as 2026-01-31T12:00:00Z, found " + Problem.quoted(text));
    }
  }
}
