package dev.pinion.bootstrap.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Field fault 16: {@code --input} accepts the same numbers as the engine. */
class CommandInputTest {
  @Test
  void shouldReadNumbersBeyondADoubleAsTheLargestOne() throws CommandException {
    assertEquals("{\"x\":1.7976931348623157E308}", CommandInput.json("{\"x\":1e400}").toString());
    assertEquals("-1.7976931348623157E308", CommandInput.json("-1e400").toString());
    assertEquals("1E-7", CommandInput.json("1e-7").asText().replace(".0", ""));
    assertEquals(
        "123456789012345678901234567890", CommandInput.json("123456789012345678901234567890") + "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "{\"x\": NaN}", "[Infinity]", "-Infinity", "1 2", "{", "'a'"})
  void shouldSayWhatIsNoJsonWithoutTheWordsOfALibrary(String text) {
    CommandException failure = assertThrows(CommandException.class, () -> CommandInput.json(text));

    String message = String.valueOf(failure.getMessage());
    assertTrue(message.startsWith("expected JSON as input, found: "), message);
    for (String word :
        new String[] {"JsonReadFeature", "enable", "Source", "DeserializationFeature"}) {
      assertFalse(message.contains(word), message);
    }
  }
}
