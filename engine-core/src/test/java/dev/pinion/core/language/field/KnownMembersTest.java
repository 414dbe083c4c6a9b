package dev.pinion.core.language.field;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Members that values of a definition may have. */
class KnownMembersTest {
  private static KnownMembers numbered(int first, int end) {
    return KnownMembers.of(IntStream.range(first, end).mapToObj(i -> "m" + i).toList());
  }

  @Test
  void shouldHaveTheMembersOfEither() {
    KnownMembers either = numbered(0, 1).or(numbered(1, 2));

    assertTrue(either.mayHave("m0"));
    assertTrue(either.mayHave("m1"));
    assertFalse(either.mayHave("m2"));
    assertSame(KnownMembers.ANY, either.or(KnownMembers.ANY));
    assertSame(KnownMembers.ANY, KnownMembers.ANY.or(either));
  }

  @Test
  void shouldShareWhatHasAllMembers() {
    KnownMembers two = KnownMembers.of(List.of("a", "b"));

    assertSame(two, two.or(KnownMembers.of(List.of("b"))));
    assertSame(two, two.or(KnownMembers.NONE));
  }

  /** Each task of a long list would have the names of all tasks before it. */
  @Test
  void shouldKnowNothingOfTooManyMembers() {
    KnownMembers most = numbered(0, 1).or(numbered(1, KnownMembers.MAX_NAMES));
    assertFalse(most.mayHave("other"));

    KnownMembers more = most.or(KnownMembers.of(List.of("more")));
    assertTrue(more.mayHave("other"));
  }
}
