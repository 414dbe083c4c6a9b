package dev.pinion.bootstrap.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.protocol.ProfiledProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileJsonTest {
  @TempDir private Path folder;

  @Test
  void shouldReadWhatItWrote() throws IOException {
    // given
    Profile profile =
        new Stacks()
            .of("d/busy/1.0.0", "/do/0/loop", "gold")
            .cpu(6, "a.b.C.run", "a.b.C.\"quoted\"")
            .in(ProfiledProcess.replica(1))
            .on("invoker", PipelineStage.INVOKER)
            .cpu(3, "a.b.C.run")
            .add(ProfileKind.ALLOCATION, "byte[]", 4096, "a.b.C.run", "x.y.Z.copy")
            .in(ProfiledProcess.BROKER)
            .add(ProfileKind.WAITING, "java.util.concurrent.locks.ReentrantLock", 5e6, "x.y.Z.lock")
            .profile("written");

    // when
    Path file = folder.resolve("profile.json");
    try (Writer out = Files.newBufferedWriter(file)) {
      ProfileJson.write(profile, out);
    }
    Profile read = ProfileJson.read(file);

    // then
    assertEquals(profile.header(), read.header());
    assertEquals(rows(profile), rows(read));
  }

  /** Rows with their stacks, since nodes may have other numbers. */
  private static List<String> rows(Profile profile) {
    Stream<String> rows =
        profile.rows().stream()
            .map(
                profileRow -> {
                  ProfileRow.Site at = profileRow.place();
                  return String.join(
                      " ",
                      at.kind().id(),
                      at.process().name(),
                      at.group(),
                      at.stage().name(),
                      at.work().toString(),
                      at.subject(),
                      profile.stack(profileRow).toString(),
                      Double.toString(profileRow.amount()),
                      Long.toString(profileRow.samples()));
                });
    return rows.sorted().toList();
  }

  @Test
  void shouldRefuseWhatIsNoProfile() throws IOException {
    for (String text :
        List.of(
            "",
            "{}",
            "[1]",
            "no JSON",
            "{\"format\":\"pinion-profile-2\"}",
            "{\"format\":\"pinion-profile-2\",\"rows\":[{}]}",
            "{\"format\":\"pinion-profile-2\",\"notes\":[],\"frames\":[],\"nodes\":[0,7],\"rows\":[]}",
            "{\"format\":\"pinion-profile-2\",\"notes\":[],\"frames\":[],\"nodes\":[],\"rows\":[{}]}")) {
      Path file = Files.writeString(folder.resolve("other.json"), text);

      IOException refused = assertThrows(IOException.class, () -> ProfileJson.read(file));

      String said = String.valueOf(refused.getMessage());
      assertTrue(said.contains("is no profile"), text);
      assertFalse(said.contains("REDACTED"), said);
    }
  }

  @Test
  void shouldReadFilesUpToTheirBoundOnly() throws IOException {
    Path file = folder.resolve("large.json");

    assertTrue(refusal(file, ProfileJson.MAX_BYTES).contains("is no profile"));
    assertTrue(
        refusal(file, ProfileJson.MAX_BYTES + 1)
            .startsWith("expected a profile of at most " + ProfileJson.MAX_BYTES + " bytes"));
  }

  /** For a file of zeros, which needs no space on the disk. */
  private static String refusal(Path file, long bytes) throws IOException {
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(bytes);
    }
    return String.valueOf(
        assertThrows(IOException.class, () -> ProfileJson.read(file)).getMessage());
  }
}
