package dev.pinion.core.journal.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.journal.store.JournalReader;
import dev.pinion.core.journal.store.JournalVerification;
import dev.pinion.core.journal.store.Ledger;
import dev.pinion.core.journal.store.LockHolder;
import dev.pinion.core.journal.store.LogLimits;
import dev.pinion.core.journal.store.RecordLog;
import dev.pinion.core.journal.store.Scenario;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Logs on the disk of this machine. */
class FileStorageTest {
  @TempDir Path folder;

  private final Ledger ledger = new Ledger();

  private RecordLog open() throws IOException {
    return ledger.reopen(FileStorage.create(folder.resolve("log")), Scenario.BOUNDS);
  }

  private void grow(RecordLog log, int records) throws IOException {
    for (int i = 0; i < records; i++) {
      ledger.append(log, (i * 37) % 190);
      if (i % 3 == 2) {
        ledger.force(log);
      }
    }
    ledger.force(log);
  }

  @Test
  void shouldKeepALogOnDisk() throws IOException {
    RecordLog log = open();
    log.preallocate();
    grow(log, 60);
    log.adopt(ledger.snapshot(log));
    assertTrue(log.deleteObsolete());
    grow(log, 20);
    ledger.close(log);

    RecordLog again = open();
    assertTrue(again.report().clean());
    assertEquals(60, again.report().snapshot());
    assertEquals(80, again.durable());
    grow(again, 30);
    ledger.close(again);
    assertTrue(JournalVerification.run(new FileStorage(folder.resolve("log"))).isSound());
  }

  /** Field fault 19: a copy in place of the folder, or a volume mounted over it. */
  @Test
  void shouldChangeNothingInAFolderThatStandsInPlaceOfItsOwn() throws IOException {
    // given a log with segments to delete
    RecordLog log = open();
    grow(log, 60);
    Path own = folder.resolve("log");
    Path copy = Files.createDirectory(folder.resolve("copy"));
    for (Map.Entry<String, String> file : files(own).entrySet()) {
      Files.writeString(copy.resolve(file.getKey()), file.getValue(), StandardCharsets.ISO_8859_1);
    }
    log.adopt(ledger.snapshot(log));

    // when an older copy takes its place
    Files.move(own, folder.resolve("old"));
    Files.move(copy, own);
    Map<String, String> before = files(own);

    // then every operation that would change files by name fails
    for (Executable change :
        List.<Executable>of(
            log::deleteObsolete,
            log::preallocate,
            () -> log.takeReserve(1 << 16),
            () -> ledger.snapshot(log),
            () -> grow(log, 60))) {
      IOException refused = assertThrows(IOException.class, change);
      assertTrue(
          String.valueOf(refused.getMessage()).contains("found another one"), refused::toString);
    }
    log.close();
    assertEquals(before, files(own));
  }

  /** The bytes of every file as characters, by name. */
  private static Map<String, String> files(Path directory) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (var all = Files.newDirectoryStream(directory)) {
      for (Path each : all) {
        files.put(
            each.getFileName().toString(), Files.readString(each, StandardCharsets.ISO_8859_1));
      }
    }
    return files;
  }

  /** Field fault 19: the parent of a missing data folder is not created. */
  @Test
  void shouldNotMakeTheFolderAboveIt() {
    Path data = folder.resolve("data");

    assertThrows(NoSuchFileException.class, () -> FileStorage.create(data.resolve("journal")));

    assertFalse(Files.exists(data));
  }

  @Test
  void shouldPreallocateSegments() throws IOException {
    open().close();

    assertEquals(4096, Files.size(folder.resolve("log/0000000001.segment")));
    assertEquals(8192, Files.size(folder.resolve("log/anchor")));
  }

  @Test
  void shouldRefuseASecondOpenerInThisProcess() throws IOException {
    RecordLog log = open();

    LogLockedException e = assertThrows(LogLockedException.class, this::open);

    assertEquals(Long.toString(ProcessHandle.current().pid()), e.holder());
    ledger.close(log);
    open().close();
  }

  @Test
  void shouldRefuseWhileAnotherProcessHasItOpenAndRecoverWhenThatIsKilled() throws Exception {
    open().close();
    Process holder = start();
    try {
      LogLockedException e = assertThrows(LogLockedException.class, this::open);

      assertEquals(Long.toString(holder.pid()), e.holder());
      assertTrue(String.valueOf(e.getMessage()).contains("log/lock"), e.getMessage());
    } finally {
      holder.destroyForcibly().waitFor();
    }
    RecordLog log =
        RecordLog.open(new FileStorage(folder.resolve("log")), Ledger.settings(Scenario.BOUNDS));
    assertEquals(1, log.durable());
    assertEquals(1, log.report().anchored());
    log.close();
  }

  private Process start() throws IOException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                LockHolder.class.getName(),
                folder.resolve("log").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader out = process.inputReader(StandardCharsets.US_ASCII);
    String line = out.readLine();
    if (!"open".equals(line)) {
      process.destroyForcibly();
      throw new AssertionError("expected the other process to open the log, found " + line);
    }
    return process;
  }

  @Test
  void shouldLetReadersReadWhileTheWriterWrites() throws Exception {
    RecordLog log = open();
    FileStorage storage = new FileStorage(folder.resolve("log"));
    AtomicBoolean done = new AtomicBoolean();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    List<Integer> sizes = new ArrayList<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                do {
                  sizes.add(read(storage, log));
                } while (!done.get());
              } catch (IOException | RuntimeException | AssertionError e) {
                failure.set(e);
              }
            });
    reader.start();
    for (int round = 0; round < 40; round++) {
      grow(log, 30);
      if (round % 8 == 7) {
        log.adopt(ledger.snapshot(log));
        log.deleteObsolete();
      }
    }
    done.set(true);
    reader.join();

    if (failure.get() != null) {
      throw new AssertionError("seen by a reader", failure.get());
    }
    assertTrue(!sizes.isEmpty());
    assertEquals(1_200, read(storage, log));
    ledger.close(log);
  }

  /** Reads all and checks that it is everything that was durable before. */
  private static int read(FileStorage storage, RecordLog log) throws IOException {
    long durable = log.durable();
    Ledger.Collected collected = new Ledger.Collected();
    try (JournalReader reader = JournalReader.open(storage)) {
      reader.replay(_ -> true, collected);
    }
    assertTrue(collected.payloads.size() >= durable, collected.payloads.size() + " of " + durable);
    return collected.payloads.size();
  }

  @Test
  void shouldAllocateNothingPerRecord() throws IOException {
    LogLimits bounds = new LogLimits(1 << 20, 1000, 16 << 10);
    RecordLog log =
        RecordLog.open(FileStorage.create(folder.resolve("b")), Ledger.settings(bounds));
    ByteBuffer payload = ByteBuffer.allocateDirect(40);
    appendAll(log, payload, 4_000);
    var threads =
        assertInstanceOf(
            com.sun.management.ThreadMXBean.class, ManagementFactory.getThreadMXBean());
    long before = threads.getCurrentThreadAllocatedBytes();

    appendAll(log, payload, 4_000);

    long perRecord = (threads.getCurrentThreadAllocatedBytes() - before) / 4_000;
    assertTrue(perRecord < 16, perRecord + " bytes a record");
    log.close();
  }

  /** Appends records in groups of eight. */
  private static void appendAll(RecordLog log, ByteBuffer payload, int records) throws IOException {
    for (int i = 0; i < records; i++) {
      log.append(i % 4, 0, (byte) 1, payload);
      if (i % 8 == 7) {
        log.force();
      }
    }
  }

  /** Field fault 2. */
  @Test
  void shouldKnowAWantOfDescriptorsByItsMessage() {
    IOException process = new FileSystemException("/log", null, "Too many open files");
    IOException system = new IOException("Too many open files in system");

    assertInstanceOf(TooManyOpenFilesException.class, StorageFailures.classified("open", process));
    assertInstanceOf(TooManyOpenFilesException.class, StorageFailures.classified("open", system));
  }

  @Test
  void shouldKnowAFullDiskByItsMessage() {
    IOException full = new IOException("No space left on device");
    IOException broken = new IOException("Input/output error");

    assertInstanceOf(NoSpaceException.class, StorageFailures.classified("write", full));
    assertEquals(broken, StorageFailures.classified("write", broken));
  }
}
