package dev.pinion.core.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.InstanceId;
import java.util.List;

/** Children of instances, by the records of their starts. */
public final class RecordedChildren {
  private final KernelHarness harness;

  public RecordedChildren(KernelHarness harness) {
    this.harness = harness;
  }

  /** Deploys definitions and starts an instance of another one. */
  public InstanceId start(ProcessGraph parent, ProcessGraph... children) {
    harness.deploy(children);
    return harness.start(parent);
  }

  /** Children of an instance, oldest first. */
  public List<InstanceId> of(InstanceId parent) {
    return of(harness.journal.entries(), parent);
  }

  static List<InstanceId> of(List<JournalRecord> records, InstanceId parent) {
    return records.stream()
        .filter(
            each ->
                each.event() instanceof Event.Started start
                    && start.parent() != null
                    && start.parent().id().equals(parent))
        .map(JournalRecord::id)
        .toList();
  }

  /** The only child of an instance. */
  public InstanceId only(InstanceId parent) {
    List<InstanceId> all = of(parent);
    assertEquals(1, all.size(), all::toString);
    return all.getFirst();
  }
}
