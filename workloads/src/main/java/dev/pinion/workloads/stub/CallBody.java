package dev.pinion.workloads.stub;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** Reads the body of a call: a JSON object whose integer {@code value}, if it has one, is used. */
final class CallBody {
  /** Result of {@link #value} for a body in an invalid format. */
  static final long MALFORMED = Long.MIN_VALUE;

  private static final JsonFactory JSON = new JsonFactory();

  private CallBody() {}

  /**
   * The value in a body, 0 if there is none.
   *
   * @return the value, or {@link #MALFORMED}
   */
  static long value(byte[] body, int length) {
    try (JsonParser parser = JSON.createParser(body, 0, length)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return MALFORMED;
      }
      long value = readObject(parser);
      return parser.nextToken() == null ? value : MALFORMED;
    } catch (IOException malformed) {
      return MALFORMED;
    }
  }

  private static long readObject(JsonParser parser) throws IOException {
    long value = 0;
    String name;
    while ((name = parser.nextFieldName()) != null) {
      JsonToken token = parser.nextToken();
      if (name.equals("value")) {
        value = integer(parser, token);
      }
      parser.skipChildren();
    }
    return value;
  }

  private static long integer(JsonParser parser, JsonToken token) throws IOException {
    if (token != JsonToken.VALUE_NUMBER_INT) {
      return MALFORMED;
    }
    long value = parser.getLongValue();
    return Math.abs(value) <= ServiceModel.MAX_VALUE ? value : MALFORMED;
  }
}
