package dev.pinion.bootstrap.datadir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Field fault 19: a data folder that was replaced, or belongs to somebody else. */
class DataDirectoryTest {
  @TempDir private Path folder;
  private final List<String> warnings = new ArrayList<>();

  @Test
  void shouldGiveNewFolderAnIdentityOnce() throws IOException {
    Path data = folder.resolve("a/b");

    DataDirectoryIdentity first = opened(data);
    DataDirectoryIdentity second = opened(data);

    assertEquals(first.id(), second.id());
    assertEquals(1, first.generation());
    assertEquals(2, second.generation());
    second.check(data);
    assertEquals(second, DataDirectoryIdentity.parse(second.words()));
    assertEquals(List.of(), warnings);
  }

  @Test
  void shouldGiveTwoFoldersDifferentIdentities() throws IOException {
    assertFalse(
        opened(folder.resolve("a")).id().equals(opened(folder.resolve("b")).id()),
        "expected random ids");
  }

  @Test
  void shouldTakeEmptyTopmostFolderOfFileSystem() throws IOException {
    Files.createDirectory(folder.resolve("lost+found"));

    assertEquals(1, opened(folder).generation());
  }

  @Test
  void shouldTakeFolderOfOlderVersionAsItIs() throws IOException {
    // given the files of a version without identities, and a foreign note
    Files.writeString(folder.resolve("lock"), "4711");
    Files.createDirectories(folder.resolve("crash"));
    Files.createDirectories(folder.resolve("journal/0"));
    Files.writeString(folder.resolve("note.txt"), "moved here in May");

    DataDirectoryIdentity identity = opened(folder);

    identity.check(folder);
    assertEquals("moved here in May", Files.readString(folder.resolve("note.txt")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"holiday.jpg", ".profile", "src/", "NOT-MOUNTED"})
  void shouldRefuseFolderWithForeignFilesAndLeaveItAlone(String name) throws IOException {
    Path foreign = folder.resolve(name);
    if (name.endsWith("/")) {
      Files.createDirectory(foreign);
    } else {
      Files.createFile(foreign);
    }

    IOException refused = assertThrows(IOException.class, () -> opened(folder));

    String message = String.valueOf(refused.getMessage());
    assertTrue(message.startsWith("expected an empty folder or a data folder of Pinion"), message);
    assertTrue(message.contains(String.valueOf(foreign.getFileName())), message);
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(foreign), files.toList());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldRefuseForeignFolderWithAnIdentityOfItsOwn(boolean isFolder) throws IOException {
    Path identity = folder.resolve(DataDirectoryIdentity.FILE);
    Path photo = Files.createFile(folder.resolve("photo.jpg"));
    if (isFolder) {
      Files.createDirectory(identity);
    } else {
      Files.writeString(identity, "ssh-ed25519 AAAA");
    }

    String message =
        String.valueOf(assertThrows(IOException.class, () -> opened(folder)).getMessage());

    assertTrue(message.contains("holds identity, photo.jpg: choose another folder"), message);
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(identity, photo), files.sorted().toList());
    }
  }

  @Test
  void shouldRefuseAnIdentityThatIsAFolderAmongItsOwnFiles() throws IOException {
    Files.createDirectory(folder.resolve("journal"));
    Files.createDirectory(folder.resolve(DataDirectoryIdentity.FILE));

    String message = String.valueOf(assertThrows(IOException.class, () -> opened(folder)));

    assertTrue(message.contains("found a folder: if the folder is the right one"), message);
  }

  @Test
  void shouldRefuseDamagedIdentityAndOneOfNewerFormat() throws IOException {
    DataDirectoryIdentity identity = opened(folder);
    Path file = folder.resolve(DataDirectoryIdentity.FILE);

    Files.writeString(file, identity.text().replace("id ", "ID "));
    String damaged = String.valueOf(assertThrows(IOException.class, () -> opened(folder)));
    Files.writeString(file, identity.text().replace("data 1", "data 2"));
    String newer = String.valueOf(assertThrows(IOException.class, () -> opened(folder)));

    assertTrue(damaged.contains("move this away"), damaged);
    assertTrue(newer.contains("found format 2"), newer);
  }

  @Test
  void shouldFindAnotherFolderOrNoneUnderItsPath() throws IOException {
    Path data = folder.resolve("data");
    DataDirectoryIdentity identity = opened(data);

    Files.move(data, folder.resolve("moved"));
    String gone = lost(identity, data);
    Files.createDirectory(data);
    String empty = lost(identity, data);
    opened(data);
    String other = lost(identity, data);
    opened(folder.resolve("moved"));
    String newer = lost(identity, folder.resolve("moved"));

    assertTrue(gone.contains("found no folder"), gone);
    assertTrue(empty.contains("found a folder without an identity"), empty);
    assertTrue(other.contains("found data folder "), other);
    assertTrue(newer.contains("found data folder " + identity.id() + " of generation 2"), newer);
    assertTrue(gone.contains("mount or restore"), gone);
  }

  private static String lost(DataDirectoryIdentity identity, Path data) {
    return String.valueOf(
        assertThrows(
                DataDirectoryIdentity.DataDirectoryLostException.class, () -> identity.check(data))
            .getMessage());
  }

  private DataDirectoryIdentity opened(Path data) throws IOException {
    try (DataDirectory opened = DataDirectory.open(data, warnings::add)) {
      return opened.identity();
    }
  }
}
