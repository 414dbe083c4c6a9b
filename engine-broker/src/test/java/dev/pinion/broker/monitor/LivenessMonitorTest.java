package dev.pinion.broker.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.broker.monitor.LivenessMonitor.Change;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LivenessMonitorTest {
  private final LivenessMonitor monitor = new LivenessMonitor(Set.of());

  private Optional<Change> probes(boolean... alive) {
    Optional<Change> last = Optional.empty();
    for (boolean each : alive) {
      last = monitor.probed("a", each);
    }
    return last;
  }

  @Test
  void shouldNeedThreeInARowToGoAndFiveToComeBack() {
    assertEquals(Optional.empty(), probes(false, false, true, false, false));
    assertEquals(Set.of(), monitor.down());
    assertEquals(Optional.of(Change.DOWN), probes(false));
    assertEquals(Set.of("a"), monitor.down());
    assertEquals(Optional.empty(), probes(false, true, true, true, true, false));
    assertEquals(Optional.empty(), probes(true, true, true, true));
    assertEquals(Optional.of(Change.UP), probes(true));
    assertEquals(Set.of(), monitor.down());
  }

  @Test
  void shouldForgetServicesThatAreGone() {
    assertEquals(Optional.of(Change.DOWN), probes(false, false, false));
    monitor.retain(List.of("b"));
    assertEquals(Set.of(), monitor.down());
  }
}
