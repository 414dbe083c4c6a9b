package dev.pinion.bootstrap.child;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.MachineProbe;
import dev.pinion.core.stage.ThreadSetup.ThreadKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Pins its own threads and reads their masks back from the kernel. */
@EnabledOnOs(OS.LINUX)
class ThreadPinningTest {
  private static final CpuSet ALL = MachineProbe.probe().allowed();

  @Test
  void shouldPinEventLoopsByTheirNames() throws Exception {
    for (int cpu : ALL.stream().limit(2).toArray()) {
      ThreadPinning pinning = new ThreadPinning(Map.of("thread", cpu), ALL);

      assertEquals(CpuSet.of(cpu), maskAfter(pinning, ThreadKind.CRITICAL));
    }
  }

  @Test
  void shouldRefuseEventLoopThatThePlanDoesNotKnow() {
    ThreadPinning pinning = new ThreadPinning(Map.of("kernel-0", ALL.first()), ALL);

    assertThrows(
        IllegalStateException.class, () -> pinning.prepare("kernel-1", ThreadKind.CRITICAL));
  }

  @Test
  void shouldFreeAncillaryThreadsFromTheMaskTheyInherit() throws Exception {
    ThreadPinning pinning = new ThreadPinning(Map.of("fused-0", ALL.first()), ALL);

    CpuSet mask =
        onThread(
            () -> {
              pinning.prepare("fused-0", ThreadKind.CRITICAL);
              return maskAfter(pinning, ThreadKind.ANCILLARY);
            });

    assertEquals(ALL, mask);
  }

  @Test
  void shouldLeaveThreadsAloneWithoutCpusToPinTo() throws Exception {
    ThreadPinning pinning = new ThreadPinning(Map.of(), CpuSet.EMPTY);

    assertEquals(ALL, maskAfter(pinning, ThreadKind.CRITICAL));
    assertEquals(ALL, maskAfter(pinning, ThreadKind.ANCILLARY));
  }

  private static CpuSet maskAfter(ThreadPinning pinning, ThreadKind threadKind) throws Exception {
    return onThread(
        () -> {
          pinning.prepare("thread", threadKind);
          String label = "Cpus_allowed_list:";
          return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
              .filter(line -> line.startsWith(label))
              .map(line -> CpuSet.parse(line.substring(label.length())))
              .findFirst()
              .orElseThrow();
        });
  }

  private static CpuSet onThread(Callable<CpuSet> work) throws Exception {
    FutureTask<CpuSet> task = new FutureTask<>(work);
    Thread thread = new Thread(task);
    thread.start();
    return task.get(20, TimeUnit.SECONDS);
  }
}
