package dev.pinion.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingSuggestionTest {
  private static final List<String> WORDS = List.of("switch", "set", "wait", "raise", "fork");

  @ParameterizedTest
  @CsvSource({
    "swtich, switch",
    "swich, switch",
    "ste, set",
    "wiat, wait",
    "rais, raise",
    "fork, fork"
  })
  void shouldFindTheNearest(String word, String expected) {
    assertEquals(expected, SpellingSuggestion.of(word, WORDS));
  }

  @Test
  void shouldFindNothingFarAway() {
    assertNull(SpellingSuggestion.of("continue", WORDS));
    assertNull(SpellingSuggestion.of("x", List.of("abcd")));
    assertNull(SpellingSuggestion.of("word", List.of()));
    assertNull(SpellingSuggestion.of("a", List.of("if")), "no letter in common");
  }

  @Test
  void shouldHintAtTheNearestOrAtAll() {
    assertEquals("did you mean \"wait\"?", SpellingSuggestion.hint("wayt", WORDS));
    assertEquals("known are a, b", SpellingSuggestion.hint("something", List.of("a", "b")));
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', 0",
    "a, '', 1",
    "ab, ba, 1",
    "abc, acb, 1",
    "kitten, sitting, 3",
    "ca, abc, 3"
  })
  void shouldMeasureEdits(String a, String b, int expected) {
    assertEquals(expected, SpellingSuggestion.distance(a, b));
    assertEquals(expected, SpellingSuggestion.distance(b, a));
  }

  @Test
  void shouldCompareWordsUpToALength() {
    String longest = "x".repeat(SpellingSuggestion.MAX_CHARS);

    assertEquals("y" + longest, SpellingSuggestion.of(longest, List.of("y" + longest)));
    assertNull(SpellingSuggestion.of(longest + "x", List.of(longest)));
    // a table of all prefixes would not fit in memory
    assertNull(SpellingSuggestion.of("x".repeat(100_000), List.of("y".repeat(100_000))));
  }

  @Test
  void shouldCompareWithSoManyCandidates() {
    List<String> candidates =
        new ArrayList<>(Collections.nCopies(SpellingSuggestion.MAX_COMPARED - 1, "other"));
    candidates.add("fourk");
    assertEquals("fourk", SpellingSuggestion.of("fork", candidates));

    candidates.addFirst("other");
    assertNull(SpellingSuggestion.of("fork", candidates));
  }

  @Test
  void shouldNotCompareWordsWhoseLengthsTellThemApart() {
    // a table of all prefixes would not fit in memory
    assertNull(SpellingSuggestion.of("x".repeat(50_000_000), List.of("y".repeat(20_000))));
  }
}
