package dev.pinion.core.migration;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.coldstore.BlockColdStore;
import dev.pinion.core.coldstore.ColdSegments;
import dev.pinion.core.coldstore.ColdStore;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.journal.disk.FileStorage;
import dev.pinion.core.journal.store.JournalReader;
import dev.pinion.core.kernel.DefinitionSources;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.SnapshotSink;
import dev.pinion.core.kernel.output.EffectLanes;
import dev.pinion.core.kernel.output.KernelOutputs;
import dev.pinion.core.kernel.replay.Recovery;
import dev.pinion.core.kernel.step.memory.KernelMemory;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.partition.PartitionTable;
import dev.pinion.core.recovery.JournalReplay;
import dev.pinion.core.recovery.Quarantine;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.spi.InstanceObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kernels that only replay another log: their resulting state is written as entries of a snapshot,
 * for the kernels that are to continue with it. Any one thread.
 */
public final class PartitionImport {
  /**
   * Divisor: their values are packed from a quarter of this part of {@code kernel.maxHeldBytes} on.
   */
  private static final int PARTS_OF_HELD = 2;

  private static final int LEAST_COLD_BYTES = 1 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(PartitionImport.class);

  private final EngineSettings settings;
  private final PartitionTable partitionTable;
  private final PayloadCodec payloads;
  private final int maxEntryBytes;
  private final long leftBytes;

  /**
   * A way to read logs.
   *
   * @param maxEntryBytes the longest entry
   * @param leftBytes bytes of the disk left to others
   */
  public PartitionImport(
      EngineSettings settings,
      PartitionTable partitionTable,
      PayloadCodec payloads,
      int maxEntryBytes,
      long leftBytes) {
    this.leftBytes = leftBytes;
    this.settings = settings;
    this.partitionTable = partitionTable;
    this.payloads = payloads;
    this.maxEntryBytes = maxEntryBytes;
  }

  /**
   * Reads the state of some partitions in a log, which must not change meanwhile.
   *
   * @param epochs the partitions with their epochs in that log
   * @return for each kernel of this replica, by index, the state of its partitions; times are on
   *     the scale of this process
   * @throws IOException when the log cannot be read or replayed; the message says where
   */
  List<List<SnapshotEntry>> read(Path log, SortedMap<Integer, Integer> epochs) throws IOException {
    Quarantine quarantine = Quarantine.read(Objects.requireNonNull(log.getParent(), "a parent"));
    settings.definitions().refresh(); // one may be newer than this replica
    HeapAccount heap = new HeapAccount(settings.limits().kernel().maxHeldBytes() / PARTS_OF_HELD);
    List<Kernel> kernels =
        IntStream.range(0, partitionTable.kernels())
            .mapToObj(i -> kernel(i, new KernelMemory(heap, cold(log, Integer.toString(i)))))
            .toList();
    List<Recovery> recoveries =
        kernels.stream().map(kernel -> Recovery.of(kernel.state())).toList();
    JournalReplay replay =
        new JournalReplay(
            recoveries, partitionTable, payloads, settings.limits(), settings.clock(), quarantine);
    epochs.forEach(replay::expect);
    try (JournalReader reader = JournalReader.open(new FileStorage(log))) {
      // openings and the like are recorded under the first partition
      reader.replay(partition -> partition == 0 || epochs.containsKey(partition), replay);
    }
    replay.finish();
    quarantine.refuse(replay.failures());
    recoveries.forEach(recovery -> recovery.onJournalOpened(settings.limits()));
    recoveries.forEach(Recovery::finishShadow);
    for (Recovery recovery : recoveries) {
      recovery.excluded().forEach(id -> LOG.error("instance {} moves as faulted: it is held", id));
    }
    List<List<SnapshotEntry>> states = new ArrayList<>();
    for (Kernel kernel : kernels) {
      OffHeapEntries offHeapEntries = new OffHeapEntries(cold(log, "state"));
      kernel.snapshotNow(offHeapEntries);
      states.add(offHeapEntries.entries);
    }
    return states;
  }

  private ColdStore cold(Path log, String name) {
    return new BlockColdStore(
        ColdSegments.onDisk(
            log.resolveSibling("cold-" + log.getFileName() + "-lent-" + name),
            settings.limits().kernel().maxColdBytes(),
            leftBytes));
  }

  private Kernel kernel(int index, KernelMemory space) {
    return new Kernel(
        index,
        settings.limits(),
        new DefinitionSources(
            settings.graphs(), settings.bindings(), settings.safeStore().defaultLevel()),
        new KernelOutputs(Journal.NONE, InstanceObserver.NONE, new DiscardingLanes()),
        space,
        settings.clock().nanoTime());
  }

  /**
   * Collects every entry, and keeps all but small ones off the heap: the state of a neighbour need
   * not fit into it together with the own state.
   */
  private final class OffHeapEntries implements SnapshotSink {
    final List<SnapshotEntry> entries = new ArrayList<>();
    private final ColdStore cold;

    OffHeapEntries(ColdStore cold) {
      this.cold = cold;
    }

    @Override
    public boolean offer(SnapshotEntry entry) {
      long handle = entry.length() < LEAST_COLD_BYTES ? ColdStore.NO_ROOM : cold.put(entry.bytes());
      return entries.add(
          handle == ColdStore.NO_ROOM ? entry : entry.withBytesFrom(() -> cold.get(handle)));
    }

    @Override
    public int maxEntryBytes() {
      return maxEntryBytes;
    }

    @Override
    public boolean hasRoom() {
      return true;
    }

    @Override
    public boolean isAbandoned() {
      return false;
    }

    @Override
    public void fail(RuntimeException failure) {
      throw failure;
    }
  }

  /** A replay has no effects. */
  private static final class DiscardingLanes implements EffectLanes {
    private static IllegalStateException unexpected(Object effect) {
      return new IllegalStateException("expected no effect of a replay, found " + effect);
    }

    @Override
    public boolean invoke(Effect.Invocation invocation) {
      throw unexpected(invocation);
    }

    @Override
    public boolean evaluate(Effect.Evaluate evaluation) {
      throw unexpected(evaluation);
    }

    @Override
    public <R extends Reply> boolean reply(ReplyAddress<R> to, R reply) {
      throw unexpected(reply);
    }
  }
}
