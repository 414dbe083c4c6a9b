package dev.pinion.core.interception;

import dev.pinion.core.model.DefinitionKey;
import org.jspecify.annotations.Nullable;

/**
 * Context of a message. Only the engine and its handlers set it, never a client.
 *
 * @param definition definition of its process, or null when that is not known
 * @param service abstract service of a call; null when the definition names a concrete one, and for
 *     requests
 * @param serviceClass service class of the instance of a call; null when it has none, and for
 *     requests
 * @param caller caller of a request, as identified by handlers; null when none has done so
 */
public record MessageContext(
    @Nullable DefinitionKey definition,
    @Nullable String service,
    @Nullable String serviceClass,
    @Nullable String caller) {
  /** Context of a call. */
  public MessageContext(
      @Nullable DefinitionKey definition, @Nullable String service, @Nullable String serviceClass) {
    this(definition, service, serviceClass, null);
  }

  /** Context of a process, which may be unknown. */
  public static MessageContext of(@Nullable DefinitionKey definition) {
    return new MessageContext(definition, null, null);
  }

  /** A copy with a caller. */
  public MessageContext withCaller(String who) {
    return new MessageContext(definition, service, serviceClass, who);
  }
}
