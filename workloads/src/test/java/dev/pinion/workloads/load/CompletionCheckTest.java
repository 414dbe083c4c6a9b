package dev.pinion.workloads.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.workloads.load.ResponseCheck.Problem;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionCheckTest {
  private static final String EXPECTED = "{\"a\":[1,\"ü\",null],\"b\":{\"c\":2}}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\":\"i_1\",\"state\":\"COMPLETED\",\"output\":" + EXPECTED + "}",
        "{\"output\":" + EXPECTED + ",\"state\":\"COMPLETED\",\"x\":{\"state\":\"FAULTED\"}}",
        "{\"state\":\"COMPLETED\",\"output\":{\"b\":{\"c\":2.0},\"a\":[1,\"\\u00fc\",null]}}",
        " { \"state\" : \"COMPLETED\" , \"output\" : { \"a\":[1, \"ü\",null],\"b\":{\"c\":2}} } ",
      })
  void shouldAcceptTheOutputHoweverItIsWritten(String answer) throws Exception {
    assertNull(check(200, answer));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "200|{\"state\":\"COMPLETED\",\"output\":{\"a\":[1,\"ü\",null],\"b\":{\"c\":3}}}|wrong output",
        "200|{\"state\":\"COMPLETED\",\"output\":{\"a\":[1,\"ü\"],\"b\":{\"c\":2}}}|wrong output",
        "200|{\"state\":\"COMPLETED\",\"output\":{\"b\":{\"c\":2}}}|wrong output",
        "200|{\"state\":\"COMPLETED\",\"x\":{\"output\":" + EXPECTED + "}}|wrong output",
        "200|{\"state\":\"COMPLETED\",\"output\":null}|wrong output",
        "200|{\"state\":\"COMPLETED\"}|wrong output",
        "200|{\"state\":\"FAULTED\",\"output\":" + EXPECTED + "}|state FAULTED",
        "200|{\"state\":\"made up\",\"output\":" + EXPECTED + "}|state unknown",
        "200|{\"output\":" + EXPECTED + "}|state unknown",
        "200|[]|not JSON",
        "200|{\"state\":\"COMPLETED\",\"output\":" + EXPECTED + "|not JSON",
        "200|{\"state\":\"COMPLETED\",\"output\":" + EXPECTED + "} {}|not JSON",
        "200|''|state unknown",
        "202|{\"state\":\"COMPLETED\",\"output\":" + EXPECTED + "}|status 202",
        "503|{}|status 503",
      })
  void shouldTellWhatIsWrong(int status, String answer, String kind) throws Exception {
    // when
    Problem problem = check(status, answer);

    // then
    assertNotNull(problem);
    assertEquals(kind, problem.kind());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "\"text\"", "true", "null", "[]", "-12345"})
  void shouldCompareOutputsOfEveryType(String output) throws Exception {
    CompletionCheck check = new CompletionCheck(new ObjectMapper().readTree(output));
    for (String after : new String[] {"}", ",\"z\":1}", " }"}) {
      byte[] right = ("{\"state\":\"COMPLETED\",\"output\":" + output + after).getBytes(UTF_8);
      byte[] wrong = ("{\"state\":\"COMPLETED\",\"output\":99" + after).getBytes(UTF_8);
      assertNull(check.check(200, right, right.length));
      assertNotNull(check.check(200, wrong, wrong.length));
    }
  }

  @Test
  void shouldShowTheBeginningOfALongAnswer() throws Exception {
    // when
    Problem problem = check(500, "x".repeat(10_000));

    // then
    assertNotNull(problem);
    assertEquals("x".repeat(300) + "…", problem.detail());
  }

  private static @Nullable Problem check(int status, String answer) throws JsonProcessingException {
    byte[] body = answer.getBytes(UTF_8);
    byte[] buffer = Arrays.copyOf(body, body.length + 100);
    Arrays.fill(buffer, body.length, buffer.length, (byte) '}');
    return new CompletionCheck(new ObjectMapper().readTree(EXPECTED))
        .check(status, buffer, body.length);
  }
}
