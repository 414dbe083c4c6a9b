package dev.pinion.bootstrap.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.secret.SecretSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sources of secrets, in order. */
class SecretAssemblyTest {
  private @TempDir Path folder;

  private Path written(String name, String... secrets) throws IOException {
    Path directory = Files.createDirectory(folder.resolve(name));
    for (String secret : secrets) {
      Files.writeString(directory.resolve(secret), "from " + name);
    }
    return directory;
  }

  private static String text(SecretSource source, String name) throws Exception {
    return Objects.requireNonNull(Objects.requireNonNull(source.read(name)).scalar());
  }

  @Test
  void shouldLookIntoFolderEnvironmentAndCredentials() throws Exception {
    Path files = written("files", "a");
    Path credentials = written("credentials", "a", "b", "c");
    Map<String, String> environment =
        Map.of(
            "PINION_SECRET_A",
            "from variables",
            "PINION_SECRET_B",
            "from variables",
            "CREDENTIALS_DIRECTORY",
            credentials.toString());

    SecretSource source = SecretAssembly.source(files, environment, EngineLimits.defaults());

    assertEquals("from files", text(source, "a"));
    assertEquals("from variables", text(source, "b"));
    assertEquals("from credentials", text(source, "c"));
    assertNull(source.read("d"));
    assertEquals(
        "the folder of --secrets-directory, PINION_SECRET_NAME, $CREDENTIALS_DIRECTORY",
        source.description());
  }

  @Test
  void shouldDoWithTheEnvironmentAlone() throws Exception {
    SecretSource source =
        SecretAssembly.source(null, Map.of("PINION_SECRET_A", "x"), EngineLimits.defaults());

    assertEquals("x", text(source, "a"));
    assertEquals("PINION_SECRET_NAME", source.description());
  }
}
