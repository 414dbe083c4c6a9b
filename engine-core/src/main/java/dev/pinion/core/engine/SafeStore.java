package dev.pinion.core.engine;

import dev.pinion.core.api.port.Readiness;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.coldstore.BlockColdStore;
import dev.pinion.core.coldstore.ColdSegments;
import dev.pinion.core.coldstore.ColdStore;
import dev.pinion.core.coldstore.VolumeShares;
import dev.pinion.core.journal.DurableLog;
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
import dev.pinion.core.journal.store.LogOpeningReport;
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
import dev.pinion.core.stage.AncillaryThreadFactory;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.ThreadSetup;
import dev.pinion.core.stage.Wakeup;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
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

  /** Bytes of a record on disk beside its payload, rounded up. */
  private static final int RECORD_OVERHEAD = 40;

  private static final long HOUSEKEEPING_MILLIS = 1_000;
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
  private final ScheduledExecutorService housekeeper;
  private final PartitionOwnership held;
  private final MigrationLock turns;
  private final StorageLock inUse;
  private final PartitionTransfer partitionTransfer;
  private final PartitionMigration mover;
  private final Quarantine quarantine;
  private final JournalMaintenance journalMaintenance;
  private final EngineLimits kernelLimits;

  /** Bytes of the disk that values off the heap leave to others. */
  private final long leftBytes;

  /** Whether instances were passed over whose records have to stay. Set before anything runs. */
  private boolean wanted;

  private volatile long recoveryNanos;

  private long recordsReplayed;
  private long entriesRead;

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
    long volumeBytes = FileStorage.volumeBytes(root);
    LogLimits bounds = VolumeShares.logLimits(settings.limits(), volumeBytes);
    this.leftBytes = VolumeShares.leftBytes(bounds.segmentBytes(), volumeBytes);
    int sharers = settings.entrance().neighbourhood().slots() * partitionTable.kernels();
    this.kernelLimits = VolumeShares.kernelLimits(settings.limits(), volumeBytes, sharers);
    try (StorageLock _ = turns.acquire()) {
      requireAll(turns.root());
      this.inUse = turns.open(String.valueOf(place.getFileName()));
    }
    this.log = open(place, bounds, disk);
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
      cold.add(cold(place, i));
    }
    this.loops =
        StageLoopGroup.parked("journal", 1, settings.transport(), settings.clock(), this::prepare);
    this.writer =
        new JournalWriter(
            lane,
            journals,
            new LocalLog(),
            held::epoch,
            new RecordCodec(payloads),
            settings.clock()::nanoTime,
            this::fail);
    this.snapshotCoordinator =
        new SnapshotCoordinator(settings, log, bounds.maxPayloadBytes(), held::epochs, journals);
    this.housekeeper =
        new ScheduledThreadPoolExecutor(
            1,
            new AncillaryThreadFactory("safe-store", settings.threads()),
            new ThreadPoolExecutor.DiscardPolicy()); // requests at the end are not needed
    this.partitionTransfer =
        new PartitionTransfer(log, snapshotCoordinator, journals, settings.clock(), this::fail);
    PartitionImport lent =
        new PartitionImport(
            settings, partitionTable, payloads, bounds.maxPayloadBytes(), leftBytes);
    this.mover = new PartitionMigration(settings, held, turns, lent, partitionTransfer);
  }

  private static void requireAll(Path root) throws IOException {
    List<String> missing = JournalCatalog.missing(root);
    if (!missing.isEmpty()) {
      throw new IOException(String.join("; ", missing));
    }
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
    return kernelLimits;
  }

  /** The disk is left to the next segments of the journal. */
  private ColdSegments cold(Path directory, int kernel) {
    return ColdSegments.onDisk(
        directory.resolveSibling("cold-" + directory.getFileName() + "-" + kernel),
        kernelLimits.kernel().maxColdBytes(),
        leftBytes);
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
    report(log.report());
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
    long running = kernels.stream().mapToLong(kernel -> kernel.counters().running()).sum();
    recordsReplayed = replay.records();
    entriesRead = replay.entries();
    recoveryNanos = settings.clock().nanoTime() - beganNanos;
    if (recordsReplayed + entriesRead > 0) {
      LOG.info(
          "recovered {} instances under way from {} entries of a snapshot and {} records in {} ms;"
              + " {} calls are made again",
          running,
          entriesRead,
          recordsReplayed,
          TimeUnit.NANOSECONDS.toMillis(recoveryNanos),
          repeated);
    }
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
    int ended = kernelLimits.kernel().maxEndedColdBytes();
    boolean lowered = ended < settings.limits().kernel().maxEndedColdBytes();
    long results = lowered ? (long) ended * journals.size() : 0;
    long known = Math.max(snapshotCoordinator.latestBytes(), snapshotCoordinator.heldBytes());
    return Math.max(results, known * 5 / 4);
  }

  /** Nanoseconds that {@link #recover} took. Any thread. */
  long recoveryNanos() {
    return recoveryNanos;
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

  /** Records that {@link #recover} replayed. */
  long recordsReplayed() {
    return recordsReplayed;
  }

  /** Entries of a snapshot that {@link #recover} read. */
  long entriesRead() {
    return entriesRead;
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

  private static void report(LogOpeningReport report) {
    LogOpeningReport.TornTail tornTail = report.cut();
    if (tornTail != null) {
      LOG.warn(
          "cut off {} bytes at {} of {}: a batch that was never acknowledged",
          tornTail.bytes(),
          tornTail.offset(),
          tornTail.file());
    }
    report.notes().forEach(note -> LOG.warn("{}", note));
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
  @SuppressWarnings("FutureReturnValueIgnored") // housekeeping reports its own failures
  void start() {
    StageLoop loop = loops.loops().getFirst();
    writer.attach(loop);
    cold.forEach(each -> each.onWanted(() -> housekeeper.execute(each::make)));
    loop.host(List.of(writer));
    snapshotCoordinator.start(loop);
    partitionTransfer.start(loop);
    mover.start();
    housekeeper.scheduleWithFixedDelay(
        this::keepHouse, HOUSEKEEPING_MILLIS, HOUSEKEEPING_MILLIS, TimeUnit.MILLISECONDS);
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
    housekeeper.shutdown();
    try {
      if (!housekeeper.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("the housekeeping of the journal did not stop within {} s", STOP_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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

  /** The log on this machine. Its lock excludes other writers, and a commit waits for the disk. */
  private final class LocalLog implements DurableLog {
    @Override
    public long submit(int partition, int epoch, byte kind, ByteBuffer payload) throws IOException {
      int bytes = payload.remaining() + RECORD_OVERHEAD;
      long position = log.append(partition, epoch, kind, payload);
      snapshotCoordinator.appended(bytes);
      if (!log.hasPreallocated()
          && journalMaintenance.isHealthy()
          && spareWanted.compareAndSet(false, true)) {
        housekeeper.execute(SafeStore.this::keepHouse);
      }
      return position;
    }

    @Override
    public void commit() throws IOException {
      log.force();
      if (mayForget()) {
        snapshotCoordinator.forced();
      }
    }

    @Override
    public long durable() {
      return log.durable();
    }

    @Override
    public void attach(Wakeup writer) {
      // its commit waits
    }
  }
}
