package dev.pinion.bootstrap.process;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Field fault 2: the limit of open files is known before it is reached. */
class OpenFilesTest {
  @TempDir private Path process;

  private OpenFiles found(String limit) throws IOException {
    Files.createDirectories(process.resolve("fd"));
    for (int i = 0; i < 3; i++) {
      Files.writeString(process.resolve("fd").resolve(Integer.toString(i)), "");
    }
    Files.writeString(
        process.resolve("limits"),
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max core file size        0                    unlimited            bytes
        Max open files            %s                 1048576              files
        """
            .formatted(limit));
    return OpenFiles.in(process);
  }

  @Test
  void shouldReadWhatLinuxTells() throws IOException {
    assertEquals(new OpenFiles(1_024, 3), found("1024"));
    assertEquals(new OpenFiles(Integer.MAX_VALUE, 3), found("unlimited"));
    assertEquals(new OpenFiles(Integer.MAX_VALUE, 3), found("4294967296"));
  }

  @Test
  void shouldKnowNoLimitElsewhere() {
    assertEquals(new OpenFiles(Integer.MAX_VALUE, 0), OpenFiles.in(process.resolve("none")));
  }

  @Test
  void shouldRefuseALimitThatIsTooLowForAnEngine() {
    assertDoesNotThrow(() -> new OpenFiles(OpenFiles.LEAST, 70).check());
    IOException refusal =
        assertThrows(IOException.class, () -> new OpenFiles(OpenFiles.LEAST - 1, 70).check());
    assertTrue(String.valueOf(refusal.getMessage()).contains("found 255"), refusal.getMessage());
  }
}
