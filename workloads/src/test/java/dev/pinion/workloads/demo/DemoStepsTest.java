package dev.pinion.workloads.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.demo.FakeEngine.Fault;
import dev.pinion.workloads.stub.StubService;
import dev.pinion.workloads.stub.StubSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class DemoStepsTest {
  private static final DemoSettings SETTINGS = new DemoSettings(Duration.ofMillis(300), 3, false);

  private StubService stub;

  @BeforeEach
  void start() {
    stub = StubService.start(StubSettings.standard());
  }

  @AfterEach
  void stop() {
    stub.close();
  }

  @Test
  void shouldAccountForThirtyCalls() throws Exception {
    try (FakeEngine engine = new FakeEngine(Fault.NONE);
        DemoSteps demo = new DemoSteps(engine.uri(), stub.uri(), SETTINGS)) {
      // when
      demo.deployAll();
      List<InstanceResult> runs = demo.runAll();
      CallReconciliation calls = demo.account(runs);

      // then
      assertEquals(5, runs.size());
      assertTrue(runs.stream().allMatch(InstanceResult::isRight), runs::toString);
      assertEquals(30, calls.expectedTotal());
      assertEquals(30, calls.found().total());
      assertEquals(List.of(), calls.discrepancies());
      assertTrue(isRight(runs, calls, demo.load(Workload.PARALLEL)));
    }
  }

  @Test
  void shouldNoticeACallThatNobodyOrdered() throws Exception {
    try (FakeEngine engine = new FakeEngine(Fault.ONE_CALL_TOO_MANY);
        DemoSteps demo = new DemoSteps(engine.uri(), stub.uri(), SETTINGS)) {
      // when
      demo.deployAll();
      List<InstanceResult> runs = demo.runAll();
      CallReconciliation calls = demo.account(runs);
      LoadOutcome load = demo.load(Workload.TRIP_PLANNER);

      // then
      assertTrue(runs.stream().allMatch(InstanceResult::isRight), runs::toString);
      assertEquals(
          List.of("expected 4 calls of s3, found 5", "expected 30 calls in total, found 31"),
          calls.discrepancies());
      assertFalse(isRight(runs, calls, load));
      assertEquals(0, load.result().errorCount());
      assertEquals(7 * load.result().sent(), load.calls());
      assertFalse(load.isRight());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"WRONG_OUTPUT", "FAULTED"})
  void shouldNoticeWrongResults(Fault fault) throws Exception {
    try (FakeEngine engine = new FakeEngine(fault);
        DemoSteps demo = new DemoSteps(engine.uri(), stub.uri(), SETTINGS)) {
      // when
      demo.deployAll();
      List<InstanceResult> runs = demo.runAll();
      CallReconciliation calls = demo.account(runs);
      LoadOutcome load = demo.load(Workload.LOOP);

      // then
      assertTrue(runs.stream().noneMatch(InstanceResult::isRight), runs::toString);
      assertTrue(calls.balances());
      assertFalse(isRight(runs, calls, load));
      assertEquals(load.result().sent(), load.result().errorCount());
      assertFalse(load.isRight());
    }
  }

  @Test
  void shouldSayWhyADefinitionIsRefused() throws Exception {
    try (FakeEngine engine = new FakeEngine(Fault.REFUSES_DEFINITIONS);
        DemoSteps demo = new DemoSteps(engine.uri(), stub.uri(), SETTINGS)) {
      // when
      DemoException refusal = assertThrows(DemoException.class, demo::deployAll);

      // then
      String sentence = String.valueOf(refusal.getMessage());
      assertTrue(sentence.contains("definition sequential"), sentence);
      assertTrue(sentence.contains("422"), sentence);
      assertTrue(sentence.contains("not a definition"), sentence);
    }
  }

  // Field fault 30
  @Test
  void shouldSayWhenTheMachineWasBusyAndThatFirstRunsAreCold() {
    StringWriter out = new StringWriter();
    DemoPrinter text = new DemoPrinter(new PrintWriter(out));

    text.load(new MachineLoad(0.9, 2));
    text.load(new MachineLoad(-1, 2));
    text.runs(List.of());
    assertEquals(
        "One instance of each workload, cold: the first one in an engine that has just started",
        out.toString().strip());
    text.load(new MachineLoad(12, 2));

    assertTrue(out.toString().contains("a load average of 12.0 on 2 CPUs"), out::toString);
  }

  private static boolean isRight(
      List<InstanceResult> runs, CallReconciliation calls, LoadOutcome load) {
    return new DemoReport(
            JsonNodeFactory.instance.nullNode(),
            new MachineLoad(0, 2),
            List.of(),
            runs,
            calls,
            List.of(load),
            false)
        .isRight();
  }
}
