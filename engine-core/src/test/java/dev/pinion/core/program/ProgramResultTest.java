package dev.pinion.core.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ProgramResultTest {
  @Test
  void shouldKeepTheLastWordsOfAFailure() {
    assertEquals("", ProgramResult.lastWords(" \n"));
    assertEquals(": broken", ProgramResult.lastWords("broken\n"));
    assertEquals(": " + "x".repeat(500), ProgramResult.lastWords("x".repeat(500)));
    assertEquals(": …" + "y" + "x".repeat(499), ProgramResult.lastWords("xy" + "x".repeat(499)));
  }

  @Test
  void shouldNotCutACharacterInTwo() {
    String faces = "😀".repeat(300);
    assertEquals(": …" + faces.substring(0, 498) + "x", ProgramResult.lastWords(faces + "x"));
  }
}
