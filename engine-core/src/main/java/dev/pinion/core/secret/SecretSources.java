package dev.pinion.core.secret;

import dev.pinion.core.model.Payload;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Several sources of secrets; the first that has a secret counts.
 *
 * @param sources the sources in order
 */
public record SecretSources(List<SecretSource> sources) implements SecretSource {
  /** Copies the list. */
  public SecretSources {
    sources = List.copyOf(sources);
  }

  @Override
  public @Nullable Payload read(String name) throws UnreadableSecretException {
    for (SecretSource source : sources) {
      Payload value = source.read(name);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  @Override
  public String description() {
    return sources.isEmpty()
        ? SecretSource.NONE.description()
        : sources.stream().map(SecretSource::description).collect(Collectors.joining(", "));
  }
}
