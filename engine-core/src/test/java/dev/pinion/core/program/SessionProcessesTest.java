package dev.pinion.core.program;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SessionProcessesTest {
  @Test
  void shouldReadTheSessionBehindAnyName() {
    assertTrue(SessionProcesses.isIn(5, "7 (sh) S 1 7 5 0 -1 4194304 93"));
    assertTrue(SessionProcesses.isIn(5, "7 (a) R 1 2 3 (b) S 1 7 5 0 -1"));
    assertFalse(SessionProcesses.isIn(7, "7 (sh) S 1 7 5 0 -1"));
    assertFalse(SessionProcesses.isIn(1, "7 (sh) S 1 7 5 0 -1"));
  }

  @Test
  void shouldLeaveOutWhatHasEnded() {
    assertFalse(SessionProcesses.isIn(5, "7 (sh) Z 1 7 5 0 -1"));
    assertFalse(SessionProcesses.isIn(5, ""));
    assertFalse(SessionProcesses.isIn(5, "7 (sh) S"));
  }
}
