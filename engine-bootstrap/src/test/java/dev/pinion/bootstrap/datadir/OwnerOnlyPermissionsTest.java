package dev.pinion.bootstrap.datadir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Field fault 28: read access to the engine's data. */
@DisabledOnOs(OS.WINDOWS)
class OwnerOnlyPermissionsTest {
  @TempDir private Path folder;

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void mode(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void shouldTakeFromOthersWhatTheyMayReach() throws IOException {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Path target = Files.createFile(outside.resolve("target"));
    mode(target, "rw-r--r--");
    Path data = Files.createDirectory(folder.resolve("data"));
    Path journal = Files.createDirectories(data.resolve("journal/0"));
    Path segment = Files.createFile(journal.resolve("segment"));
    Path executable = Files.createFile(journal.resolve("anchor"));
    Path own = Files.createFile(data.resolve("lock"));
    Path link = Files.createSymbolicLink(data.resolve("link"), target);
    mode(data, "rwxr-xr-x");
    mode(data.resolve("journal"), "rwx------");
    mode(journal, "rwxrwxrwx");
    mode(segment, "rw-r--rw-");
    mode(executable, "rwxrwxrwx");
    mode(own, "rw-------");

    assertEquals(
        "permissions below "
            + data
            + " are for its owner alone now (0600, 0700): changed those of 2 files and 2 folders,"
            + " first "
            + data,
        OwnerOnlyPermissions.repair(data));
    assertEquals("rwx------", mode(data));
    assertEquals("rwx------", mode(journal));
    assertEquals("rw-------", mode(segment));
    assertEquals("rw-------", mode(executable));
    assertEquals("rw-r--r--", mode(link));
    assertNull(OwnerOnlyPermissions.repair(data));
  }

  @Test
  void shouldMendAFolderThatIsGivenAsALink() throws IOException {
    Path data = Files.createDirectory(folder.resolve("data"));
    Path file = Files.createFile(data.resolve("file"));
    mode(data, "rwx------");
    mode(file, "rw-r--r--");
    Path link = Files.createSymbolicLink(folder.resolve("link"), data);

    String told = String.valueOf(OwnerOnlyPermissions.repair(link));

    assertTrue(told.contains("those of 1 files and 0 folders"), told);
    assertEquals("rw-------", mode(file));
  }

  @Test
  void shouldCreateForTheOwnerAlone() throws IOException {
    Path made = OwnerOnlyPermissions.createDirectories(folder.resolve("a/b"));
    Path file = Files.createFile(made.resolve("f"), OwnerOnlyPermissions.ofFile(made));

    assertEquals("rwx------", mode(folder.resolve("a")));
    assertEquals("rwx------", mode(made));
    assertEquals("rw-------", mode(file));
  }
}
