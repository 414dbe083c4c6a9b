package dev.pinion.bootstrap.brokerd;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BrokerProgramTest {
  @Test
  void shouldTakeALookForHangingOnlyAfterTheLongestOne() {
    long longest = BrokerProgram.LONGEST_LOOK.toNanos();
    assertFalse(BrokerProgram.hangs(0));
    assertFalse(BrokerProgram.hangs(longest));
    assertTrue(BrokerProgram.hangs(longest + 1));
  }
}
