package dev.pinion.core.migration;

import dev.pinion.core.journal.KernelJournal;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.journal.TransferHeader;
import dev.pinion.core.journal.store.RecordLog;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.PartitionAcquisition;
import dev.pinion.core.kernel.PartitionRelease;
import dev.pinion.core.kernel.replay.Recovery;
import dev.pinion.core.model.Clock;
import dev.pinion.core.snapshot.SnapshotCoordinator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The parts of kernels, log and snapshots of one replica in a move. Methods return when their part
 * is done; one thread calls them, at first the one that starts the engine.
 */
public final class PartitionTransfer {
  /** Bytes that are appended to the log without other work in between. */
  private static final int BATCH_BYTES = 256 << 10;

  private final RecordLog log;
  private final SnapshotCoordinator snapshotCoordinator;
  private final List<KernelJournal> journals;
  private final Clock clock;
  private final Consumer<IOException> onFailure;
  private List<Kernel> kernels = List.of();
  private Executor owner = Runnable::run;
  private boolean live;

  /**
   * The parts of one replica.
   *
   * @param journals the kernels' ways to the log, by index
   * @param onFailure is notified of failures that the engine must not survive
   */
  public PartitionTransfer(
      RecordLog log,
      SnapshotCoordinator snapshotCoordinator,
      List<KernelJournal> journals,
      Clock clock,
      Consumer<IOException> onFailure) {
    this.log = log;
    this.snapshotCoordinator = snapshotCoordinator;
    this.journals = journals;
    this.clock = clock;
    this.onFailure = onFailure;
  }

  /**
   * The state of partitions.
   *
   * @param entries for each kernel by index; none at all when there is no state
   */
  record PartitionState(List<List<SnapshotEntry>> entries) {
    static final PartitionState NONE = new PartitionState(List.of());

    /** Instances under way. */
    long running() {
      return entries.stream()
          .flatMap(List::stream)
          .filter(entry -> entry.kind() == SnapshotEntry.INSTANCE)
          .count();
    }

    private List<SnapshotEntry> of(int kernel) {
      return entries.isEmpty() ? List.of() : entries.get(kernel);
    }
  }

  /** The kernels have restored the state of the log and have no threads yet. */
  public void recovered(List<Kernel> recovered, BitSet absent) {
    kernels = recovered;
    kernels.forEach(kernel -> kernel.exclude(absent));
  }

  /** From now on kernels, log and snapshots have separate threads. */
  public void start(Executor logOwner) {
    owner = logOwner;
    live = true;
  }

  /** Abandons the snapshot under way and lets none begin. */
  void suspendSnapshots() throws IOException, InterruptedException {
    if (live) {
      await(snapshotCoordinator.suspend());
    }
  }

  void resumeSnapshots() {
    if (live) {
      snapshotCoordinator.resume();
    }
  }

  /** Lets the kernels release partitions; afterwards all their records of them are durable. */
  void release(BitSet partitions) throws InterruptedException {
    CountDownLatch left = new CountDownLatch(kernels.size());
    kernels.forEach(
        kernel -> kernel.releasePartitions(new PartitionRelease(partitions, left::countDown)));
    journals.forEach(KernelJournal::wakeKernel);
    left.await();
  }

  /**
   * Writes state of another log to disk.
   *
   * @param epochs the partitions and the epochs in which they are to be held
   * @throws IOException when there is no room, or the log has failed; nothing written counts then
   */
  void write(PartitionState partitionState, SortedMap<Integer, Integer> epochs)
      throws IOException, InterruptedException {
    TransferHeader transferHeader = new TransferHeader(clock.nanoTime(), clock.epochMillis());
    inOwner(() -> append(0, 0, SnapshotEntry.MOVED, transferHeader.encode()));
    for (List<SnapshotEntry> ofKernel : partitionState.entries()) {
      int from = 0;
      while (from < ofKernel.size()) {
        int to = batchEnd(ofKernel, from);
        List<SnapshotEntry> batch = ofKernel.subList(from, to);
        inOwner(() -> append(batch, epochs));
        from = to;
      }
    }
    inOwner(log::force);
  }

  private static int batchEnd(List<SnapshotEntry> entries, int from) {
    int to = from;
    int bytes = 0;
    while (to < entries.size() && bytes < BATCH_BYTES) {
      bytes += entries.get(to).length();
      to++;
    }
    return to;
  }

  private void append(List<SnapshotEntry> batch, SortedMap<Integer, Integer> epochs)
      throws IOException {
    for (SnapshotEntry entry : batch) {
      boolean general = SnapshotEntry.isOfKernel(entry.kind());
      int epoch = general ? 0 : Objects.requireNonNull(epochs.get(entry.partition()), "an epoch");
      append(entry.partition(), epoch, entry.kind(), ByteBuffer.wrap(entry.bytes()));
    }
  }

  private void append(int partition, int epoch, byte kind, ByteBuffer payload) throws IOException {
    log.append(partition, epoch, kind, payload);
    snapshotCoordinator.appended(payload.remaining());
  }

  /** Passes partitions with their state, which is on disk and claimed, to the kernels. */
  void acquire(Set<Integer> partitions, PartitionState partitionState) throws InterruptedException {
    BitSet arriving = new BitSet();
    partitions.forEach(arriving::set);
    CountDownLatch settled = new CountDownLatch(kernels.size());
    for (int i = 0; i < kernels.size(); i++) {
      PartitionAcquisition partitionAcquisition =
          new PartitionAcquisition(
              arriving,
              partitionState.of(i),
              Recovery::of,
              settled::countDown,
              reason -> onFailure.accept(new IOException(reason.getMessage(), reason)));
      if (live) {
        kernels.get(i).acquirePartitions(partitionAcquisition);
        journals.get(i).wakeKernel();
      } else {
        kernels.get(i).acquirePartitionsNow(partitionAcquisition, clock.nanoTime());
      }
    }
    settled.await();
  }

  private interface LogWork {
    void run() throws IOException;
  }

  private void inOwner(LogWork work) throws IOException, InterruptedException {
    await(
        CompletableFuture.runAsync(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            owner));
  }

  private static void await(CompletableFuture<?> done) throws IOException, InterruptedException {
    try {
      done.get();
    } catch (ExecutionException e) {
      throw new IOException("expected the journal to take what moves, found: " + e.getCause(), e);
    }
  }
}
