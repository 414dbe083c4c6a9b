package dev.pinion.benchmarks.experiments.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.benchmarks.experiment.MeasurementException;
import org.junit.jupiter.api.Test;

class JvmHeapTest {
  @Test
  void shouldAddUpTheGenerationsOfTheHeap() throws Exception {
    String info =
        """
        4711:
         def new generation   total 9792K, used 1000K [0x1, 0x2, 0x3)
          eden space 8704K,  10% used [0x1, 0x2, 0x3)
         tenured generation   total 21888K, used 24K [0x1, 0x2, 0x3)
         Metaspace       used 5000K, committed 5120K, reserved 1114112K
          class space    used 500K, committed 512K, reserved 1048576K
        """;

    assertEquals(1024 * 1024, JvmHeap.used(info));
    assertThrows(MeasurementException.class, () -> JvmHeap.used("no heap"));
  }

  @Test
  void shouldAskAnotherJvm() throws Exception {
    assertTrue(JvmHeap.usedAfterCollection(ProcessHandle.current().pid()) > 1_000_000);
  }
}
