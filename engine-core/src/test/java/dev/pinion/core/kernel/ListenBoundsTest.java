package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.CompiledTasks.graph;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.WorkflowError;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a task that listens may put out. */
class ListenBoundsTest {
  private static final int DEPTH = 16;

  @RegisterExtension
  final KernelHarness kernel =
      new KernelHarness(Map.of("json.maxDepth", DEPTH, "expression.maxDepth", DEPTH));

  private InstanceId listen(String read) {
    return kernel.start(
        graph(read, "  - hear:\n      listen: {to: {any: []}, read: " + read + "}\n"));
  }

  /** A parent would record it, and no replay could read that. */
  @Test
  void shouldFailWithAnOutputThatIsNestedTooDeeply() {
    InstanceId whole = listen("envelope");
    InstanceId part = listen("data");
    kernel.events.post("t", "[".repeat(DEPTH - 1) + "]".repeat(DEPTH - 1));
    kernel.settle();
    WorkflowError error = kernel.error(whole);
    assertTrue(String.valueOf(error.detail()).contains("maxDepth"), error::toString);
    assertEquals(1, kernel.output(part).json().size());
  }
}
