package dev.pinion.core.kernel;

import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.kernel.listen.ConsumedEventCodec;
import dev.pinion.core.kernel.listen.RecordedMatches;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.InstanceWriter;
import dev.pinion.core.kernel.step.ValuePacking;
import dev.pinion.core.kernel.table.FinishedInstances;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.kernel.table.StartKeyCodec;
import dev.pinion.core.kernel.table.StartKeyTable;
import dev.pinion.core.model.InstanceId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One kernel's part of one snapshot, a slice in each duty cycle.
 *
 * <pre>
 *   instances under way at the beginning ─▶ those ended by then ─▶ keys of starts
 *     ─▶ what is under way between parents and children ─▶ consumed events
 *     ─▶ the kernel itself ─▶ (durable)
 * </pre>
 *
 * <p>Instances continue meanwhile; each is written in its state when its turn comes, with its
 * number of events. One that has ended by then is among the ended, unless it was forgotten already.
 * The last entry waits until everything that any entry can contain is durable, so a complete
 * snapshot is never ahead of the journal.
 */
final class SnapshotPass {
  /** Cost of an entry beside its bytes, in steps of expressions. */
  private static final int STEPS_PER_ENTRY = 20;

  /** Bytes written in the time of one step of an expression. */
  private static final int BYTES_PER_STEP = 16;

  private final SnapshotSink sink;
  private final Instances instances;
  private final ChildQueue children;
  private final RecordedMatches consumed;
  private final ValuePacking valuePacking;
  private final Journal journal;
  private final ByteWriter buffer = new ByteWriter();
  private final Deque<SnapshotEntry> unsent = new ArrayDeque<>();
  private final long[] ids;
  private int written;
  private @Nullable Iterator<FinishedInstances.RetainedInstance> views;
  private @Nullable Iterator<StartKeyTable.KeyEntry> starts;
  private @Nullable Iterator<SnapshotEntry> pending;

  /** The kernel's entry, which waits until enough records are durable; null before. */
  private @Nullable SnapshotEntry last;

  private long due;
  private boolean done;

  /** Begins a pass over the instances that are running now. */
  SnapshotPass(
      SnapshotSink sink,
      Instances instances,
      ChildQueue children,
      RecordedMatches consumed,
      ValuePacking valuePacking,
      Journal journal) {
    this.sink = sink;
    this.instances = instances;
    this.children = children;
    this.consumed = consumed;
    this.valuePacking = valuePacking;
    this.journal = journal;
    this.ids =
        instances.running().stream()
            .filter(instance -> instance.durability().isJournalled())
            .mapToLong(instance -> instance.id().value())
            .toArray();
    Arrays.sort(ids);
  }

  /** Whether all entries were sent, or the snapshot was abandoned. */
  boolean isOver() {
    return done || sink.isAbandoned();
  }

  /** Whether {@link #work} has something to do. */
  boolean hasWork() {
    if (isOver()) {
      return true; // so that the kernel notices the end
    }
    boolean waits = last != null && unsent.isEmpty() && journal.durable() < due;
    return !waits && sink.hasRoom();
  }

  /**
   * Writes as much as there is room and time for.
   *
   * @param steps budget in steps of expressions; one entry may exceed it
   * @return the steps spent
   */
  long work(long steps) {
    try {
      return write(steps);
    } catch (RuntimeException e) {
      done = true;
      sink.fail(e);
      return 0;
    }
  }

  private long write(long steps) {
    long spent = 0;
    while (!isOver() && spent < steps && flush()) {
      long bytes = next();
      if (bytes < 0) {
        break;
      }
      spent += STEPS_PER_ENTRY + bytes / BYTES_PER_STEP;
    }
    return spent;
  }

  private boolean flush() {
    for (SnapshotEntry next = unsent.peek();
        next != null && sink.offer(next);
        next = unsent.peek()) {
      unsent.remove();
    }
    return unsent.isEmpty();
  }

  /** Writes the next entry; returns its bytes, or -1 when it has to wait. */
  private long next() {
    buffer.clear();
    if (written < ids.length) {
      Instance instance = instances.running(new InstanceId(ids[written++]));
      return instance == null ? 0 : put(instance);
    }
    if (views == null) {
      views = instances.finished().journalled().iterator();
    }
    if (views.hasNext()) {
      FinishedInstances.RetainedInstance next = views.next();
      return instances.finished().holds(next)
          ? put(next)
          : 0; // it may have been forgotten meanwhile
    }
    if (starts == null) {
      starts = instances.keys().all().iterator();
    }
    if (starts.hasNext()) {
      return put(starts.next());
    }
    if (pending == null) {
      List<SnapshotEntry> rest = new ArrayList<>(ChildEntryCodec.entries(children));
      rest.addAll(ConsumedEventCodec.entries(consumed, sink.maxEntryBytes()));
      pending = rest.iterator();
    }
    if (pending.hasNext()) {
      SnapshotEntry next = pending.next();
      return put(next.partition(), next.kind(), next.bytes());
    }
    return finish();
  }

  private long put(Instance instance) {
    valuePacking.withUnpacked(instance, () -> InstanceWriter.write(instance, buffer));
    return put(instance.id().partition(), SnapshotEntry.INSTANCE);
  }

  private long put(FinishedInstances.RetainedInstance ended) {
    return put(ended.id.partition(), SnapshotEntry.ENDED, ended.written());
  }

  private long put(int partition, byte kind) {
    return put(partition, kind, buffer.toBytes());
  }

  /** Adds a state, in as many entries as it takes. */
  private long put(int partition, byte kind, byte[] state) {
    int from = 0;
    int most = sink.maxEntryBytes();
    for (; state.length - from > most; from += most) {
      add(partition, SnapshotEntry.PART, Arrays.copyOfRange(state, from, from + most));
    }
    add(partition, kind, Arrays.copyOfRange(state, from, state.length));
    return state.length;
  }

  private long put(StartKeyTable.KeyEntry keyEntry) {
    StartKeyCodec.write(keyEntry, buffer);
    add(keyEntry.id().partition(), SnapshotEntry.KEY, buffer.toBytes());
    return buffer.size();
  }

  private long finish() {
    if (last == null) {
      for (long id : instances.givenIds()) {
        buffer.putLong(id);
      }
      last = new SnapshotEntry(0, SnapshotEntry.KERNEL, buffer.toBytes());
      due = journal.appended();
    }
    if (journal.durable() < due) {
      return -1;
    }
    done = sink.offer(last);
    return done ? last.bytes().length : -1;
  }

  private void add(int partition, byte kind, byte[] bytes) {
    unsent.add(new SnapshotEntry(partition, kind, bytes));
  }
}
