package dev.pinion.handlers.builtin.security;

import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.builtin.FileSnapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Source of a ring of AES keys: a file, which is read again when it changes, or a variable of the
 * environment. Safe for use by any thread.
 */
final class KeySource implements AutoCloseable {
  private final Supplier<KeyRing> ring;
  private final Runnable close;

  private KeySource(Supplier<KeyRing> ring, Runnable close) {
    this.ring = ring;
    this.close = close;
  }

  /**
   * The keys of the group {@code keys} with either {@code file} and {@code reload}, or {@code
   * environment}.
   *
   * @param environment variables by name
   * @throws IllegalArgumentException when there are none; it has then been reported as a problem of
   *     the settings
   */
  static KeySource opened(Settings settings, UnaryOperator<@Nullable String> environment) {
    Settings keys = settings.group("keys");
    if (!keys.has("environment")) {
      FileSnapshot<KeyRing> file =
          FileSnapshot.opened(keys, KeyRing.MAX_FILE_BYTES, KeySource::parse);
      return new KeySource(file::content, file::close);
    }
    String name = keys.text("environment");
    try {
      KeyRing ring = parse(variable(name, environment));
      return new KeySource(() -> ring, () -> {});
    } catch (IOException | IllegalArgumentException e) {
      String expected = "expected a variable with keys, found \"" + name + "\": ";
      keys.problem("environment", expected + e.getMessage());
      throw new IllegalArgumentException("unusable variable " + name, e);
    }
  }

  private static byte[] variable(String name, UnaryOperator<@Nullable String> environment) {
    String text = environment.apply(name);
    if (text == null || text.length() > KeyRing.MAX_FILE_BYTES) {
      throw new IllegalArgumentException(
          text == null
              ? "it is not set"
              : "expected at most " + KeyRing.MAX_FILE_BYTES + " characters, found more");
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static KeyRing parse(byte[] bytes) throws IOException {
    return KeyRing.parse(bytes, "AES", KeyRing.Sizes.AES);
  }

  /** The keys in force. */
  KeyRing ring() {
    return ring.get();
  }

  @Override
  public void close() {
    close.run();
  }
}
