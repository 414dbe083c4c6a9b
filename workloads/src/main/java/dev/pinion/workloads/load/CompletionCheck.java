package dev.pinion.workloads.load;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Expects an engine's response to a start: status 200, state {@code COMPLETED} and exactly this
 * output. Every response is parsed to its end. An output with the expected bytes is right; one with
 * other bytes is compared as JSON, where neither the order of fields nor the way a number is
 * written matters.
 */
public final class CompletionCheck implements ResponseCheck {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> STATES =
      Set.of("RUNNING", "WAITING", "SUSPENDED", "COMPLETED", "FAULTED", "CANCELLED");

  private final JsonNode expected;
  private final byte[] expectedBytes;

  /** Copies the expected output. */
  public CompletionCheck(JsonNode output) {
    expected = output.deepCopy();
    try {
      expectedBytes = JSON.writeValueAsBytes(output);
    } catch (JsonProcessingException impossible) {
      throw new IllegalArgumentException("expected an output that JSON can hold", impossible);
    }
  }

  @Override
  public @Nullable Problem check(int status, byte[] body, int length) {
    if (status != 200) {
      return Problem.of("status " + status, body, length);
    }
    try (JsonParser parser = JSON.getFactory().createParser(body, 0, length)) {
      ParsedResponse parsedResponse = read(parser, body);
      if (parser.nextToken() != null) {
        return Problem.of("not JSON", body, length);
      }
      if (!parsedResponse.state.equals("COMPLETED")) {
        String state = STATES.contains(parsedResponse.state) ? parsedResponse.state : "unknown";
        return Problem.of("state " + state, body, length);
      }
      return parsedResponse.rightOutput ? null : Problem.of("wrong output", body, length);
    } catch (IOException malformed) {
      return Problem.of("not JSON", body, length);
    }
  }

  private ParsedResponse read(JsonParser parser, byte[] body) throws IOException {
    ParsedResponse parsedResponse = new ParsedResponse();
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      return parsedResponse;
    }
    String name;
    while ((name = parser.nextFieldName()) != null) {
      JsonToken token = parser.nextToken();
      if (name.equals("state") && token == JsonToken.VALUE_STRING) {
        parsedResponse.state = parser.getText();
      } else if (name.equals("output")) {
        parsedResponse.rightOutput = isExpected(parser, body);
      } else {
        parser.skipChildren();
      }
    }
    return parsedResponse;
  }

  private boolean isExpected(JsonParser parser, byte[] body) throws IOException {
    int from = (int) parser.currentTokenLocation().getByteOffset();
    parser.skipChildren();
    parser.finishToken();
    int to = (int) parser.currentLocation().getByteOffset();
    return Arrays.equals(body, from, to, expectedBytes, 0, expectedBytes.length)
        || JSON.readTree(body, from, to - from).equals(CompletionCheck::compareNumbers, expected);
  }

  private static int compareNumbers(JsonNode one, JsonNode other) {
    if (one.isNumber() && other.isNumber()) {
      return one.decimalValue().compareTo(other.decimalValue());
    }
    return one.equals(other) ? 0 : 1;
  }

  private static final class ParsedResponse {
    private String state = "missing";
    private boolean rightOutput;
  }
}
