package dev.pinion.bootstrap.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.ReplicaKey;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.stage.ThreadSetup;
import dev.pinion.handlers.run.WorkerPool;
import dev.pinion.handlers.run.WorkerSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HandlerCpusTest {
  private static final HandlerCpus SHARED = new HandlerCpus(Set.of(), "0-7");
  private static final HandlerCpus ANYWHERE = new HandlerCpus(Set.of(), "");
  private static final HandlerCpus OWN = new HandlerCpus(Set.of("handlers-0", "handlers-1"), "3");

  private static WorkerSettings workers(HandlerCpus cpus, int said) {
    return cpus.workers(limits(said, 5), ThreadSetup.NONE);
  }

  private static EngineLimits limits(int workers, int maxStuck) {
    return EngineLimits.defaults()
        .with(Map.of("handlers.workers", workers, "handlers.maxStuckWorkers", maxStuck));
  }

  @Test
  void shouldHaveAsManyWorkersAsSaidOrAsCpus() {
    assertEquals(3, workers(SHARED, 3).count());
    assertEquals(8, workers(SHARED, 0).count());
    assertEquals(Runtime.getRuntime().availableProcessors(), workers(ANYWHERE, 0).count());
    assertEquals(5, workers(SHARED, 3).maxStuck());
  }

  @Test
  void shouldPassTheBoundsOfWorkersOn() throws Exception {
    for (int stuck : new int[] {0, 1, 10_000}) {
      EngineLimits limits = limits(2, stuck);
      WorkerSettings workers = HandlerAssembly.workers(limits, SHARED, ThreadSetup.NONE);
      assertEquals(stuck, workers.maxStuck());
      assertEquals(2, workers.count());
      HandlerCpus three = new HandlerCpus(Set.of("handlers-0", "handlers-1", "handlers-2"), "");
      assertThrows(
          IOException.class, () -> HandlerAssembly.workers(limits, three, ThreadSetup.NONE));
    }
  }

  @Test
  void shouldSpinOnlyOnCpusThatWorkersOwnAlone() {
    assertFalse(workers(SHARED, 0).spins());
    assertFalse(workers(ANYWHERE, 0).spins());
    assertTrue(workers(OWN, 0).spins());
    assertEquals(100, workers(OWN, 0).spinMillis(), "loop.spinMillis");
    assertEquals(2, workers(OWN, 0).count());
    assertEquals(2, workers(OWN, 2).count());
    String refusal =
        assertThrows(IllegalArgumentException.class, () -> workers(OWN, 3)).getMessage();
    assertTrue(String.valueOf(refusal).contains("to be 0 or 2"), refusal);
  }

  @Test
  void shouldTakeWorkersFromThePinsOfTheReplica() {
    EffectiveSettings settings =
        EffectiveSettings.defaults(Path.of("data"))
            .put(ReplicaKey.WAITING, "request=park,kernel=park,invoker=park,handlers=spin:1")
            .put(ReplicaKey.PINS, "fused-0=0,handlers-0=1")
            .put(ReplicaKey.ANCILLARY_CPUS, "2-3")
            .build();

    assertEquals(new HandlerCpus(Set.of("handlers-0"), "2-3"), HandlerCpus.of(settings));
  }

  @Test
  void shouldPutEachWorkerOnItsCpu() throws Exception {
    List<String> prepared = new CopyOnWriteArrayList<>();
    CountDownLatch all = new CountDownLatch(3);
    ThreadSetup threads =
        (role, threadKind) -> {
          prepared.add(role + " " + threadKind);
          all.countDown();
        };
    try (WorkerPool own = new WorkerPool(OWN.workers(limits(0, 0), threads), Clock.system());
        WorkerPool shared = new WorkerPool(SHARED.workers(limits(1, 0), threads), Clock.system())) {
      assertTrue(all.await(30, TimeUnit.SECONDS));
      assertEquals(3, own.count() + shared.count());
    }

    assertEquals(
        List.of("handlers ANCILLARY", "handlers-0 CRITICAL", "handlers-1 CRITICAL"),
        prepared.stream().sorted().toList());
  }
}
