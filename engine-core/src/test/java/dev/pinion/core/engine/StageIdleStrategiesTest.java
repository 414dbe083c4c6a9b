package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.InMemoryDefinitionStore;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.loop.IdleStrategy;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.StageIdleStrategies;
import dev.pinion.core.settings.StageLayout;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StageIdleStrategiesTest {
  private static final StageIdleStrategies KERNEL_AWAKE =
      new StageIdleStrategies(IdleStrategy.PARK, IdleStrategy.YIELD, IdleStrategy.PARK);

  private final Map<String, Long> threads = new ConcurrentHashMap<>();

  @Test
  void shouldWaitByStage() throws IOException {
    try (Engine _ =
        Engine.start(
            settings()
                .withStageLayout(new StageLayout.Pipelined(1, 1, 1))
                .withIdleStrategy(KERNEL_AWAKE)
                .withThreads(
                    (role, threadKind) -> threads.put(role, Thread.currentThread().threadId())))) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> cpuNanos("kernel-0") > TimeUnit.MILLISECONDS.toNanos(400));

      assertTrue(cpuNanos("request-0") < TimeUnit.MILLISECONDS.toNanos(200));
      assertTrue(cpuNanos("invoker-0") < TimeUnit.MILLISECONDS.toNanos(200));
    }
  }

  @Test
  void shouldRefuseStagesOfOneLoopThatWaitDifferently() {
    assertEquals(IdleStrategy.SPIN, StageIdleStrategies.all(IdleStrategy.SPIN).fused());
    assertThrows(
        IllegalArgumentException.class,
        () -> Engine.start(settings().withIdleStrategy(KERNEL_AWAKE)));
  }

  private static EngineSettings settings() {
    EngineLimits limits = EngineLimits.defaults().with(Map.of("loop.spinMillis", 3_600_000));
    return EngineSettings.of(new DefinitionRegistry(limits, new InMemoryDefinitionStore()))
        .withLimits(limits);
  }

  private long cpuNanos(String role) {
    return ManagementFactory.getThreadMXBean()
        .getThreadCpuTime(Objects.requireNonNull(threads.get(role)));
  }
}
