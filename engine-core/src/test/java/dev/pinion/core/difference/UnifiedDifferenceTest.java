package dev.pinion.core.difference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnifiedDifferenceTest {
  private static String difference(String from, String to) {
    return UnifiedDifference.of("a", from, "b", to);
  }

  private static String lines(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> "line " + i + "\n")
        .collect(Collectors.joining());
  }

  @Test
  void shouldTellNothingOfEqualTexts() {
    assertEquals("", difference("", ""));
    assertEquals("", difference("x\ny", "x\ny"));
  }

  @Test
  void shouldShowThreeLinesAround() {
    assertEquals(
        """
        --- a
        +++ b
        @@ -3,7 +3,7 @@
         line 3
         line 4
         line 5
        -line 6
        +changed
         line 7
         line 8
         line 9
        """,
        difference(lines(12), lines(12).replace("line 6\n", "changed\n")));
  }

  @Test
  void shouldJoinWhatIsNearAndPartWhatIsFar() {
    String from = lines(30);
    String to =
        from.replace("line 2\n", "").replace("line 9\n", "").replace("line 20\n", "line 20\nnew\n");

    assertEquals(
        """
        --- a
        +++ b
        @@ -1,12 +1,10 @@
         line 1
        -line 2
         line 3
         line 4
         line 5
         line 6
         line 7
         line 8
        -line 9
         line 10
         line 11
         line 12
        @@ -18,6 +16,7 @@
         line 18
         line 19
         line 20
        +new
         line 21
         line 22
         line 23
        """,
        difference(from, to));
  }

  @Test
  void shouldTellWhetherTheLastLineEnds() {
    assertEquals(
        """
        --- a
        +++ b
        @@ -1,2 +1,2 @@
         x
        -y
        \\ No newline at end of file
        +y
        """,
        difference("x\ny", "x\ny\n"));
  }

  @Test
  void shouldNameTheLineBeforeAnEmptyRange() {
    assertEquals("--- a\n+++ b\n@@ -0,0 +1,2 @@\n+x\n+y\n", difference("", "x\ny\n"));
    assertEquals("--- a\n+++ b\n@@ -1 +0,0 @@\n-x\n", difference("x\n", ""));
  }
}
