package dev.pinion.bootstrap.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.process.OpenFiles;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.settings.StageLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Field fault 2: no more descriptors are divided than there are. */
class DescriptorBudgetTest {
  private static final int OPEN = 70;

  @ParameterizedTest
  @CsvSource({
    "256, fused:1, 1",
    "1024, fused:2, 1",
    "1024, fused:2, 4",
    "4096, pipelined:2+2+2, 8",
    "20000, fused:2, 1",
    "1048576, fused:16, 32",
    "2147483647, fused:64, 1"
  })
  void shouldKeepToTheLimit(int limit, String text, int replicas) {
    StageLayout stageLayout = StageLayout.parse(text);
    EngineLimits wanted = EngineLimits.defaults();
    DescriptorBudget budget =
        DescriptorBudget.of(new OpenFiles(limit, OPEN), wanted, stageLayout, replicas);
    EngineLimits limits = budget.applyTo(wanted, stageLayout, replicas);

    long clients = limits.request().maxConnections();
    long calls = (long) stageLayout.invokers() * limits.invoker().maxConnections();
    long peers =
        replicas == 1
            ? 0
            : 2L
                * (replicas - 1)
                * stageLayout.requestHandlers()
                * limits.request().maxPeerConnections();
    long all = budget.files() + clients + calls + peers;
    assertTrue(all <= limit, all + " of " + limit + ": " + budget);
    assertTrue(budget.files() - OPEN >= 100, "what files will need: " + budget);
    assertTrue(clients >= 16 && calls >= 16, budget.toString());
  }

  @ParameterizedTest
  @CsvSource({"65536, fused:2", "1048576, fused:16"})
  void shouldLowerNothingWhereThereIsEnough(int limit, String text) {
    StageLayout stageLayout = StageLayout.parse(text);
    EngineLimits wanted = EngineLimits.defaults();
    OpenFiles files = new OpenFiles(limit, OPEN);
    assertEquals(
        wanted, DescriptorBudget.of(files, wanted, stageLayout, 1).applyTo(wanted, stageLayout, 1));
  }
}
