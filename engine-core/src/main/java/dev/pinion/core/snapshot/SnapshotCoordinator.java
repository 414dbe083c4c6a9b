package dev.pinion.core.snapshot;

import dev.pinion.core.journal.JournalHeader;
import dev.pinion.core.journal.KernelJournal;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.journal.SnapshotHeader;
import dev.pinion.core.journal.disk.NoSpaceException;
import dev.pinion.core.journal.store.ForceFailedException;
import dev.pinion.core.journal.store.RecordLog;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.limits.JournalLimits;
import dev.pinion.core.loop.StageLoop;
import dev.pinion.core.loop.StageLoopGroup;
import dev.pinion.core.recovery.JournalReplay;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.ThreadSetup;
import dev.pinion.core.stage.Wakeup;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes snapshots of a journal when they are due, and lets the log adopt them. The thread that owns
 * the log calls everything here except where stated otherwise.
 */
public final class SnapshotCoordinator
    implements SnapshotStage.SnapshotKernels, SnapshotStage.SnapshotListener {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotCoordinator.class);

  /** Approximate bytes of a running instance in a snapshot beside its values. */
  private static final int BYTES_OF_INSTANCE = 300;

  private final EngineSettings settings;
  private final RecordLog log;
  private final List<KernelJournal> journals;
  private final SnapshotSchedule schedule;
  private final SnapshotStage stage;
  private final StageLoopGroup loops;
  private volatile List<Kernel> kernels = List.of();
  private final int maxEntryBytes;
  private final Supplier<SortedMap<Integer, Integer>> held;
  private Executor owner = Runnable::run;

  /** Whether partitions move, so that no snapshot may begin; the log's owner only. */
  private boolean suspended;

  /** Whether one is being written. */
  private volatile boolean underWay;

  /** Whether the latest snapshot found no room on the disk. */
  private volatile boolean lacksRoom;

  /** Size of the latest one, in bytes. */
  private volatile long latestBytes;

  /**
   * Snapshots of a log.
   *
   * @param maxEntryBytes the longest entry
   * @param held the partitions of the kernels with their epochs; any thread
   */
  public SnapshotCoordinator(
      EngineSettings settings,
      RecordLog log,
      int maxEntryBytes,
      Supplier<SortedMap<Integer, Integer>> held,
      List<KernelJournal> journals) {
    this.settings = settings;
    this.log = log;
    this.maxEntryBytes = maxEntryBytes;
    this.held = held;
    this.journals = journals;
    this.schedule = new SnapshotSchedule(settings.limits().journal());
    this.stage = new SnapshotStage(this::opening, log::durable, this, this);
    this.loops =
        StageLoopGroup.parked("snapshot", 1, settings.transport(), settings.clock(), this::prepare);
  }

  private void prepare(String role, ThreadSetup.ThreadKind threadKind) {
    settings.threads().prepare(role, ThreadSetup.ThreadKind.ANCILLARY);
  }

  /** The journal was replayed and opened. */
  public void recovered(List<Kernel> recovered, JournalReplay replay) {
    kernels = recovered;
    latestBytes = replay.snapshotBytes();
    schedule.recovered(replay.snapshotBytes(), replay.recordBytes());
  }

  /** Begins to make snapshots when they are due; they are adopted on the log's thread. */
  public void start(Executor logOwner) {
    owner = logOwner;
    StageLoop loop = loops.loops().getFirst();
    stage.lane().attach(loop);
    loop.host(List.of(stage));
  }

  public void appended(int bytes) {
    schedule.appended(bytes);
  }

  /**
   * Begins a snapshot if one is due. All records so far are durable.
   *
   * @throws IOException when the log has failed
   */
  public void forced() throws IOException {
    if (!suspended && schedule.isDue(settings.clock().nanoTime())) {
      begin();
    }
  }

  /**
   * Makes a snapshot due, as the disk gets full, even with few new records. Any thread.
   *
   * @param allowed whether snapshots may replace records
   */
  public void urge(BooleanSupplier allowed) {
    owner.execute(
        () -> {
          schedule.requestNow();
          if (allowed.getAsBoolean() && log.position() == log.durable()) {
            try {
              forced();
            } catch (IOException e) {
              onFailed(e); // the log has failed, and the next force reports it
            }
          }
        });
  }

  private void begin() throws IOException {
    schedule.begun();
    underWay = true;
    try {
      StageLoop loop = loops.loops().getFirst();
      stage.begin(job(stage.lane(), loop), loop);
    } catch (ForceFailedException e) {
      throw e;
    } catch (IOException e) {
      onFailed(e);
    }
  }

  private SnapshotJob job(Lane<SnapshotJob.QueuedEntry> lane, Wakeup wakeup) throws IOException {
    return new SnapshotJob(
        log.snapshot(),
        kernels.size(),
        maxEntryBytes,
        settings.limits().journal().snapshotLaneBytes(),
        lane,
        wakeup);
  }

  private SnapshotEntry opening() {
    SnapshotHeader opening =
        new SnapshotHeader(
            held.get(),
            settings.clock().nanoTime(),
            settings.clock().epochMillis(),
            JournalHeader.now(settings.clock(), settings.limits()));
    return new SnapshotEntry(0, SnapshotEntry.BEGIN, opening.encode());
  }

  @Override
  public void request(SnapshotJob job) {
    kernels.forEach(kernel -> kernel.snapshot(job));
    wake();
  }

  @Override
  public void wake() {
    journals.forEach(KernelJournal::wakeKernel);
  }

  @Override
  public void finished(SnapshotJob job) {
    owner.execute(() -> adopt(job));
  }

  @Override
  public void failed(Exception reason) {
    owner.execute(() -> onFailed(reason));
  }

  @Override
  public void givenUp() {
    owner.execute(
        () -> {
          underWay = false;
          schedule.givenUp();
        });
  }

  /**
   * Abandons the snapshot under way and begins none until {@link #resume}. The partitions of a
   * snapshot are fixed at its beginning. Any thread except the log's and the snapshot's.
   *
   * @return completes when that is done
   */
  public CompletableFuture<Void> suspend() {
    return CompletableFuture.runAsync(() -> suspended = true, owner)
        .thenRunAsync(this::giveUp, loops.loops().getFirst());
  }

  private void giveUp() {
    try {
      stage.giveUp();
    } catch (IOException e) {
      LOG.warn("the unfinished file of a snapshot could not be removed", e);
    }
  }

  /** Snapshots may be begun again. Any thread. */
  public void resume() {
    owner.execute(() -> suspended = false);
  }

  private void adopt(SnapshotJob job) {
    underWay = false;
    try {
      log.adopt(job.writer());
      schedule.adopted(job.bytes());
      lacksRoom = false;
      latestBytes = job.bytes();
      LOG.info(
          "made a snapshot of {} KiB at record {}", job.bytes() >> 10, job.writer().position());
    } catch (IOException e) {
      onFailed(e); // the log has failed, and the next force reports it
    }
  }

  /** Whether one is being written. Any thread. */
  public boolean underWay() {
    return underWay;
  }

  /** Whether the latest snapshot found no room on the disk. Any thread. */
  public boolean lackRoom() {
    return lacksRoom;
  }

  /** Size of the latest one, in bytes; 0 for none. Any thread. */
  public long latestBytes() {
    return latestBytes;
  }

  /** Approximate size of a snapshot of the present state, in bytes. Any thread. */
  public long heldBytes() {
    return kernels.stream()
        .map(Kernel::counters)
        .mapToLong(each -> each.snapshotBytes() + Math.max(0, each.running()) * BYTES_OF_INSTANCE)
        .sum();
  }

  private void onFailed(Exception reason) {
    underWay = false;
    lacksRoom = reason instanceof NoSpaceException;
    boolean first = schedule.failed(settings.clock().nanoTime());
    if (!first) {
      return;
    }
    String retries = schedule.describeRetries();
    if (reason instanceof NoSpaceException) {
      LOG.warn("no room for a snapshot of the journal: it is tried again {}", retries);
    } else {
      LOG.error("a snapshot of the journal failed; it is tried again {}", retries, reason);
    }
  }

  /** Abandons the snapshot under way. */
  public void stop(long seconds) {
    loops
        .shutdownGracefully(0, seconds, TimeUnit.SECONDS)
        .awaitUninterruptibly(seconds, TimeUnit.SECONDS);
  }

  /**
   * Makes a last snapshot, if it is worth it. All kernels and all threads of the journal have
   * stopped.
   */
  public void close() {
    if (kernels.isEmpty() || !schedule.isDueAtClose() || !isDurable()) {
      return;
    }
    try {
      SnapshotJob job = job(new Lane<>("last-snapshot", 2), Wakeup.NONE);
      write(job);
      log.adopt(job.writer());
      JournalLimits limits = settings.limits().journal();
      log.deleteObsolete(limits.keptLogBytes(), 2L * limits.unreadLogBytes());
    } catch (IOException | RuntimeException e) {
      LOG.warn("no snapshot was made at the end: the next start replays more of the journal", e);
    }
  }

  private void write(SnapshotJob job) throws IOException {
    try {
      job.write(opening());
      for (Kernel kernel : kernels) {
        kernel.snapshotNow(new SynchronousSnapshotSink(job));
      }
      job.finish(log.durable());
    } catch (IOException | RuntimeException e) {
      job.abandon();
      throw e;
    }
  }

  private boolean isDurable() {
    return journals.stream().allMatch(journal -> journal.durable() == journal.appended());
  }
}
