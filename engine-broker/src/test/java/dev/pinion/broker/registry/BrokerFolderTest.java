package dev.pinion.broker.registry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerFolderTest {
  private static final byte[] DOCUMENT = "{\"a\": 1}".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path data;

  private Path written() throws IOException {
    BrokerFolder folder = new BrokerFolder(data);
    try (BrokerFolder.WriteLock _ = folder.lock()) {
      BrokerFolder.write(folder.table(), DOCUMENT);
    }
    return folder.table();
  }

  @Test
  void shouldReadWhatWasWritten() throws IOException {
    Path file = written();
    assertArrayEquals(DOCUMENT, BrokerFolder.read(file, DOCUMENT.length));
    BrokerFolder.write(file, new byte[0]);
    assertArrayEquals(new byte[0], BrokerFolder.read(file, 100));
    assertNull(BrokerFolder.read(file.resolveSibling("none.json"), 100));
  }

  @Test
  void shouldRefuseMoreThanItMayRead() throws IOException {
    Path file = written();
    assertThrows(IOException.class, () -> BrokerFolder.read(file, DOCUMENT.length - 1));
  }

  @Test
  void shouldNoticeEveryDamage() throws IOException {
    Path file = written();
    byte[] whole = Files.readAllBytes(file);
    for (int at = 0; at < whole.length; at++) {
      byte[] flipped = whole.clone();
      flipped[at] ^= 1;
      Files.write(file, flipped);
      IOException refusal =
          assertThrows(IOException.class, () -> BrokerFolder.read(file, 100), "byte " + at);
      assertTrue(String.valueOf(refusal.getMessage()).contains("damaged"), refusal::toString);
      Files.write(file, Arrays.copyOf(whole, at));
      assertThrows(IOException.class, () -> BrokerFolder.read(file, 100), "length " + at);
    }
  }

  @Test
  void shouldKeepOneSecretThatOthersCannotRead() throws IOException {
    BrokerFolder folder = new BrokerFolder(data);
    assertNull(folder.callbackSecret(false), "none is needed");
    byte[] made = folder.callbackSecret(true);
    assertNotNull(made);
    assertEquals(32, made.length);
    assertArrayEquals(made, new BrokerFolder(data).callbackSecret(true));
    assertArrayEquals(made, folder.callbackSecret(false));
    Path file = folder.table().resolveSibling("callback.secret");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    byte[] other =
        new BrokerFolder(Files.createDirectory(data.resolve("other"))).callbackSecret(true);
    assertFalse(Arrays.equals(made, other));
    Files.writeString(file, "x");
    assertThrows(IOException.class, () -> folder.callbackSecret(true), "not made anew");
  }

  @Test
  void shouldLetOneDecideAtATime() throws IOException {
    BrokerFolder folder = new BrokerFolder(data);
    BrokerFolder.Lease first = folder.lease();
    assertNotNull(first);
    assertNull(folder.lease());
    first.close();
    try (BrokerFolder.Lease next = folder.lease()) {
      assertNotNull(next);
    }
  }

  /** Locks a file until its input ends: another process, which locks of this process stop. */
  private static Process locking(Path file) throws IOException {
    Path program = file.resolveSibling("Locking.java");
    Files.writeString(
        program,
        """
        void main() throws Exception {
          var file = java.nio.channels.FileChannel.open(
              java.nio.file.Path.of("%s"), java.nio.file.StandardOpenOption.WRITE);
          file.lock();
          System.out.println("locked");
          System.in.read();
        }
        """
            .formatted(file));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(java, program.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  @Test
  void shouldGiveUpWaitingForATurnThatAnotherProcessKeepsAndHaveTheNextOne() throws Exception {
    BrokerFolder folder = new BrokerFolder(data);
    folder.lock().close();
    Process other = locking(data.resolve("broker").resolve("lock"));
    try (BufferedReader told = other.inputReader()) {
      assertEquals("locked", told.readLine());
      IOException refusal =
          assertThrows(IOException.class, () -> folder.turn(Duration.ofMillis(30)));
      assertTrue(String.valueOf(refusal.getMessage()).contains("another process"));
      other.getOutputStream().close();
      folder.turn(Duration.ofSeconds(60)).close();
    } finally {
      other.destroyForcibly().waitFor();
    }
  }
}
