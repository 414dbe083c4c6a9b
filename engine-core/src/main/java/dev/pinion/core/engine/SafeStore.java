package dev.pinion.core.engine;

import dev.pinion.core.api.port.Readiness;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.coldstore.BlockColdStore;
import dev.pinion.core.coldstore.ColdSegments;
import dev.pinion.core.coldstore.ColdStore;
import dev.pinion.core.journal.JournalCounters;
import dev.pinion.core.journal.JournalHeader;
import dev.pinion.core.journal.JournalWriter;
import dev.pinion.core.journal.KernelJournal;
import dev.pinion.core.journal.RecordCodec;
import dev.pinion.core.journal.disk.FileStorage;
import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageLock;
import dev.pinion.core.journal.store.LogId;
import dev.pinion.core.journal.store.LogLimits;
import dev.pinion.core.journal.store.LogSettings;
import dev.pinion.core.journal.store.RecordLog;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.replay.Recovery;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.loop.StageLoop;
import dev.pinion.core.loop.StageLoopGroup;
import dev.pinion.core.migration.PartitionImport;
import dev.pinion.core.migration.PartitionMigration;
import dev.pinion.core.migration.PartitionOwnership;
import dev.pinion.core.migration.PartitionTransfer;
import dev.pinion.core.model.EngineVersion;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.partition.JournalCatalog;
import dev.pinion.core.partition.MigrationLock;
import dev.pinion.core.partition.PartitionTable;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.recovery.JournalReplay;
import dev.pinion.core.recovery.Quarantine;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.snapshot.SnapshotCoordinator;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.ThreadSetup;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal of one replica and its services: opens it, lets the kernels restore its state, and
 * runs the stage that writes it and the thread that keeps room for it.
 */
final class SafeStore implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(SafeStore.class);

  private static final long STOP_SECONDS = 5;

  private final EngineSettings settings;
  private final PayloadCodec payloads;
  private final PartitionTable partitionTable;
  private final Lane<KernelJournal.Appended> lane;
  private final List<KernelJournal> journals = new ArrayList<>();
  private final List<ColdSegments> cold = new ArrayList<>();
  private final RecordLog log;
  private final StageLoopGroup loops;
  private final JournalWriter writer;
  private final SnapshotCoordinator snapshotCoordinator;
  private final Housekeeper housekeeper;
  private final PartitionOwnership held;
  private final MigrationLock turns;
  private final StorageLock inUse;
  private final PartitionTransfer partitionTransfer;
  private final PartitionMigration mover;
  private final Quarantine quarantine;
  private final JournalMaintenance journalMaintenance;
  private final JournalVolume volume;

  /** Whether instances were passed over whose records have to stay. Set before anything runs. */
  private boolean wanted;

  private volatile RecoveryReport recovery = RecoveryReport.NONE;

  /** Whether a further file was requested and not begun yet. */
  private final AtomicBoolean spareWanted = new AtomicBoolean();

  private volatile boolean failed;

  /**
   * Opens the journal in a directory, or makes a new one.
   *
   * @param partitionTable owners of partitions
   * @param heap counts large values on their way to the disk
   * @throws IOException when it is damaged, in use, or cannot be read; the message says where
   */
  SafeStore(
      EngineSettings settings,
      Path directory,
      PayloadCodec payloads,
      PartitionTable partitionTable,
      HeapAccount heap)
      throws IOException {
    this(settings, directory, payloads, partitionTable, heap, UnaryOperator.identity());
  }

  /**
   * The same with another disk.
   *
   * @param disk wraps the files of the journal's directory
   */
  SafeStore(
      EngineSettings settings,
      Path directory,
      PayloadCodec payloads,
      PartitionTable partitionTable,
      HeapAccount heap,
      UnaryOperator<Storage> disk)
      throws IOException {
    this.settings = settings;
    this.payloads = payloads;
    this.partitionTable = partitionTable;
    this.lane = new Lane<>("journal", settings.limits().journal().laneCapacity());
    Path place = directory.toAbsolutePath();
    Path root = Objects.requireNonNull(place.getParent(), "a parent");
    this.turns = new MigrationLock(root);
    this.volume = JournalVolume.of(settings, root, partitionTable.kernels());
    try (StorageLock _ = turns.acquire()) {
      JournalCatalog.requireAll(turns.root());
      this.inUse = turns.open(String.valueOf(place.getFileName()));
    }
    this.log = open(place, volume.log(), disk);
    this.held = new PartitionOwnership(place, log, partitionTable);
    this.quarantine = Quarantine.read(held.root());
    this.journalMaintenance =
        new JournalMaintenance(
            log,
            held,
            settings.limits().journal(),
            log::usableBytes,
            settings.clock()::nanoTime,
            urgentSnapshots());
    for (int i = 0; i < partitionTable.kernels(); i++) {
      journals.add(
          new KernelJournal(
              lane, journalMaintenance::hasRoom, journalMaintenance::isFollowerBehind, heap));
      cold.add(volume.cold(place, i));
    }
    this.loops =
        StageLoopGroup.parked("journal", 1, settings.transport(), settings.clock(), this::prepare);
    this.writer =
        new JournalWriter(
            lane,
            journals,
            new LocalLog(log, written()),
            held::epoch,
            new RecordCodec(payloads),
            settings.clock()::nanoTime,
            this::fail);
    this.snapshotCoordinator =
        new SnapshotCoordinator(
            settings, log, volume.log().maxPayloadBytes(), held::epochs, journals);
    this.housekeeper = new Housekeeper(settings.threads());
    this.partitionTransfer =
        new PartitionTransfer(log, snapshotCoordinator, journals, settings.clock(), this::fail);
    PartitionImport lent =
        new PartitionImport(
            settings, partitionTable, payloads, volume.log().maxPayloadBytes(), volume.leftBytes());
    this.mover = new PartitionMigration(settings, held, turns, lent, partitionTransfer);
  }

  private RecordLog open(Path directory, LogLimits bounds, UnaryOperator<Storage> disk)
      throws IOException {
    try {
      return RecordLog.open(
          disk.apply(FileStorage.create(directory)),
          new LogSettings(
              ReplicaGroup.PARTITIONS, "pinion " + EngineVersion.CURRENT, LogId.random(), bounds));
    } catch (IOException | RuntimeException e) {
      inUse.close();
      throw e;
    }
  }

  /** The limits of the kernels, lowered where the volume is small. */
  EngineLimits kernelLimits() {
    return volume.limits();
  }

  private void prepare(String role, ThreadSetup.ThreadKind threadKind) {
    settings.threads().prepare(role, ThreadSetup.ThreadKind.ANCILLARY);
  }

  /** A kernel's interface to the journal. */
  KernelJournal journal(int kernel) {
    return journals.get(kernel);
  }

  /** A kernel's store of values off the heap. */
  ColdStore cold(int kernel) {
    return new BlockColdStore(cold.get(kernel));
  }

  /** Counters of written records. */
  JournalCounters counters() {
    return writer.counters();
  }

  /**
   * Lets the kernels restore the state of the journal, and opens it for writing.
   *
   * @throws IOException when the journal is not as this engine wrote it; the message says what to
   *     do
   */
  void recover(List<Kernel> kernels) throws IOException {
    long beganNanos = settings.clock().nanoTime();
    LocalLog.report(log.report());
    List<Recovery> recoveries =
        kernels.stream().map(kernel -> Recovery.of(kernel.state())).toList();
    JournalReplay replay =
        new JournalReplay(
            recoveries, partitionTable, payloads, settings.limits(), settings.clock(), quarantine);
    try (StorageLock _ = turns.acquire()) {
      held.open();
    }
    held.replay(replay);
    quarantine.refuse(replay.failures());
    recoveries.forEach(recovery -> report(recovery.excluded()));
    JournalHeader now = JournalHeader.now(settings.clock(), settings.limits());
    journalMaintenance.makeRoom();
    log.append(0, 0, JournalHeader.KIND, now.encode());
    log.force();
    recoveries.forEach(recovery -> recovery.onJournalOpened(settings.limits()));
    int repeated = 0;
    for (Recovery recovery : recoveries) {
      repeated += recovery.finish(settings.clock().nanoTime());
    }
    snapshotCoordinator.recovered(kernels, replay);
    partitionTransfer.recovered(kernels, held.absent());
    mover.begin();
    recovery =
        new RecoveryReport(
            replay.entries(),
            replay.records(),
            kernels.stream().mapToLong(kernel -> kernel.counters().running()).sum(),
            repeated,
            settings.clock().nanoTime() - beganNanos);
    recovery.log();
  }

  /** Keeps room for the journal. */
  JournalMaintenance maintenance() {
    return journalMaintenance;
  }

  private JournalMaintenance.SnapshotRequest urgentSnapshots() {
    return new JournalMaintenance.SnapshotRequest() {
      @Override
      public void urge() {
        snapshotCoordinator.urge(SafeStore.this::mayForget);
      }

      @Override
      public boolean underWay() {
        return snapshotCoordinator.underWay();
      }

      @Override
      public boolean lackRoom() {
        return snapshotCoordinator.lackRoom();
      }

      @Override
      public long likelyBytes() {
        return SafeStore.this.likelySnapshotBytes();
      }
    };
  }

  /**
   * Likely size of the next snapshot: a quarter more than the latest one or than the present state,
   * and on a small volume at least all results that may be kept.
   */
  private long likelySnapshotBytes() {
    int ended = volume.limits().kernel().maxEndedColdBytes();
    boolean lowered = ended < settings.limits().kernel().maxEndedColdBytes();
    long results = lowered ? (long) ended * journals.size() : 0;
    long known = Math.max(snapshotCoordinator.latestBytes(), snapshotCoordinator.heldBytes());
    return Math.max(results, known * 5 / 4);
  }

  /** What {@link #recover} read. Any thread. */
  RecoveryReport recovery() {
    return recovery;
  }

  /** Lane of the records on their way to the disk. */
  Lane<?> lane() {
    return lane;
  }

  /** Bytes that the journal may still write to its disk. Any thread. */
  long usableBytes() {
    return log.usableBytes();
  }

  /** Bytes of the latest snapshot; 0 for none. Any thread. */
  long latestSnapshotBytes() {
    return snapshotCoordinator.latestBytes();
  }

  private void report(Set<InstanceId> leftOut) {
    for (InstanceId id : leftOut) {
      LOG.error("instance {} is reported as faulted: {}", id, quarantine.reason(id));
    }
    if (leftOut.stream().anyMatch(quarantine::isRetained)) {
      wanted = true;
      LOG.warn("the journal makes no snapshots while it has to keep records of skipped instances");
    }
  }

  /** Whether this replica has the partitions of its own slot. Any thread. */
  boolean holdsItsSlot() {
    return mover.ownsItsSlot();
  }

  /** Whether the partitions here are exactly those assigned by the parent. Any thread. */
  boolean isSettled() {
    return mover.isSettled();
  }

  /** Failed chores, except for lack of room. Any thread. */
  long maintenanceFailures() {
    return journalMaintenance.failures();
  }

  /** Whether the disk has room for more than the work under way. Any thread. */
  boolean hasRoom() {
    return journalMaintenance.hasRoom() && !writer.counters().full();
  }

  /** Whether so many records wait to be written that starts are refused. Any thread. */
  boolean isBehind() {
    return KernelJournal.isBehind(lane);
  }

  /** Whether starts can be recorded. Any thread. */
  List<Readiness.Check> checks() {
    boolean room = hasRoom();
    return List.of(
        new Readiness.Check(
            "journal",
            !failed,
            true,
            failed ? "the journal cannot be written any more" : "the journal is written"),
        new Readiness.Check(
            "disk",
            room,
            true,
            room
                ? "there is room for the journal and its snapshots"
                : "there is no room for the journal and its snapshots: starts are answered 507"));
  }

  /** Begins to write and to keep room. Call once, after {@link #recover}. */
  void start() {
    StageLoop loop = loops.loops().getFirst();
    writer.attach(loop);
    cold.forEach(each -> each.onWanted(() -> housekeeper.execute(each::make)));
    loop.host(List.of(writer));
    snapshotCoordinator.start(loop);
    partitionTransfer.start(loop);
    mover.start();
    housekeeper.start(this::keepHouse);
  }

  private void keepHouse() {
    spareWanted.set(false);
    cold.forEach(ColdSegments::make);
    journalMaintenance.run();
  }

  private void fail(IOException failure) {
    if (!failed) {
      failed = true;
      LOG.error("the journal cannot be written any more: nothing is acknowledged", failure);
      settings.safeStore().onFailure().accept(failure);
    }
  }

  @Override
  public void close() throws IOException {
    close(false);
  }

  /**
   * Writes the pending records and closes the journal. The kernels accept nothing more.
   *
   * @param stopped whether the threads of all kernels have ended, so that their state can be read
   */
  void close(boolean stopped) throws IOException {
    boolean intact = mover.stop();
    housekeeper.stop(STOP_SECONDS);
    snapshotCoordinator.stop(STOP_SECONDS);
    boolean written =
        loops
            .shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS)
            .awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
    if (stopped && intact && written && !failed && mayForget()) {
      snapshotCoordinator.close();
    }
    try (inUse) {
      log.close();
    }
  }

  /** Whether snapshots may replace records. */
  private boolean mayForget() {
    return !wanted && !held.hasUntransferred();
  }

  private LocalLog.Listener written() {
    return new LocalLog.Listener() {
      @Override
      public void onAppended(int bytes) {
        snapshotCoordinator.appended(bytes);
        if (!log.hasPreallocated()
            && journalMaintenance.isHealthy()
            && spareWanted.compareAndSet(false, true)) {
          housekeeper.execute(SafeStore.this::keepHouse);
        }
      }

      @Override
      public void onForced() throws IOException {
        if (mayForget()) {
          snapshotCoordinator.forced();
        }
      }
    };
  }
}
