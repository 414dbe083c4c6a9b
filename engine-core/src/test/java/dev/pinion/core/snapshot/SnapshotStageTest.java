package dev.pinion.core.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.journal.disk.FileStorage;
import dev.pinion.core.journal.store.LogId;
import dev.pinion.core.journal.store.LogLimits;
import dev.pinion.core.journal.store.LogSettings;
import dev.pinion.core.journal.store.RecordLog;
import dev.pinion.core.journal.store.RecordVisitor;
import dev.pinion.core.stage.Wakeup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stage that writes snapshots, driven by hand, on a real log. */
class SnapshotStageTest implements SnapshotStage.SnapshotKernels, SnapshotStage.SnapshotListener {
  private static final int MAX_ENTRY_BYTES = 1 << 10;
  private static final LogSettings SETTINGS =
      new LogSettings(16, "test", LogId.random(), new LogLimits(1 << 16, MAX_ENTRY_BYTES, 1 << 12));

  @TempDir Path folder;

  private final List<SnapshotJob> asked = new ArrayList<>();
  private final List<SnapshotJob> finished = new ArrayList<>();
  private final List<Exception> failed = new ArrayList<>();
  private RecordLog log;
  private SnapshotStage stage;
  private int wakes;
  private int givenUp;

  @BeforeEach
  void open() throws IOException {
    log = RecordLog.open(FileStorage.create(folder), SETTINGS);
    log.append(0, 1, (byte) 1, ByteBuffer.allocate(8));
    log.force();
    stage = new SnapshotStage(() -> entry(SnapshotEntry.BEGIN, 1), log::durable, this, this);
  }

  @AfterEach
  void close() throws IOException {
    stage.onClose();
    log.close();
  }

  @Override
  public void request(SnapshotJob job) {
    asked.add(job);
  }

  @Override
  public void wake() {
    wakes++;
  }

  @Override
  public void finished(SnapshotJob job) {
    finished.add(job);
  }

  @Override
  public void failed(Exception reason) {
    failed.add(reason);
  }

  @Override
  public void givenUp() {
    givenUp++;
  }

  private static SnapshotEntry entry(byte kind, int bytes) {
    return new SnapshotEntry(3, kind, new byte[bytes]);
  }

  private SnapshotJob begin(int kernels) throws IOException {
    SnapshotJob job =
        new SnapshotJob(
            log.snapshot(), kernels, MAX_ENTRY_BYTES, 16 << 20, stage.lane(), Wakeup.NONE);
    stage.begin(job, Wakeup.NONE);
    work();
    return job;
  }

  private void work() {
    while (stage.hasWork()) {
      stage.doWork(0, 0);
    }
  }

  @Test
  void shouldFinishWhenEveryKernelHasWrittenItsPart() throws IOException {
    SnapshotJob job = begin(2);
    assertEquals(List.of(job), asked);
    assertTrue(job.offer(entry(SnapshotEntry.INSTANCE, 100)));
    assertTrue(job.offer(entry(SnapshotEntry.KERNEL, 8)));
    work();
    assertEquals(List.of(), finished);
    assertTrue(wakes > 0, "there is room again");
    log.append(0, 1, (byte) 1, ByteBuffer.allocate(8));
    log.force();
    assertTrue(job.offer(entry(SnapshotEntry.KERNEL, 8)));
    work();

    assertEquals(List.of(job), finished);
    log.adopt(job.writer());
    log.close();
    assertEquals(List.of("17:1", "19:100", "21:8", "21:8", "22:2", "record 2"), contents());
  }

  /** Entries by kind and length, the last by its position; records behind them. */
  private List<String> contents() throws IOException {
    List<String> contents = new ArrayList<>();
    try (RecordLog again = RecordLog.open(FileStorage.create(folder), SETTINGS)) {
      again.replay(
          new RecordVisitor() {
            @Override
            public void onEntry(int partition, byte kind, ByteBuffer payload) {
              boolean end = kind == SnapshotEntry.END;
              contents.add(kind + ":" + (end ? payload.getLong() : payload.remaining()));
            }

            @Override
            public void onRecord(
                long position, int partition, int epoch, byte kind, ByteBuffer payload) {
              contents.add("record " + position);
            }
          });
    }
    return contents;
  }

  @Test
  void shouldGiveUpASnapshotThatCannotBeWrittenAndMakeTheNext() throws IOException {
    SnapshotJob first = begin(1);
    first.writer().close(); // as after a write that failed
    assertTrue(first.offer(entry(SnapshotEntry.INSTANCE, 10)));
    assertTrue(first.offer(entry(SnapshotEntry.INSTANCE, 10)));
    work();

    assertEquals(1, failed.size(), failed::toString);
    assertTrue(first.isAbandoned());
    SnapshotJob second = begin(1);
    assertTrue(first.offer(entry(SnapshotEntry.KERNEL, 8)), "a kernel that does not know yet");
    work();
    assertEquals(List.of(), finished);
    assertTrue(second.offer(entry(SnapshotEntry.KERNEL, 8)));
    work();
    assertEquals(List.of(second), finished);
    log.adopt(second.writer());
  }

  @Test
  void shouldGiveUpASnapshotThatAKernelCannotWrite() throws IOException {
    SnapshotJob job = begin(1);
    job.fail(new IllegalStateException("no state"));
    work();

    assertEquals(1, failed.size());
    assertTrue(job.isAbandoned());
    assertFalse(stage.hasWork());
  }

  @Test
  void shouldBoundWhatIsOnTheWayBySizeAndByNumber() throws IOException {
    SnapshotJob job = begin(1);
    int large = 0;
    while (job.offer(entry(SnapshotEntry.INSTANCE, 4 << 20))) {
      large++;
    }
    assertEquals(4, large);
    assertFalse(job.hasRoom());
    work(); // such entries are longer than the log accepts: the snapshot is abandoned
    assertTrue(job.isAbandoned());

    SnapshotJob next = begin(1);
    int small = 0;
    while (next.offer(entry(SnapshotEntry.INSTANCE, 1))) {
      small++;
    }
    assertEquals(stage.lane().capacity(), small);
    work();
    assertTrue(next.hasRoom());
  }

  @Test
  void shouldGiveUpWhatIsUnderWayWhenItIsClosed() throws IOException {
    SnapshotJob job = begin(1);
    stage.onClose();

    assertTrue(job.isAbandoned());
    assertEquals(1, failed.size());
  }

  @Test
  void shouldGiveUpWhatWasBegunWithoutAFailure() throws IOException {
    SnapshotJob job = begin(1);
    stage.giveUp();

    assertTrue(job.isAbandoned());
    assertEquals(1, givenUp);
    assertEquals(List.of(), failed);
    stage.giveUp();
    assertEquals(1, givenUp, "there is none any more");
  }
}
