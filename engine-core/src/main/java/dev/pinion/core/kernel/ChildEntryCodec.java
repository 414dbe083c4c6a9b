package dev.pinion.core.kernel;

import dev.pinion.core.codec.ByteReader;
import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.kernel.ChildQueue.ChildControl;
import dev.pinion.core.kernel.ChildQueue.PendingControl;
import dev.pinion.core.kernel.step.codec.ValueReader;
import dev.pinion.core.kernel.step.codec.ValueWriter;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Codec of a {@link ChildQueue} in a snapshot: outcomes and controls that are not recorded yet.
 * Starts are not written; they follow from the activities that wait.
 *
 * <pre>
 *   parent 8 | outcome: flag 1 | activity | attempt | value or error
 *   child 8  | control: flag 0 | its name | events of the child by then
 * </pre>
 */
public final class ChildEntryCodec {
  private ChildEntryCodec() {}

  /** The entries of a queue. */
  static List<SnapshotEntry> entries(ChildQueue queue) {
    List<SnapshotEntry> entries = new ArrayList<>();
    queue.outcomes().forEach((wait, outcome) -> entries.add(entry(wait, outcome)));
    queue.forEachControl(control -> entries.add(entry(control)));
    return entries;
  }

  private static SnapshotEntry entry(ChildWait wait, CallOutcome outcome) {
    ByteWriter out = new ByteWriter();
    ValueWriter values = new ValueWriter(out);
    out.putLong(wait.parent().value());
    out.putFlag(true);
    out.putCount(wait.activity());
    out.putCount(wait.attempt());
    values.putOptional(outcome instanceof CallOutcome.Succeeded done ? done.output() : null);
    values.putOptional(outcome instanceof CallOutcome.Failed failed ? failed.error() : null);
    return entry(wait.parent(), out);
  }

  private static SnapshotEntry entry(PendingControl pending) {
    ByteWriter out = new ByteWriter();
    out.putLong(pending.child().value());
    out.putFlag(false);
    new ValueWriter(out).put(pending.control());
    out.putCount(pending.since());
    return entry(pending.child(), out);
  }

  private static SnapshotEntry entry(InstanceId id, ByteWriter out) {
    return new SnapshotEntry(id.partition(), SnapshotEntry.CHILD, out.toBytes());
  }

  /**
   * Restores an entry into a queue.
   *
   * @throws IllegalArgumentException when the bytes are invalid
   */
  public static void restore(byte[] bytes, ChildQueue queue) {
    ByteReader in = new ByteReader(bytes);
    ValueReader values = new ValueReader(in);
    InstanceId id = new InstanceId(in.getLong());
    if (in.getFlag()) {
      ChildWait wait = new ChildWait(id, in.getCount(), in.getCount());
      Payload output = values.optionalPayload();
      WorkflowError error = values.optionalError();
      in.expectEnd();
      queue.restore(
          wait,
          error == null
              ? new CallOutcome.Succeeded(Objects.requireNonNullElse(output, Payload.NULL))
              : new CallOutcome.Failed(error));
    } else {
      ChildControl control = values.constant(ChildControl.class);
      int since = in.getCount();
      in.expectEnd();
      queue.restore(new PendingControl(id, control, since));
    }
  }
}
