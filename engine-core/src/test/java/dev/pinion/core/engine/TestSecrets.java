package dev.pinion.core.engine;

import dev.pinion.core.model.Payload;
import dev.pinion.core.secret.SecretSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Secrets that a test sets. */
final class TestSecrets implements SecretSource {
  private final Map<String, Payload> values = new ConcurrentHashMap<>();

  TestSecrets with(String name, String text) {
    values.put(name, Payload.of(text));
    return this;
  }

  TestSecrets with(String name, Payload value) {
    values.put(name, value);
    return this;
  }

  @Override
  public @Nullable Payload read(String name) {
    return values.get(name);
  }

  @Override
  public String description() {
    return "the secrets of the test";
  }
}
