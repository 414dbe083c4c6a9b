package dev.pinion.handlers.builtin.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.builtin.Digests;
import dev.pinion.handlers.builtin.HandlerTrial;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chained records. */
class AuditTest {
  @TempDir Path folder;
  private final HandlerTrial.Hands clock = new HandlerTrial.Hands();
  private Path file = Path.of("");

  @BeforeEach
  void name() {
    file = folder.resolve("audit.log");
  }

  private String settings(String more) {
    return "{\"file\": " + Payload.of(file.toString()) + more + "}";
  }

  private Handler audit(String more) throws Exception {
    return HandlerTrial.handler(new AuditFactory(clock), settings(more));
  }

  private void record(int from, int to) throws Exception {
    try (Handler audit = audit(", \"force\": false, \"properties\": [\"auth.subject\"]")) {
      for (int i = from; i < to; i++) {
        HandlerTrial.after(
            audit,
            HandlerTrial.message(
                Map.of("auth.subject", "ann\n" + i), HandlerTrial.json("{\"n\":" + i + "}")));
      }
    }
  }

  @Test
  void shouldRecordWhatWentPast() throws Exception {
    record(0, 3);
    List<String> lines = Files.readAllLines(file);
    assertEquals(3, lines.size());
    JsonNode told = new JsonMapper().readTree(lines.get(1));
    assertEquals("ann\n1", told.path("properties").path("auth.subject").asText());
    assertEquals(7, told.path("bytes").intValue());
    byte[] body = "{\"n\":1}".getBytes(StandardCharsets.UTF_8);
    assertEquals(HexFormat.of().formatHex(Digests.sha256(body)), told.path("sha256").asText());
    AuditFile.Verified found = AuditFile.verify(file);
    assertEquals(3, found.records());
    assertTrue(lines.get(2).endsWith(" " + found.head()));
    assertEquals(0, found.tornBytes());
  }

  @Test
  void shouldGoOnAfterARestart() throws Exception {
    record(0, 2);
    record(2, 4);
    assertEquals(4, AuditFile.verify(file).records());
  }

  @Test
  void shouldFindEveryChangeOfAByte() throws Exception {
    record(0, 3);
    byte[] good = Files.readAllBytes(file);
    String head = AuditFile.verify(file).head();
    for (int i = 0; i < good.length; i++) {
      byte[] changed = good.clone();
      changed[i] ^= 1;
      Files.write(file, changed);
      boolean same;
      try {
        AuditFile.Verified found = AuditFile.verify(file);
        same = found.records() == 3 && found.head().equals(head) && found.tornBytes() == 0;
      } catch (AuditFile.DamagedAuditException e) {
        same = false;
      }
      assertTrue(!same, "byte " + i);
    }
  }

  @Test
  void shouldFindWhatWasTakenOutPutInOrSwapped() throws Exception {
    record(0, 4);
    List<String> lines = Files.readAllLines(file);
    String head = AuditFile.verify(file).head();
    damaged(2, lines.get(0), lines.get(2), lines.get(3));
    damaged(1, lines.get(1), lines.get(2), lines.get(3));
    damaged(2, lines.get(0), lines.get(2), lines.get(1), lines.get(3));
    damaged(3, lines.get(0), lines.get(1), lines.get(1), lines.get(2));
    damaged(2, lines.get(0), "");
    Files.write(file, lines.subList(0, 3));
    assertTrue(
        !AuditFile.verify(file).head().equals(head), "a shorter file shows by the hash kept");
  }

  private void damaged(int record, String... lines) throws IOException {
    Files.write(file, List.of(lines));
    IOException found =
        assertThrows(AuditFile.DamagedAuditException.class, () -> AuditFile.verify(file));
    assertTrue(String.valueOf(found.getMessage()).startsWith("record " + record + ": "));
  }

  @Test
  void shouldCutOffWhatWasNeverWhole() throws Exception {
    record(0, 2);
    Files.writeString(file, "{\"at\":", StandardOpenOption.APPEND);
    assertEquals(6, AuditFile.verify(file).tornBytes());
    record(2, 3);
    assertEquals(3, AuditFile.verify(file).records());
    assertEquals(0, AuditFile.verify(file).tornBytes());
  }

  @Test
  void shouldRefuseADamagedFileAtTheStart() throws Exception {
    record(0, 2);
    Files.writeString(file, "nonsense\n", StandardOpenOption.APPEND);
    String problems = HandlerTrial.problems(new AuditFactory(clock), settings(""));
    assertTrue(problems.contains("record 3: "), problems);
  }

  @Test
  void shouldStopAtTheBounds() throws Exception {
    String json = "{\"a\":\"" + "x".repeat(900) + "\"}";
    int line = json.length() + 66;
    try (AuditFile audit = new AuditFile(file, 2L * line)) {
      audit.append(json, true);
      audit.append(json, false);
      assertThrows(IOException.class, () -> audit.append("1", false));
      audit.adopt(2L * line + 67);
      audit.append("1", false);
      assertThrows(
          IOException.class, () -> audit.append("1".repeat(AuditFile.MAX_LINE_BYTES), false));
    }
    assertEquals(3, AuditFile.verify(file).records());
  }

  @Test
  void shouldTakeRecordsOfManyThreads() throws Exception {
    List<Thread> threads = new ArrayList<>();
    try (Handler audit = audit("")) {
      for (int i = 0; i < 8; i++) {
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int n = 0; n < 25; n++) {
                        try {
                          HandlerTrial.after(audit, HandlerTrial.message(Map.of()));
                        } catch (Exception e) {
                          throw new IllegalStateException(e);
                        }
                      }
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertEquals(200, AuditFile.verify(file).records());
  }

  @Test
  void shouldBeMandatory() throws Exception {
    try (Handler audit = audit("")) {
      assertTrue(audit.declaration().mustPerform());
    }
    String problems =
        HandlerTrial.problems(new AuditFactory(clock), settings(", \"maxMegabytes\": 0"));
    assertTrue(problems.contains("from 1 to 1048576"), problems);
  }
}
