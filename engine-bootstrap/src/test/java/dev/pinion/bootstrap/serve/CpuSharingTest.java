package dev.pinion.bootstrap.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.placement.PlacementSettings;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.process.TimeSlices;
import dev.pinion.bootstrap.topology.DirectoryTree;
import dev.pinion.bootstrap.topology.Machines;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Slices of processes in place of a replica and of the history. */
@EnabledOnOs(
    value = OS.LINUX,
    architectures = {"amd64", "aarch64"})
class CpuSharingTest {
  private final TimeSlices slices = TimeSlices.ofSystem().orElseThrow();
  private Process replica;
  private Process history;
  private CpuSharing sharing;

  @BeforeEach
  void start() throws IOException {
    assumeTrue(slices.of(0).isPositive(), "skipped: Linux before 6.12 knows no slices");
    replica = cat();
    history = cat();
    sharing = new CpuSharing(DirectoryTree.live(), history::pid);
  }

  @AfterEach
  void end() {
    replica.destroyForcibly();
    history.destroyForcibly();
  }

  @Test
  void shouldLetLaterStartsAndTheHistoryGiveWayWhereCpusAreShared() throws Exception {
    Process first = sharing.start(CpuSharingTest::cat);
    ReplicaSpec shared = spec("12");

    sharing.serves(shared, replica.pid()).orElseThrow().join();

    assertEquals(TimeSlices.LONG, slice(history));
    Process later = sharing.start(CpuSharingTest::cat);
    try {
      assertEquals(TimeSlices.LONG, slice(later));
      assertNotEquals(TimeSlices.LONG, slice(first), "nobody serves yet who could be spared");
      assertNotEquals(TimeSlices.LONG, slice(replica), "an event loop");
    } finally {
      first.destroyForcibly();
      later.destroyForcibly();
    }
  }

  @Test
  void shouldAskForNothingWhereEventLoopsHaveCpusOfTheirOwn() throws IOException {
    assertTrue(sharing.serves(spec("1"), replica.pid()).isEmpty());

    Process later = sharing.start(CpuSharingTest::cat);
    try {
      assertNotEquals(TimeSlices.LONG, slice(later));
    } finally {
      later.destroyForcibly();
    }
  }

  private static ReplicaSpec spec(String replicas) {
    PlacementSettings settings = PlacementSettings.AUTO.withReplicas(replicas);
    return PlacementPlanner.plan(Machines.sosoaM1(), settings).replicas().getFirst();
  }

  private Duration slice(Process process) {
    return slices.of((int) process.pid());
  }

  private static Process cat() throws IOException {
    return new ProcessBuilder("cat").start();
  }
}
