package dev.pinion.core.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextPatternTest {
  @ParameterizedTest
  @CsvSource({
    "com.example.paid, com.example.paid, true",
    "com.example.paid, com-example-paid, false",
    "com\\.example\\..*, com.example.paid, true",
    "com\\.example\\..*, org.com.example.paid, false",
    "com\\.example\\.(paid|sent), com.example.sent, true",
    "com\\.example\\.(paid|sent), com.example.sent.late, false",
    "^a$, a, true",
    "'https://a/[', 'https://a/[', true",
    "'https://a/[', 'https://a/', false",
    "a+b, a+b, true",
    "a+b, aab, true"
  })
  void shouldMatchWhatIsEqualOrDescribed(String text, String value, boolean expected) {
    TextPattern pattern = TextPattern.of(text, 100);
    assertEquals(expected, pattern.matches(value, new Budget(1_000)));
  }

  @Test
  void shouldRefuseWhatHasTooManyParts() {
    TextPattern fits = TextPattern.of("a{99}", 100);
    assertTrue(fits.matches("a".repeat(99), new Budget(1_000)));
    String message =
        Objects.requireNonNull(
            assertThrows(IllegalArgumentException.class, () -> TextPattern.of("(a{99}){99}", 100))
                .getMessage());
    assertTrue(message.contains("definition.maxPatternSize"), message);
  }

  @Test
  void shouldCostWhatMatchingMayTake() {
    TextPattern pattern = TextPattern.of("(a|b)*c", 100);
    assertThrows(
        BudgetExceededException.class,
        () -> pattern.matches("a".repeat(10_000), new Budget(1_000)));
  }
}
