package dev.pinion.bootstrap.datadir;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Field fault 19: later folders must not recreate a missing data folder. */
class DataSubdirectoryTest {
  @TempDir private Path folder;

  @Test
  void shouldMakeOneFolderAndTakeItAgain() throws IOException {
    DataSubdirectory.make(folder.resolve("events"));
    DataSubdirectory.make(folder.resolve("events"));

    assertTrue(Files.isDirectory(folder.resolve("events")));
  }

  @Test
  void shouldNotMakeTheDataFolder() {
    Path data = folder.resolve("data");

    assertThrows(NoSuchFileException.class, () -> DataSubdirectory.make(data.resolve("events")));

    assertFalse(Files.exists(data));
  }

  @Test
  void shouldRefuseAFileOfThatName() throws IOException {
    Path file = Files.createFile(folder.resolve("events"));

    assertThrows(FileAlreadyExistsException.class, () -> DataSubdirectory.make(file));
  }
}
