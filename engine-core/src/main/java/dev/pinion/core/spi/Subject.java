package dev.pinion.core.spi;

import dev.pinion.core.model.DefinitionKey;
import org.jspecify.annotations.Nullable;

/**
 * What a message is about. Only the engine and its handlers say so, never a client.
 *
 * @param definition whose process it belongs to, or null when that is not known
 * @param service of a call, the abstract service that the definition names; null when it names a
 *     concrete one, and for requests
 * @param serviceClass of a call, the service class of the instance; null when it has none, and for
 *     requests
 * @param caller of a request, who sends it, as handlers have found out; null when none has said so
 */
public record Subject(
    @Nullable DefinitionKey definition,
    @Nullable String service,
    @Nullable String serviceClass,
    @Nullable String caller) {
  /** About a call. */
  public Subject(
      @Nullable DefinitionKey definition, @Nullable String service, @Nullable String serviceClass) {
    this(definition, service, serviceClass, null);
  }

  /** About a process, or about one that is not known. */
  public static Subject of(@Nullable DefinitionKey definition) {
    return new Subject(definition, null, null);
  }

  /** The same, sent by somebody. */
  public Subject by(String who) {
    return new Subject(definition, service, serviceClass, who);
  }
}
