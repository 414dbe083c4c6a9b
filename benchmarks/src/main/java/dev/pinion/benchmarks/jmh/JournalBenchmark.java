package dev.pinion.benchmarks.jmh;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.journal.DurableLog;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.JournalWriter;
import dev.pinion.core.journal.KernelJournal;
import dev.pinion.core.journal.RecordCodec;
import dev.pinion.core.journal.disk.FileStorage;
import dev.pinion.core.journal.store.LogSettings;
import dev.pinion.core.journal.store.RecordLog;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Wakeup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The journal's stage alone: a group of starts with 100 bytes of input is put into its lane,
 * encoded, and made durable by one force. {@code disk} writes to a log in the folder for temporary
 * files, and measures that folder's disk; {@code nowhere} omits the disk, so that its time for each
 * record is the CPU time of the journal.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
@State(Scope.Thread)
public class JournalBenchmark {
  private static final int PARTITIONS = 64;
  private static final int LANE = 2_048;

  /** Starts under way at a time, which share a force. */
  @Param({"1", "16", "128", "1024"})
  public int starts = 1;

  private final JournalRecord record =
      new JournalRecord(
          InstanceId.parse("i_0000000040000").orElseThrow(),
          0,
          1_000_000_000L,
          1_700_000_000_000L,
          0,
          new Event.Started(
              new DefinitionKey("bench", "journal", "1.0.0"),
              0,
              Payload.object(Map.of("text", Payload.of("x".repeat(89))))));

  private @Nullable Path folder;
  private @Nullable RecordLog log;
  private Stage disk = new Stage(new Nowhere());
  private final Stage nowhere = new Stage(new Nowhere());

  /** Additional figures in JMH's report. */
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  @State(Scope.Thread)
  public static class Count {
    /** Records that became durable. */
    public long records;
  }

  /** Opens a separate log for each iteration, so that none grows without bound. */
  @Setup(Level.Iteration)
  public void open() throws IOException {
    Path made = Files.createTempDirectory("journal");
    RecordLog opened =
        RecordLog.open(
            FileStorage.create(made.resolve("0")), LogSettings.of(PARTITIONS, "benchmark"));
    opened.preallocate();
    folder = made;
    log = opened;
    disk = new Stage(new Disk(opened));
  }

  /** Closes the log and deletes it. */
  @TearDown(Level.Iteration)
  public void close() throws IOException {
    if (log != null && folder != null) {
      log.close();
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** One group, forced to disk. The number of operations is that of forces. */
  @Benchmark
  public long disk(Count count) {
    return disk.write(record, starts, count);
  }

  /** One group, encoded and discarded. */
  @Benchmark
  public long nowhere(Count count) {
    return nowhere.write(record, starts, count);
  }

  /** The stage with its lane. */
  private static final class Stage {
    private final KernelJournal journal;
    private final JournalWriter writer;

    Stage(DurableLog log) {
      Lane<KernelJournal.Appended> lane = new Lane<>("journal", LANE);
      this.journal =
          new KernelJournal(lane, () -> true, () -> false, new HeapAccount(Integer.MAX_VALUE));
      RecordCodec codec = new RecordCodec(new PayloadCodec(EngineLimits.defaults().json()));
      this.writer =
          new JournalWriter(
              lane,
              List.of(journal),
              log,
              _ -> 1,
              codec,
              System::nanoTime,
              failure -> {
                throw new UncheckedIOException(failure);
              });
    }

    long write(JournalRecord record, int starts, Count count) {
      for (int i = 0; i < starts; i++) {
        journal.append(record);
      }
      while (journal.durable() < journal.appended()) {
        writer.doWork(0, 0);
      }
      count.records += starts;
      return journal.durable();
    }
  }

  /** A log that keeps nothing: every record is durable at once. */
  private static final class Nowhere implements DurableLog {
    private long position;

    @Override
    public long submit(int partition, int epoch, byte kind, ByteBuffer payload) {
      return ++position;
    }

    @Override
    public void commit() {
      // nothing is kept
    }

    @Override
    public long durable() {
      return position;
    }

    @Override
    public void attach(Wakeup writer) {
      // its commit waits
    }
  }

  /** A log; preparing space for it, normally off the path, happens on it here. */
  private record Disk(RecordLog log) implements DurableLog {
    @Override
    public long submit(int partition, int epoch, byte kind, ByteBuffer payload) throws IOException {
      long position = log.append(partition, epoch, kind, payload);
      if (!log.hasPreallocated()) {
        log.preallocate();
      }
      return position;
    }

    @Override
    public void commit() throws IOException {
      log.force();
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
