package dev.pinion.core.secret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets in files, folders and variables. */
class SecretFolderTest {
  private static final int MAX_BYTES = 300;
  private static final PayloadCodec CODEC = new PayloadCodec(EngineLimits.defaults().json());

  private @TempDir Path folder;

  private SecretFolder secrets() {
    return new SecretFolder(folder, "the folder", MAX_BYTES, CODEC);
  }

  private Path write(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  private String text(String name) throws UnreadableSecretException {
    return Objects.requireNonNull(Objects.requireNonNull(secrets().read(name)).scalar());
  }

  private String problem(String name) {
    return String.valueOf(
        assertThrows(UnreadableSecretException.class, () -> secrets().read(name)).getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "plain, plain", "'one\n', one", "'one\r\n', one", "'two\n\n', 'two\n'", "' a ', ' a '",
    "'', ''", "{, {", "{x}, {x}", "'{\"a\":1', '{\"a\":1'", "'[1]', '[1]'"
  })
  void shouldReadATextWithoutTheLineEnd(String written, String read) throws Exception {
    write("a", written);

    assertEquals(read, text("a"));
  }

  @Test
  void shouldReadAnObject() throws Exception {
    write("a.b-c_d", " {\"user\": \"ann\", \"n\": [1]}\n");

    Payload value = Objects.requireNonNull(secrets().read("a.b-c_d"));

    assertEquals("ann", value.text("user"));
    assertEquals(List.of("ann", "1"), value.texts());
  }

  @Test
  void shouldReadAFolderOfFilesAsAnObject() throws Exception {
    Path real = Files.createDirectories(folder.resolve("..2026/shop"));
    Files.writeString(real.resolve("username"), "ann\n");
    Files.writeString(real.resolve("password"), "{\"x\":1}");
    Path mounted = Files.createDirectory(folder.resolve("shop"));
    Files.createSymbolicLink(mounted.resolve("..data"), real);
    Files.createSymbolicLink(mounted.resolve("username"), Path.of("..data/username"));
    Files.createSymbolicLink(mounted.resolve("password"), Path.of("..data/password"));

    Payload value = Objects.requireNonNull(secrets().read("shop"));

    assertEquals("ann", value.text("username"));
    assertEquals("{\"x\":1}", value.text("password"));
    assertEquals(2, value.texts().size());
  }

  @Test
  void shouldFollowALinkThatIsSwitched() throws Exception {
    write("old", "old");
    write("new", "new");
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("old"));
    assertEquals("old", text("link"));

    Files.delete(link);
    Files.createSymbolicLink(link, Path.of("new"));

    assertEquals("new", text("link"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "../a", "..", ".", "", ".hidden", "a/b", "a\0b", "/etc/passwd"})
  void shouldFindNothingElse(String name) throws Exception {
    write(".hidden", "x");

    assertNull(secrets().read(name));
    assertNull(new SecretFolder(folder.resolve("gone"), "it", MAX_BYTES, CODEC).read("a"));
  }

  @Test
  void shouldRefuseASecretThatIsTooLarge() throws Exception {
    write("fits", "x".repeat(MAX_BYTES));
    write("large", "x".repeat(MAX_BYTES + 1));

    assertEquals(MAX_BYTES, text("fits").length());
    assertEquals(
        "expected the secret \"large\" to have at most 300 bytes (authentication.maxSecretBytes),"
            + " found more",
        problem("large"));
  }

  @Test
  void shouldBoundAFolderOfFiles() throws Exception {
    Path many = Files.createDirectory(folder.resolve("many"));
    for (int i = 0; i <= 64; i++) {
      Files.writeString(many.resolve("f" + i), "x");
    }
    Path large = Files.createDirectory(folder.resolve("large"));
    Files.writeString(large.resolve("a"), "x".repeat(200));
    Files.writeString(large.resolve("b"), "x".repeat(200));
    Path wide = Files.createDirectory(folder.resolve("wide"));
    Files.writeString(wide.resolve("a"), "ä".repeat(80));
    Files.writeString(wide.resolve("b"), "ä".repeat(80));

    assertTrue(problem("many").startsWith("expected at most 64 files"));
    assertTrue(problem("large").contains("authentication.maxSecretBytes"));
    assertTrue(problem("wide").contains("authentication.maxSecretBytes"));
  }

  @ParameterizedTest
  @CsvSource({"rw-rw----, true", "rw-----w-, true", "rw-r--r--, false", "r--------, false"})
  void shouldRefuseWhatOthersMayWrite(String permissions, boolean refused) throws Exception {
    Files.setPosixFilePermissions(
        write("a", "s3cret"), PosixFilePermissions.fromString(permissions));

    if (refused) {
      assertTrue(problem("a").endsWith("chmod go-w"));
      assertFalse(problem("a").contains("s3cret"));
    } else {
      assertEquals("s3cret", text("a"));
    }
  }

  @Test
  void shouldRefuseWhatIsNoText() throws Exception {
    Path file = write("bytes", "");
    Files.write(file, new byte[] {(byte) 0xff, 1});
    Files.createDirectory(folder.resolve("empty"));

    assertTrue(problem("bytes").contains("UTF-8"));
    assertEquals(List.of(), Objects.requireNonNull(secrets().read("empty")).texts());
  }

  @ParameterizedTest
  @CsvSource({"apiKey, one", "api-key, two", "api.key, two", "API_KEY, two", "gone, "})
  void shouldReadVariables(String name, String value) throws Exception {
    Map<String, String> environment =
        Map.of("PINION_SECRET_apiKey", "one", "PINION_SECRET_API_KEY", "two\n", "gone", "x");

    Payload read = new SecretVariables(environment, MAX_BYTES, CODEC).read(name);

    assertEquals(value, read == null ? null : read.scalar());
  }

  @Test
  void shouldRefuseALargeVariable() {
    SecretVariables variables =
        new SecretVariables(Map.of("PINION_SECRET_A", "x".repeat(MAX_BYTES + 1)), MAX_BYTES, CODEC);

    assertThrows(UnreadableSecretException.class, () -> variables.read("a"));
  }

  @Test
  void shouldTakeTheFirstSourceThatHasASecret() throws Exception {
    write("a", "file");
    SecretSources sources =
        new SecretSources(
            List.of(
                secrets(),
                new SecretVariables(
                    Map.of("PINION_SECRET_A", "v", "PINION_SECRET_B", "w"), MAX_BYTES, CODEC)));

    assertEquals("file", Objects.requireNonNull(sources.read("a")).scalar());
    assertEquals("w", Objects.requireNonNull(sources.read("b")).scalar());
    assertNull(sources.read("c"));
    assertEquals("the folder, PINION_SECRET_NAME", sources.description());
    assertEquals("no source of secrets", new SecretSources(List.of()).description());
  }
}
