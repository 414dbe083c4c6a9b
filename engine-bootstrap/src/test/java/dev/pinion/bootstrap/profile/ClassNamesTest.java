package dev.pinion.bootstrap.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassNamesTest {
  @ParameterizedTest
  @CsvSource({
    "[B, byte[]",
    "[[J, long[][]",
    "[Ljava.lang.String;, java.lang.String[]",
    "java.lang.String, java.lang.String",
    "a.b.C$$Lambda/0x00007f1234, a.b.C$$Lambda",
    "a.b.C$$Lambda.0x00007f1234, a.b.C$$Lambda",
    "a.b.C$$Lambda+0x00007f1234/0x1a, a.b.C$$Lambda",
    "a.b.C$$Lambda$17, a.b.C$$Lambda",
    "a.b.C$1, a.b.C$1",
  })
  void shouldBeReadableAndTheSameInEveryRun(String name, String expected) {
    assertEquals(expected, ClassNames.readable(name));
  }
}
