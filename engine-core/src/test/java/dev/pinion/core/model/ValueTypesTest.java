package dev.pinion.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.BoundService;
import dev.pinion.core.model.instance.InstanceState;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Budgets, errors, diagnostics and tables. */
class ValueTypesTest {
  @Test
  void shouldSpendABudgetToTheLastStep() {
    Budget budget = new Budget(10);
    budget.charge(4);
    budget.charge(0);
    budget.charge(6);

    assertEquals(0, budget.stepsLeft());
    budget.charge(0);
    assertThrows(BudgetExceededException.class, () -> budget.charge(1));
  }

  @Test
  void shouldStaySpentUntilItIsRenewed() {
    Budget budget = new Budget(10);
    assertThrows(BudgetExceededException.class, () -> budget.charge(11));
    assertThrows(BudgetExceededException.class, () -> budget.charge(0));
    assertThrows(BudgetExceededException.class, () -> budget.charge(Long.MAX_VALUE));
    assertThrows(BudgetExceededException.class, () -> budget.charge(Long.MAX_VALUE));
    assertTrue(budget.stepsLeft() < 0);

    budget.renew(3);
    budget.charge(3);
    assertEquals(0, budget.stepsLeft());
  }

  @Test
  void shouldPauseBetweenSlicesAndEndWhereAWholeBudgetEnds() {
    AtomicInteger pauses = new AtomicInteger();
    Budget budget = Budget.inSlices(100, 10, pauses::incrementAndGet);
    for (int i = 0; i < 100; i++) {
      assertEquals(100 - i, budget.stepsLeft());
      budget.charge(1);
      assertEquals(i / 10, pauses.get());
    }

    assertThrows(BudgetExceededException.class, () -> budget.charge(1));
    assertThrows(BudgetExceededException.class, () -> budget.charge(0));
    assertEquals(9, pauses.get());
  }

  @Test
  void shouldChargeMoreThanASliceAtOnce() {
    AtomicInteger pauses = new AtomicInteger();
    Budget budget = Budget.inSlices(100, 10, pauses::incrementAndGet);
    budget.charge(5);
    budget.charge(90);
    assertEquals(5, budget.stepsLeft());
    assertEquals(1, pauses.get());

    assertThrows(BudgetExceededException.class, () -> budget.charge(6));
    assertEquals(1, pauses.get());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void shouldRefuseABudgetOfNothing(long steps) {
    assertThrows(IllegalArgumentException.class, () -> new Budget(steps));
    assertThrows(IllegalArgumentException.class, () -> Budget.inSlices(steps, 1, () -> {}));
    assertThrows(IllegalArgumentException.class, () -> Budget.inSlices(1, steps, () -> {}));
    assertThrows(IllegalArgumentException.class, () -> new Budget(1).renew(steps));
  }

  @Test
  void shouldHardlyExhaustAnUnlimitedBudget() {
    Budget budget = Budget.unlimited();
    budget.charge(Long.MAX_VALUE / 2);

    assertTrue(budget.stepsLeft() > 0);
  }

  @ParameterizedTest
  @EnumSource
  void shouldMakeErrorsOfStandardTypes(ErrorType type) {
    WorkflowError error = WorkflowError.of(type, "why");

    assertEquals(type.uri(), error.type());
    assertEquals(type.status(), error.status());
    assertTrue(error.status() >= 400 && error.status() < 600);
    assertTrue(error.type().endsWith("/" + type.name().toLowerCase(java.util.Locale.ROOT)));
  }

  @Test
  void shouldTakeTheFirstInstanceOfAnError() {
    WorkflowError error = WorkflowError.of(ErrorType.TIMEOUT, "why").at("/do/0/a");

    assertEquals("/do/0/a", error.instance());
    assertSame(error, error.at("/do/1/b"));
  }

  @Test
  void shouldLeaveOutWhatAnErrorDoesNotHave() {
    assertEquals(
        "{\"type\":\"urn:e\",\"status\":418}",
        new WorkflowError("urn:e", 418, null, null, null).toPayload().toString());
    assertEquals(
        "{\"type\":\"urn:e\",\"status\":418,\"title\":\"t\",\"detail\":\"d\",\"instance\":\"/\"}",
        new WorkflowError("urn:e", 418, "t", "d", "/").toPayload().toString());
  }

  @Test
  void shouldCarryTheErrorOfAnExpression() {
    ExpressionException e = new ExpressionException("no such thing");

    assertEquals(ErrorType.EXPRESSION.uri(), e.error().type());
    assertEquals("no such thing", e.getMessage());
    assertEquals(0, e.getStackTrace().length);
  }

  @Test
  void shouldWriteADiagnosticInOneLine() {
    assertEquals(
        "3:7 /do/0/a: expected a task, found \"cal\"; did you mean \"call\"?",
        new Diagnostic("/do/0/a", 3, 7, "expected a task, found \"cal\"", "call").toString());
    assertEquals(
        "0:0 /: expected an object, found nothing",
        new Diagnostic("", 0, 0, "expected an object, found nothing", null).toString());
  }

  @Test
  void shouldNameDefinitions() {
    assertEquals("n/d/1.0.0", new DefinitionKey("n", "d", "1.0.0").toString());
  }

  @Test
  void shouldFindTheEndpointOfAService() {
    BindingTable table = BindingTable.of(1, java.util.Map.of("a", "http://a"));

    BoundService found = table.service("unknown", "a");
    assertEquals("http://a", found == null ? null : found.next().first().base());
    assertNull(table.service(null, "b"));
    assertNull(BindingTable.EMPTY.service(null, "a"));
    assertTrue(table.serves("a"));
    assertFalse(table.serves("b"));
  }

  @ParameterizedTest
  @EnumSource
  void shouldKnowWhichStatesEnd(InstanceState state) {
    Set<InstanceState> goOn =
        Set.of(
            InstanceState.PENDING,
            InstanceState.RUNNING,
            InstanceState.WAITING,
            InstanceState.SUSPENDED);

    assertEquals(!goOn.contains(state), state.isTerminal());
  }
}
