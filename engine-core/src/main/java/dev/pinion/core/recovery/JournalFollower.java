package dev.pinion.core.recovery;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.coldstore.BlockColdStore;
import dev.pinion.core.coldstore.ColdSegments;
import dev.pinion.core.coldstore.VolumeShares;
import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.journal.JournalHeader;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.RecordCodec;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.journal.SnapshotHeader;
import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.store.LogFollower;
import dev.pinion.core.journal.store.LogId;
import dev.pinion.core.journal.store.RecordVisitor;
import dev.pinion.core.kernel.DefinitionSources;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.output.EffectLanes;
import dev.pinion.core.kernel.output.KernelOutputs;
import dev.pinion.core.kernel.replay.Recovery;
import dev.pinion.core.kernel.step.memory.KernelMemory;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.partition.PartitionTable;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.spi.InstanceObserver;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Replays the journal of a replica, while the replica writes it, into a shadow kernel, and notifies
 * an observer of the events of its instances. One thread.
 *
 * <pre>
 *   data/journal/N ──snapshot, then records as they come──▶ shadow kernel ──▶ observer
 * </pre>
 *
 * <p>Notifications follow from the journal alone, so following it again repeats them with the same
 * numbers. They are a turn late: the steps of an instance after its last record are reported by the
 * next call of {@link #poll}.
 */
public final class JournalFollower implements Closeable {
  private static final int PARTS_OF_HEAP = 8;

  /** Bytes of the disk left to others. */
  private static final long LEFT_BYTES = 256L << 20;

  private final Recovery shadow;
  private final JournalReplay replay;
  private final RecordCodec codec;
  private final Set<Long> excluded;
  private final LongConsumer onReading;
  private final int[] epochs = new int[ReplicaGroup.PARTITIONS];
  private final Set<Integer> partitions = new HashSet<>();

  /** Instances whose state parts were read last, by partition. */
  private final Map<Integer, Long> states = new HashMap<>();

  private final LogFollower log;
  private final long certainFrom;
  private long snapshotEnd;
  private long settled;
  private long last;

  /**
   * The followed journal and its environment.
   *
   * @param limits the limits for those that a journal does not record
   * @param graphs compiled definitions
   * @param clock distinguishes starts of the machine
   * @param heap account of the heap that instances of all followed journals take
   * @param scratch temporary name of each file in which waiting instances are kept; deleted at once
   */
  public record FollowerSettings(
      Storage storage,
      EngineLimits limits,
      GraphSource graphs,
      PayloadCodec payloads,
      Clock clock,
      HeapAccount heap,
      Path scratch) {}

  /**
   * The start position of a follower.
   *
   * @param lastKnown the last record whose effects were reported before; 0 for none
   * @param sureFrom up to this record nothing is reported ahead of records, because an earlier such
   *     report turned out to be wrong; 0 as a rule
   * @param passedOver instances that cannot be followed
   * @param reading is notified of the next instance, before its record is processed
   */
  public record FollowerStart(
      long lastKnown, long sureFrom, Set<Long> passedOver, LongConsumer reading) {}

  /**
   * Begins to follow: starts from the last snapshot before the known record, or the oldest one.
   *
   * @throws IOException when there is no journal, or it was changed since it was written
   */
  public JournalFollower(
      FollowerSettings followerSettings, FollowerStart followerStart, InstanceObserver observer)
      throws IOException {
    EngineLimits limits = followerSettings.limits().with(Map.of("kernel.maxEnded", 0));
    Kernel kernel =
        new Kernel(
            0,
            limits,
            new DefinitionSources(followerSettings.graphs(), BindingSource.NONE, Durability.SYNC),
            new KernelOutputs(Journal.NONE, observer, new DiscardingLanes()),
            new KernelMemory(
                followerSettings.heap(),
                new BlockColdStore(
                    ColdSegments.onDisk(
                        followerSettings.scratch(), limits.kernel().maxColdBytes(), LEFT_BYTES),
                    BlockColdStore.SMALL_BLOCK_BYTES)),
            followerSettings.clock().nanoTime());
    this.shadow = Recovery.shadow(kernel.state());
    this.codec = new RecordCodec(followerSettings.payloads());
    this.excluded = Set.copyOf(followerStart.passedOver());
    this.onReading = followerStart.reading();
    this.certainFrom = followerStart.sureFrom();
    this.replay =
        new JournalReplay(
            List.of(shadow),
            new PartitionTable(ReplicaGroup.ALONE, 1),
            followerSettings.payloads(),
            limits,
            followerSettings.clock(),
            Quarantine.NONE);
    this.log = open(followerSettings.storage(), followerStart.lastKnown());
    this.settled = log.base();
    this.last = log.base();
  }

  private LogFollower open(Storage storage, long known) throws IOException {
    try {
      return LogFollower.open(storage, known, new Visitor());
    } catch (IOException | RuntimeException e) {
      shadow.abandon();
      throw e;
    }
  }

  /** Bytes of one file of a journal on a volume of a given size. */
  public static long segmentBytes(EngineLimits limits, long volumeBytes) {
    return VolumeShares.logLimits(limits, volumeBytes).segmentBytes();
  }

  /** An account for all journals that this process follows, of a part of its heap. */
  public static HeapAccount heap(EngineLimits limits) {
    long share = Runtime.getRuntime().maxMemory() / PARTS_OF_HEAP;
    return new HeapAccount(Math.min(limits.kernel().maxHeldBytes(), share));
  }

  /**
   * The identity of a journal.
   *
   * @throws IOException when there is none, or none that is complete
   */
  public static LogId identity(Storage storage) throws IOException {
    return LogFollower.identity(storage);
  }

  /**
   * The last record of a journal that is on disk now.
   *
   * @throws IOException when there is no journal, or none that is complete
   */
  public static long durable(Storage storage) throws IOException {
    return LogFollower.durable(storage);
  }

  /** The position of the snapshot with which it began; 0 for the journal's beginning. */
  public long base() {
    return log.base();
  }

  /** The position up to which that snapshot may be ahead of the records; 0 without one. */
  public long snapshotEnd() {
    return snapshotEnd;
  }

  /** The partitions in the snapshot. */
  public Set<Integer> partitions() {
    return Set.copyOf(partitions);
  }

  /** The last record read. */
  public long position() {
    return log.position();
  }

  /** The last record on disk, as of the last poll. */
  public long durable() {
    return log.durable();
  }

  /** The last record whose certain effects have all been reported. */
  public long settled() {
    return settled;
  }

  /**
   * Reads new records and reports their effects.
   *
   * @param most most records
   * @param maxBytes bytes of all of them; one record is read regardless of its size
   * @return number of records read
   * @throws JournalContradictionException when a record contradicts an earlier report
   * @throws IOException when the journal cannot be followed any further; begin again
   */
  public int poll(int most, long maxBytes) throws IOException {
    int read = log.read(most, maxBytes, new Visitor());
    if (position() >= certainFrom) {
      shadow.runImpliedTurns();
    }
    settled = last;
    last = position();
    return read;
  }

  /** Reports to the engine that a record and those before it are not needed any more. */
  public void followed(long position) throws IOException {
    log.acknowledge(position);
  }

  @Override
  public void close() throws IOException {
    shadow.abandon();
    log.close();
  }

  /** A record contradicts an earlier report. */
  public static final class JournalContradictionException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient InstanceId instance;
    private final long position;
    private final long sequence;

    private JournalContradictionException(
        long position, InstanceId instance, long sequence, IOException cause) {
      super(cause.getMessage(), cause);
      this.position = position;
      this.instance = instance;
      this.sequence = sequence;
    }

    /** The record. */
    public long position() {
      return position;
    }

    /** The instance of the record. */
    public InstanceId instance() {
      return instance;
    }

    /** Events of the instance with this number and higher ones may be wrong. */
    public long sequence() {
      return sequence;
    }
  }

  private final class Visitor implements RecordVisitor {
    @Override
    public void onEntry(int partition, byte kind, ByteBuffer payload) throws IOException {
      if (isPassedOver(partition, kind, payload)) {
        return;
      }
      if (kind == SnapshotEntry.BEGIN) {
        byte[] bytes = new byte[payload.remaining()];
        payload.get(payload.position(), bytes);
        SnapshotHeader.decode(bytes).epochs().forEach(this::expect);
      } else if (kind == SnapshotEntry.END) {
        snapshotEnd = payload.getLong(payload.position());
      }
      replay.onEntry(partition, kind, payload);
      String failure = failure();
      if (failure != null) {
        throw new IOException(failure);
      }
    }

    /** Whether an entry, or a part of a state, belongs to an instance that cannot be followed. */
    private boolean isPassedOver(int partition, byte kind, ByteBuffer payload) {
      boolean part = kind == SnapshotEntry.PART;
      boolean end =
          kind == SnapshotEntry.INSTANCE
              || kind == SnapshotEntry.ENDED
              || kind == SnapshotEntry.CHILD;
      if (!part && !end) {
        return false;
      }
      Long begun = states.get(partition);
      long id = begun == null ? payload.getLong(payload.position()) : begun;
      if (part) {
        states.put(partition, id);
      } else {
        states.remove(partition);
      }
      onReading.accept(id);
      return excluded.contains(id);
    }

    private @Nullable String failure() {
      return replay.failures().values().stream().findFirst().orElse(null);
    }

    private void expect(int partition, int epoch) {
      partitions.add(partition);
      epochs[partition] = epoch;
      replay.expect(partition, epoch);
    }

    @Override
    public void onRecord(long position, int partition, int epoch, byte kind, ByteBuffer payload)
        throws IOException {
      boolean event = kind < JournalHeader.KIND;
      if (event) {
        onReading.accept(payload.getLong(payload.position()));
      }
      if (epoch > epochs[partition]) {
        // copied here from another journal, maybe a second time: reports start over
        shadow.forget(partition);
        expect(partition, epoch);
      }
      if (event
          ? excluded.contains(payload.getLong(payload.position()))
          : isPassedOver(partition, kind, payload)) {
        return;
      }
      replay.onRecord(position, partition, epoch, kind, payload);
      String failure = failure();
      if (failure != null) {
        IOException cause = new IOException(failure);
        throw event ? contradiction(position, kind, payload, cause) : cause;
      }
    }

    private IOException contradiction(
        long position, byte kind, ByteBuffer payload, IOException cause) throws IOException {
      JournalRecord record = codec.decode(kind, payload.duplicate());
      long step = record.sequence() + Math.max(0, record.advances());
      return new JournalContradictionException(
          position, record.id(), HistoryEvent.sequence(step, 0), cause);
    }
  }

  /** A shadow kernel has no external effects. */
  private static final class DiscardingLanes implements EffectLanes {
    @Override
    public boolean invoke(Effect.Invocation invocation) {
      throw new IllegalStateException("expected no call while following, found " + invocation);
    }

    @Override
    public boolean evaluate(Effect.Evaluate evaluation) {
      throw new IllegalStateException("expected no evaluation while following");
    }

    @Override
    public <R extends Reply> boolean reply(ReplyAddress<R> to, R reply) {
      throw new IllegalStateException("expected no reply while following, found " + reply);
    }
  }
}
