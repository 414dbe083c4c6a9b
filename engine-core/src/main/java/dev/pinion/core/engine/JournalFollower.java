package dev.pinion.core.engine;

import dev.pinion.core.ir.GraphSource;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.RecordCodec;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.journal.store.LogFollower;
import dev.pinion.core.journal.store.LogId;
import dev.pinion.core.journal.store.RecordVisitor;
import dev.pinion.core.journal.store.Storage;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.KernelOutlets;
import dev.pinion.core.kernel.Recovery;
import dev.pinion.core.kernel.ValueSpace;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.HistoryEvent;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.PayloadCodec;
import dev.pinion.core.peer.Neighbourhood;
import dev.pinion.core.spi.BindingSource;
import dev.pinion.core.spi.TaskObserver;
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
 * Replays the journal of a replica, while that writes it, into a kernel that only follows, and has
 * an observer hear what its instances do. One thread.
 *
 * <pre>
 *   data/journal/N ──snapshot, then records as they come──▶ shadow kernel ──▶ observer
 * </pre>
 *
 * <p>What is heard follows from the journal alone, so following it again tells the same under the
 * same numbers. It is a turn behind: what an instance did after its last record is told when {@link
 * #poll} is called once more.
 */
public final class JournalFollower implements Closeable {
  private static final int PARTS_OF_HEAP = 8;

  /** What is left of the disk to everybody else. */
  private static final long LEFT_BYTES = 256L << 20;

  private final Recovery shadow;
  private final JournalReplay replay;
  private final RecordCodec codec;
  private final Set<Long> passedOver;
  private final LongConsumer reading;
  private final int[] epochs = new int[Neighbourhood.PARTITIONS];
  private final Set<Integer> partitions = new HashSet<>();

  /** Whose state the parts are of that were read last, by partition. */
  private final Map<Integer, Long> states = new HashMap<>();

  private final LogFollower log;
  private final long sureFrom;
  private long snapshotEnd;
  private long settled;
  private long last;

  /**
   * What is followed and how.
   *
   * @param limits the limits for what a journal does not say
   * @param graphs compiled definitions
   * @param clock tells one start of the machine from another
   * @param heap what instances take of the heap, those of all journals that are followed
   * @param scratch the name that each file has while it is made in which instances that wait are
   *     kept; deleted at once
   */
  public record Source(
      Storage storage,
      EngineLimits limits,
      GraphSource graphs,
      PayloadCodec payloads,
      Clock clock,
      HeapAccount heap,
      Path scratch) {}

  /**
   * From where a journal is followed.
   *
   * @param known the last record whose effects were heard before; 0 for none
   * @param sureFrom up to this record nothing is told that a record does not tell of, because what
   *     was told ahead turned out to be wrong; 0 as a rule
   * @param passedOver instances that cannot be followed
   * @param reading told the instance that is read next, before anything is made of it
   */
  public record From(long known, long sureFrom, Set<Long> passedOver, LongConsumer reading) {}

  /**
   * Begins to follow: takes up the last snapshot before what is known, or the oldest one.
   *
   * @throws IOException when there is no journal, or it is not what was written
   */
  public JournalFollower(Source source, From from, TaskObserver observer) throws IOException {
    EngineLimits limits = source.limits().with(Map.of("kernel.maxEnded", 0));
    Kernel kernel =
        new Kernel(
            0,
            limits,
            source.graphs(),
            BindingSource.NONE,
            Durability.SYNC,
            Journal.NONE,
            observer,
            new NoWayOut(),
            new ValueSpace(
                source.heap(),
                new ColdBlocks(
                    ColdSegments.onDisk(
                        source.scratch(), limits.kernel().maxColdBytes(), LEFT_BYTES),
                    ColdBlocks.SMALL_BLOCK_BYTES)),
            source.clock().nanoTime());
    this.shadow = kernel.shadow();
    this.codec = new RecordCodec(source.payloads());
    this.passedOver = Set.copyOf(from.passedOver());
    this.reading = from.reading();
    this.sureFrom = from.sureFrom();
    this.replay =
        new JournalReplay(
            List.of(shadow),
            new Partitions(Neighbourhood.ALONE, 1),
            source.payloads(),
            limits,
            source.clock(),
            Quarantine.NONE);
    this.log = open(source.storage(), from.known());
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

  /** Bytes of one file of a journal on a volume of a size. */
  public static long segmentBytes(EngineLimits limits, long volumeBytes) {
    return SafeStore.bounds(limits, volumeBytes).segmentBytes();
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

  /** The record that the snapshot stands for with which it began; 0 for the journal's beginning. */
  public long base() {
    return log.base();
  }

  /** Up to where the snapshot with which it began may be ahead of the records; 0 without one. */
  public long snapshotEnd() {
    return snapshotEnd;
  }

  /** The partitions that the snapshot told of. */
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

  /** The last record of which everything that follows from it for certain has been told. */
  public long settled() {
    return settled;
  }

  /**
   * Reads records that came since and tells what they amount to.
   *
   * @param most how many at the most
   * @param maxBytes bytes of all of them; one is read whatever its size
   * @return how many there were
   * @throws Contradiction when a record contradicts what was told ahead of it
   * @throws IOException when the journal cannot be followed any further; begin again
   */
  public int poll(int most, long maxBytes) throws IOException {
    int read = log.read(most, maxBytes, new Visitor());
    if (position() >= sureFrom) {
      shadow.runSureTurns();
    }
    settled = last;
    last = position();
    return read;
  }

  /** Says to the engine that a record and those before it are not needed any more. */
  public void followed(long position) throws IOException {
    log.followed(position);
  }

  @Override
  public void close() throws IOException {
    shadow.abandon();
    log.close();
  }

  /** A record does not fit what was told before it. */
  public static final class Contradiction extends IOException {
    private static final long serialVersionUID = 1;

    private final transient InstanceId instance;
    private final long position;
    private final long sequence;

    private Contradiction(long position, InstanceId instance, long sequence, IOException cause) {
      super(cause.getMessage(), cause);
      this.position = position;
      this.instance = instance;
      this.sequence = sequence;
    }

    /** The record. */
    public long position() {
      return position;
    }

    /** The instance that it is of. */
    public InstanceId instance() {
      return instance;
    }

    /** Happenings of the instance with this number and higher ones may be wrong. */
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
        SnapshotOpening.decode(bytes).epochs().forEach(this::expect);
      } else if (kind == SnapshotEntry.END) {
        snapshotEnd = payload.getLong(payload.position());
      }
      replay.onEntry(partition, kind, payload);
      String failure = failure();
      if (failure != null) {
        throw new IOException(failure);
      }
    }

    /** Whether an entry, or a part of a state, is of an instance that cannot be followed. */
    private boolean isPassedOver(int partition, byte kind, ByteBuffer payload) {
      boolean part = kind == SnapshotEntry.PART;
      if (!part && kind != SnapshotEntry.INSTANCE && kind != SnapshotEntry.ENDED) {
        return false;
      }
      Long begun = states.get(partition);
      long id = begun == null ? payload.getLong(payload.position()) : begun;
      if (part) {
        states.put(partition, id);
      } else {
        states.remove(partition);
      }
      reading.accept(id);
      return passedOver.contains(id);
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
      boolean event = kind < Opening.KIND;
      if (event) {
        reading.accept(payload.getLong(payload.position()));
      }
      if (epoch > epochs[partition]) {
        // copied here from another journal, maybe a second time: what is told begins anew
        shadow.forget(partition);
        expect(partition, epoch);
      }
      if (event
          ? passedOver.contains(payload.getLong(payload.position()))
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
      return new Contradiction(position, record.id(), HistoryEvent.sequence(step, 0), cause);
    }
  }

  /** A kernel that only follows does nothing outside. */
  private static final class NoWayOut implements KernelOutlets {
    @Override
    public boolean invoke(Effect.Invocation invocation) {
      throw new IllegalStateException("expected no call while following, found " + invocation);
    }

    @Override
    public boolean evaluate(Effect.Evaluate evaluation) {
      throw new IllegalStateException("expected no evaluation while following");
    }

    @Override
    public boolean reply(ReplyAddress to, @Nullable KernelReply reply) {
      throw new IllegalStateException("expected no reply while following, found " + reply);
    }
  }
}
