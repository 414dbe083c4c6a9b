package dev.pinion.bootstrap.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.model.Payload;
import dev.pinion.core.secret.SecretSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The secrets that a scenario provides. For any thread. */
final class ProvidedSecrets implements SecretSource {
  private final Map<String, Payload> values = new ConcurrentHashMap<>();

  /** Replaces all secrets. */
  void provide(Map<String, JsonNode> secrets) {
    values.clear();
    secrets.forEach((name, value) -> values.put(name, Payload.of(value)));
  }

  @Override
  public @Nullable Payload read(String name) {
    return values.get(name);
  }

  @Override
  public String description() {
    return "the secrets of the scenario";
  }
}
