package dev.pinion.bootstrap.cli.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.PinionMain;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.RecordCodec;
import dev.pinion.core.journal.disk.FileStorage;
import dev.pinion.core.journal.store.LogId;
import dev.pinion.core.journal.store.LogLimits;
import dev.pinion.core.journal.store.LogSettings;
import dev.pinion.core.journal.store.RecordLog;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.partition.ReplicaGroup;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalCommandTest {
  private static final int RECORDS = 5;

  /** Position of the second record: behind the header of the segment and the first record. */
  private static final int IN_THE_SECOND_RECORD = 512 + 150;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final InstanceId id = InstanceId.next(1_700_000_000_000L, 3, null);
  @TempDir private Path data;
  private Path journal;

  @BeforeEach
  void write() throws IOException {
    journal = Files.createDirectory(data.resolve("journal")).resolve("0");
    LogSettings settings =
        new LogSettings(
            ReplicaGroup.PARTITIONS,
            "test",
            LogId.random(),
            new LogLimits(64 << 10, 8 << 10, 8 << 10));
    RecordCodec codec = new RecordCodec(new PayloadCodec(EngineLimits.defaults().json()));
    DefinitionKey definition = new DefinitionKey("test", "waits", "1.0.0");
    Event start = new Event.Started(definition, 3, Payload.of("in"));
    try (RecordLog log = RecordLog.open(FileStorage.create(journal), settings)) {
      for (int i = 0; i < RECORDS; i++) {
        RecordCodec.Encoded record =
            codec.encode(new JournalRecord(id, 0, 1, 1_700_000_000_000L, 0, start));
        log.append(3, 1, record.kind(), record.payload());
      }
      log.force();
    }
    writeClaims("0");
  }

  /** Writes empty claims. */
  private void writeClaims(String log) throws IOException {
    CRC32C crc = new CRC32C();
    crc.update(log.getBytes(StandardCharsets.US_ASCII));
    Files.writeString(
        data.resolve("journal").resolve("claims-" + log),
        "crc32c " + Long.toHexString(crc.getValue()) + "\n");
  }

  @Test
  void shouldTellOfDamageBesideJournals() throws Exception {
    Path claims = data.resolve("journal").resolve("claims-0");
    Path definitions = Files.createDirectories(data.resolve("definitions"));
    Files.delete(claims);
    assertEquals(ExitStatus.DATA, run("journal", "verify", data.toString()));
    assertTrue(err.toString().contains("claims-0, found none"), err::toString);

    Files.writeString(claims, "1 1\n");
    assertEquals(ExitStatus.DATA, run("journal", "verify", data.toString()));
    assertTrue(err.toString().contains("the file is damaged"), err::toString);

    writeClaims("0");
    Files.writeString(definitions.resolve("stray"), "?");
    out.getBuffer().setLength(0);
    assertEquals(ExitStatus.DATA, run("journal", "verify", "--json", data.toString()));
    JsonNode problem = new ObjectMapper().readTree(out.toString()).get(1);
    assertFalse(problem.path("sound").asBoolean(true));
    assertTrue(problem.path("refusal").asText().contains("stray"), problem::toString);

    Files.delete(definitions.resolve("stray"));
    writeClaims("1"); // of a deleted journal
    assertEquals(ExitStatus.DATA, run("journal", "verify", data.toString()));
    assertTrue(err.toString().contains("claims-1, found none"), err::toString);
  }

  @Test
  void shouldFindAJournalSoundWhereverItIsNamed() {
    for (Path named : List.of(journal, data, data.resolve("journal"))) {
      out.getBuffer().setLength(0);
      assertEquals(ExitStatus.OK, run("journal", "verify", named.toString()), err::toString);
      assertTrue(out.toString().contains("sound; 5 records in 1 segments"), out::toString);
    }
  }

  @Test
  void shouldTellFileAndOffsetOfDamage() throws Exception {
    damage();

    assertEquals(ExitStatus.DATA, run("journal", "verify", data.toString()));
    assertTrue(out.toString().contains("would be refused"), out::toString);
    assertTrue(err.toString().matches("(?s).*0000000001\\.segment:\\d+: .*"), err::toString);
    out.getBuffer().setLength(0);
    assertEquals(ExitStatus.DATA, run("journal", "verify", "--json", data.toString()));
    JsonNode report = new ObjectMapper().readTree(out.toString()).get(0);
    assertFalse(report.path("sound").asBoolean());
    assertTrue(report.path("problems").size() > 0, report::toString);
  }

  @Test
  void shouldShowRecords() throws Exception {
    assertEquals(ExitStatus.OK, run("journal", "dump", "--from", "2", "--to", "3", folder()));
    List<String> lines = out.toString().lines().toList();
    assertEquals(2, lines.size(), out::toString);
    assertTrue(lines.getFirst().startsWith("2 partition 3 epoch 1 kind 1 "), out::toString);
    assertTrue(lines.getFirst().endsWith(" " + id + " event 0 Start"), out::toString);

    out.getBuffer().setLength(0);
    assertEquals(ExitStatus.OK, run("journal", "dump", "--json", folder()));
    JsonNode first = new ObjectMapper().readTree(out.toString().lines().toList().getFirst());
    assertEquals(id.toString(), first.path("instance").asText());
  }

  @Test
  void shouldRepairOnTheWordOfAnOperatorOnly() throws Exception {
    damage();
    assertEquals(ExitStatus.USAGE, run("journal", "repair", "--keep", "1", folder()));

    String[] repair = {"journal", "repair", "--keep", "1", "--reason", "a test", folder()};
    assertEquals(ExitStatus.OK, run(repair), err::toString);
    assertTrue(out.toString().contains("removed-"), out::toString);
    out.getBuffer().setLength(0);
    assertEquals(ExitStatus.OK, run("journal", "verify", data.toString()), err::toString);
    assertTrue(out.toString().contains("sound; 2 records"), "one kept, one that tells of it");
  }

  @Test
  void shouldNotRepairWhatItIsToKeepAndCannot() throws Exception {
    damage();

    assertEquals(
        ExitStatus.DATA, run("journal", "repair", "--keep", "4", "--reason", "a test", folder()));
    assertTrue(err.toString().contains("expected whole records up to 4"), err::toString);
  }

  @Test
  void shouldSayWhatItExpects() {
    assertEquals(ExitStatus.USAGE, run("journal"));
    assertTrue(err.toString().contains("expected verify, dump or repair"), err::toString);
    String none = data.resolve("none").toString();
    assertEquals(ExitStatus.NO_INPUT, run("journal", "verify", none));
    assertEquals(ExitStatus.NO_INPUT, run("journal", "dump", none));
    assertEquals(
        ExitStatus.NO_INPUT, run("journal", "repair", "--keep", "1", "--reason", "x", none));
  }

  private String folder() {
    return journal.toString();
  }

  private void damage() throws IOException {
    Path segment = journal.resolve("0000000001.segment");
    try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
      file.seek(IN_THE_SECOND_RECORD);
      int was = file.read();
      file.seek(IN_THE_SECOND_RECORD);
      file.write(was ^ 1);
    }
  }

  private int run(String... args) {
    return PinionMain.run(args, new PrintWriter(out, true), new PrintWriter(err, true));
  }
}
