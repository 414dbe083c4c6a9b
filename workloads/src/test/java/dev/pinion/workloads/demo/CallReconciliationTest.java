package dev.pinion.workloads.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.workloads.stub.StubStatistics;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallReconciliationTest {
  @Test
  void shouldBalanceWhenEveryCallIsThere() {
    // given
    StubStatistics found = new StubStatistics(3, 0, 0, Map.of("s1", 1L, "s2", 2L, "s3", 0L));

    // when
    CallReconciliation account = new CallReconciliation(Map.of("s1", 1L, "s2", 2L), found);

    // then
    assertTrue(account.balances());
    assertEquals(3, account.expectedTotal());
    assertTrue(account.toJson().get("balances").booleanValue());
  }

  @Test
  void shouldNotLetOneServiceMakeUpForAnother() {
    // given
    StubStatistics found = new StubStatistics(3, 0, 0, Map.of("s1", 2L, "s2", 1L));

    // when
    CallReconciliation account = new CallReconciliation(Map.of("s1", 1L, "s2", 2L), found);

    // then
    assertEquals(
        List.of("expected 1 calls of s1, found 2", "expected 2 calls of s2, found 1"),
        account.discrepancies());
  }

  @Test
  void shouldNameEverythingThatIsNotACall() {
    // given
    StubStatistics found = new StubStatistics(2, 1, 1, Map.of("s1", 1L, "s9", 1L));

    // when
    CallReconciliation account = new CallReconciliation(Map.of("s1", 1L, "s2", 1L), found);

    // then
    assertEquals(
        List.of(
            "expected 1 calls of s2, found 0",
            "expected 0 calls of s9, found 1",
            "expected no malformed request, found 1",
            "expected no failed call, found 1"),
        account.discrepancies());
    assertFalse(account.toJson().get("balances").booleanValue());
  }
}
