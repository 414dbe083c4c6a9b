package dev.pinion.bootstrap.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadGroupsTest {
  @ParameterizedTest
  @CsvSource({
    "fused-0, fused, LOOP",
    "kernel-12, kernel, KERNEL",
    "invoker-1, invoker, INVOKER",
    "request-0, request, REQUEST",
    "evaluator-0, evaluator, EVALUATOR",
    "journal-0, journal, JOURNAL",
    "safe-store-0, safe-store, JOURNAL",
    "handlers-3, handlers, HANDLERS",
    "lp-solver, lp-solver, BROKER",
    "broker-request-2, broker-request, BROKER",
    "profile, profile, PROFILER",
    "deployer-0, deployer, OTHER",
    "main, main, OTHER",
    "G1 Conc#0, garbage collector and VM, GC",
    "GC Thread#1, garbage collector and VM, GC",
    "VM Thread, garbage collector and VM, GC",
    "C2 CompilerThre, JIT compiler, JIT",
    "JFR Sampler Thr, profiler, PROFILER",
    "42, unnamed, OTHER",
  })
  void shouldSortThreadsByName(String thread, String group, PipelineStage stage) {
    assertEquals(group, ThreadGroups.group(thread));
    assertEquals(stage, ThreadGroups.stage(thread));
  }

  @Test
  void shouldTellStagesOfOneThreadApartByTheInnermostCode() {
    String loop = "dev.pinion.core.loop.StageLoop.run";
    String kernel = "dev.pinion.core.kernel.Kernel.doWork";
    String expression = "dev.pinion.core.jq.code.PathCode.evaluate";
    String invoker = "dev.pinion.core.invoker.Invoker.doWork";

    assertEquals(PipelineStage.LOOP, ThreadGroups.stage("fused-0", List.of(loop)));
    assertEquals(
        PipelineStage.KERNEL, ThreadGroups.stage("fused-0", List.of(loop, kernel, expression)));
    assertEquals(
        PipelineStage.INVOKER, ThreadGroups.stage("fused-0", List.of(loop, kernel, invoker)));
    assertEquals(PipelineStage.INVOKER, ThreadGroups.stage("invoker-0", List.of(loop)));
  }

  @Test
  void shouldLeaveThreadsOfOneUseTheirUse() {
    List<String> stack = List.of("dev.pinion.core.kernel.step.Activity.variable");

    assertEquals(PipelineStage.EVALUATOR, ThreadGroups.stage("evaluator-0", stack));
  }
}
