package dev.pinion.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.InstanceId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuarantineTest {
  private static final InstanceId ID = InstanceId.parse("i_0000000040000").orElseThrow();

  @TempDir Path root;

  @Test
  void shouldHoldAnInstanceAtWhichThreeRecoveriesFailed() throws IOException {
    for (int i = 1; i < Quarantine.MAX_FAILURES; i++) {
      Quarantine.read(root).failed(ID, "failure " + i);
      assertFalse(Quarantine.read(root).contains(ID));
    }

    Quarantine.read(root).failed(ID, "the last one\nat some place");

    Quarantine read = Quarantine.read(root);
    assertTrue(read.contains(ID));
    assertTrue(read.isRetained(ID));
    String reason = read.reason(ID);
    assertNotNull(reason);
    assertTrue(reason.contains("the last one; delete quarantine/" + ID), reason);
    assertEquals(3, Files.readAllLines(root.resolve("quarantine").resolve(ID.toString())).size());
  }

  @Test
  void shouldKeepNothingOfAnInstanceThatWasGivenUp() throws IOException {
    Quarantine.read(root).failed(ID, "once");
    Path file = root.resolve("quarantine").resolve(ID.toString());
    Files.move(file, file.resolveSibling(ID + ".given-up"));

    Quarantine read = Quarantine.read(root);

    assertTrue(read.contains(ID));
    assertFalse(read.isRetained(ID));
    assertTrue(String.valueOf(read.reason(ID)).endsWith("given up"), read.reason(ID));
  }

  @Test
  void shouldRefuseAFileThatNamesNoInstance() throws IOException {
    Files.createDirectories(root.resolve("quarantine"));
    Files.writeString(root.resolve("quarantine").resolve("readme"), "");

    IOException refusal = assertThrows(IOException.class, () -> Quarantine.read(root));

    assertTrue(String.valueOf(refusal.getMessage()).contains("readme"), refusal.getMessage());
  }

  @Test
  void shouldWriteALongReasonInPart() throws IOException {
    Quarantine.read(root).failed(ID, "x".repeat(10_000));

    List<String> lines = Files.readAllLines(root.resolve("quarantine").resolve(ID.toString()));

    assertEquals(1_000, lines.getFirst().length());
  }
}
