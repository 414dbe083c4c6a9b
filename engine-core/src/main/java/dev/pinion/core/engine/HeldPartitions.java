package dev.pinion.core.engine;

import dev.pinion.core.journal.store.FileStorage;
import dev.pinion.core.journal.store.JournalReader;
import dev.pinion.core.journal.store.RecordLog;
import dev.pinion.core.peer.Neighbourhood;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions that a log holds, each in an epoch. Replays the log for those of this replica, and
 * takes over what other logs hold of them; what another replica has yet to take over from this log
 * stays in it until then.
 *
 * <p>On the thread that starts the engine, but for what says otherwise.
 */
final class HeldPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(HeldPartitions.class);

  private final Path root;
  private final String name;
  private final RecordLog log;
  private final Partitions partitions;

  /** By partition; 0 for one that is not held. */
  private final int[] epochs = new int[Neighbourhood.PARTITIONS];

  private volatile boolean owing;

  /**
   * What a log holds; nothing until it is replayed.
   *
   * @param directory where the log is
   * @param partitions those of this replica
   */
  HeldPartitions(Path directory, RecordLog log, Partitions partitions) {
    this.root = Objects.requireNonNull(directory.toAbsolutePath().getParent(), "a parent");
    this.name = String.valueOf(directory.getFileName());
    this.log = log;
    this.partitions = partitions;
  }

  /**
   * Replays the log, and takes over the partitions of this replica that other logs hold.
   *
   * @throws IOException when the claims of the log are gone or damaged
   */
  void replay(JournalReplay replay) throws IOException {
    PartitionClaims claims = PartitionClaims.read(root);
    boolean first = claims.of(name) == null;
    if (first && log.report().position() > 0) {
      throw new IOException(
          "expected the claims of the journal "
              + root.resolve(name)
              + " in a file claims-"
              + name
              + " beside it, found none; put a copy of it back");
    }
    if (first) {
      claim(); // from now on a file that is missing was lost
    }
    Map<String, SortedMap<Integer, Integer>> elsewhere = new TreeMap<>();
    for (int partition = 0; partition < epochs.length; partition++) {
      PartitionClaims.Holder holder = claims.holder(partition);
      boolean ours = partitions.isOurs(partition);
      if (holder != null && holder.log().equals(name)) {
        // also what is another replica's to take over: until then it is here and nowhere else
        epochs[partition] = holder.epoch();
        replay.expect(partition, ours ? holder.epoch() : 0);
        owing |= !ours;
      } else if (holder != null && ours) {
        elsewhere
            .computeIfAbsent(holder.log(), log -> new TreeMap<>())
            .put(partition, holder.epoch());
      }
    }
    log.replay(replay);
    replay.finish();
    for (Map.Entry<String, SortedMap<Integer, Integer>> other : elsewhere.entrySet()) {
      takeOver(other.getKey(), other.getValue(), replay);
    }
    for (int partition = 0; partition < epochs.length; partition++) {
      if (partitions.isOurs(partition) && epochs[partition] == 0) {
        epochs[partition] = replay.highest(partition) + 1;
      }
    }
  }

  private void takeOver(String other, SortedMap<Integer, Integer> held, JournalReplay replay)
      throws IOException {
    SortedMap<Integer, Integer> taken = new TreeMap<>();
    for (Map.Entry<Integer, Integer> each : held.entrySet()) {
      int partition = each.getKey();
      epochs[partition] = Math.max(each.getValue(), replay.highest(partition)) + 1;
      taken.put(partition, epochs[partition]);
    }
    PartitionTransfer transfer = new PartitionTransfer(held, taken, log, replay);
    try (JournalReader reader = JournalReader.open(FileStorage.create(root.resolve(other)))) {
      reader.replay(transfer::wants, transfer);
    }
    replay.finish();
    LOG.info("took over {} partitions from the journal of replica {}", held.size(), other);
  }

  /** Claims what is held, for good. Everything that was taken over is on disk. */
  void claim() throws IOException {
    PartitionClaims.write(root, name, epochs());
  }

  /** The epoch in which a partition of this replica is held. Any thread, once replayed. */
  int epoch(int partition) {
    return epochs[partition];
  }

  /** The epochs of all partitions that are held. Any thread, once nothing is {@link #owing}. */
  SortedMap<Integer, Integer> epochs() {
    SortedMap<Integer, Integer> held = new TreeMap<>();
    for (int partition = 0; partition < epochs.length; partition++) {
      if (epochs[partition] > 0) {
        held.put(partition, epochs[partition]);
      }
    }
    return held;
  }

  /**
   * Whether the log holds partitions that another replica has yet to take over: until then nothing
   * may be deleted from it. Any thread.
   */
  boolean owing() {
    return owing;
  }

  /** Lets go of partitions that others have taken over meanwhile. One thread from time to time. */
  void settle() throws IOException {
    if (!owing) {
      return;
    }
    PartitionClaims claims = PartitionClaims.read(root);
    boolean left = false;
    for (int partition = 0; partition < epochs.length; partition++) {
      if (epochs[partition] > 0 && !partitions.isOurs(partition)) {
        PartitionClaims.Holder holder = claims.holder(partition);
        boolean gone = holder != null && !holder.log().equals(name);
        epochs[partition] = gone ? 0 : epochs[partition];
        left |= !gone;
      }
    }
    owing = left;
  }
}
