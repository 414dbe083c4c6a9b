package dev.pinion.bootstrap.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class RunDirectoryTest {
  @TempDir private Path base;

  @Test
  void shouldBePrivateAndGoWithWhatIsInIt() throws IOException {
    Path path;
    try (RunDirectory directory = RunDirectory.create(base)) {
      path = directory.path();
      Files.createDirectory(path.resolve("folder"));
      Files.writeString(path.resolve("folder/file"), "");
      assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    }
    assertFalse(Files.exists(path));
  }

  /** A JVM that has created a folder and does not handle signals yet. */
  static final class Starting {
    private Starting() {}

    /**
     * Creates a folder, prints its path, and waits.
     *
     * @param args the folder in which to create it
     */
    public static void main(String[] args) throws IOException {
      System.out.println(RunDirectory.create(Path.of(args[0])).path());
      System.in.read();
    }
  }

  @Test
  void shouldGoWhenASignalEndsAJvmThatDoesNotHandleItYet() throws Exception {
    Process starting =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Starting.class.getName(),
                base.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Path path = Path.of(starting.inputReader().readLine());
    assertTrue(Files.exists(path));

    starting.destroy();

    assertTrue(starting.waitFor(60, TimeUnit.SECONDS));
    assertFalse(Files.exists(path));
  }

  @Test
  void shouldRefuseAFolderWhosePathIsTooLongForSockets() throws IOException {
    Path far = Files.createDirectories(base.resolve("x".repeat(80)));

    IOException refusal = assertThrows(IOException.class, () -> RunDirectory.create(far));

    assertTrue(String.valueOf(refusal.getMessage()).contains("107 bytes"), refusal.getMessage());
    try (Stream<Path> left = Files.list(far)) {
      assertEquals(0, left.count());
    }
  }
}
