package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.RecordedSchedules.every;
import static dev.pinion.core.kernel.Tasks.named;
import static dev.pinion.core.kernel.Tasks.nothing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.replay.Recovery;
import dev.pinion.core.kernel.replay.TakenSnapshot;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.instance.ScheduleView;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Schedules whose partition moves, or is that of another replica. */
class SchedulePartitionsTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private final RecordedSchedules schedules = new RecordedSchedules(harness);
  private final ProcessGraph graph = every(10, named("job", nothing("n")));
  private final BitSet partition = new BitSet();
  private boolean gone;
  private boolean settled;

  SchedulePartitionsTest() {
    partition.set(DefinitionName.of(graph.key()).partition());
  }

  @Test
  void shouldMoveWithItsPartition() {
    harness.journal.withoutComparison(); // a replay has no moves
    schedules.deploy(graph);
    harness.advance(Duration.ofMillis(15_500));
    TakenSnapshot state = TakenSnapshot.of(harness.kernel());
    harness.kernel().releasePartitions(new PartitionRelease(partition, () -> gone = true));
    harness.settle();
    assertTrue(gone);
    assertEquals(new Reply.NotOwner(), schedules.ask(graph));
    harness.advance(Duration.ofSeconds(30));
    assertEquals(List.of(10L), schedules.dueSeconds());
    assertEquals(0, harness.kernel().counters().schedules().kept());

    harness.kernel().acquirePartitions(arrival(state));
    harness.advance(Duration.ofSeconds(1));
    assertTrue(settled);
    assertEquals(List.of(10L, 20L), schedules.dueSeconds());
    assertEquals(new ScheduleView.Totals(2, 2, 0), schedules.view(graph).totals());
    assertEquals(1, schedules.keepers(graph).size());
  }

  private PartitionAcquisition arrival(TakenSnapshot state) {
    return new PartitionAcquisition(
        partition,
        state.entries,
        Recovery::of,
        () -> settled = true,
        reason -> {
          throw new AssertionError(reason);
        });
  }

  @Test
  void shouldHearWhatComesWhileItsPartitionMoves() {
    harness.journal.withoutComparison(); // a replay has no moves
    ProcessGraph heard =
        EventScheduleDefinitions.quick("{all: [{with: {type: a}}, {with: {type: b}}]}");
    partition.clear();
    partition.set(DefinitionName.of(heard.key()).partition());
    schedules.deploy(heard);
    post("a", "1");
    TakenSnapshot state = TakenSnapshot.of(harness.kernel());
    harness.kernel().releasePartitions(new PartitionRelease(partition, () -> gone = true));
    harness.settle();
    assertTrue(gone);
    post("b", "2");
    post("a", "3");
    assertEquals(List.of(), schedules.inputs());

    harness.kernel().acquirePartitions(arrival(state));
    harness.advance(Duration.ofSeconds(1));
    assertTrue(settled);
    post("b", "4");
    assertEquals(
        List.of(PostedEvents.json("[1,2]"), PostedEvents.json("[3,4]")), schedules.inputs());
    assertEquals(1, schedules.keepers(heard).size());
  }

  private void post(String type, String data) {
    harness.events.post(type, data);
    harness.settle();
  }

  @Test
  void shouldBeginNothingInPartitionsOfOthers() {
    harness.kernel().exclude(partition);
    schedules.deploy(graph);
    harness.advance(Duration.ofSeconds(30));

    assertEquals(List.of(), schedules.keepers(graph));
    assertEquals(new Reply.NotOwner(), schedules.ask(graph));
    assertEquals(new Reply.NotOwner(), schedules.control(graph, true));
  }
}
