package dev.pinion.handlers.config;

import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Point;
import org.jspecify.annotations.Nullable;

/**
 * Which messages a chain is for: all of a point, or those of a definition, a service or a service
 * class there.
 *
 * @param point where
 * @param definition {@code namespace/name/version} or {@code namespace/name}; null for any
 * @param service name of an abstract service; null for any
 * @param serviceClass name of a service class; null for any
 */
public record Attachment(
    Point point,
    @Nullable String definition,
    @Nullable String service,
    @Nullable String serviceClass) {
  /** The property of a message that names its definition. */
  public static final String DEFINITION = Message.DEFINITION;

  /** The property of a message that names the service that is called. */
  public static final String SERVICE = "service";

  /** The property of a message that names the service class of its sender. */
  public static final String SERVICE_CLASS = Message.SERVICE_CLASS;

  private static final int NO_MATCH = -1;

  /**
   * How closely this fits a message: the more is named the closer, a definition closer than a
   * service, that closer than a service class. Negative when it does not fit.
   */
  public int fit(Message message) {
    if (point != message.point()) {
      return NO_MATCH;
    }
    String of = message.properties().getOrDefault(DEFINITION, "");
    boolean fits =
        (definition == null || of.equals(definition) || of.startsWith(definition + "/"))
            && named(service, message, SERVICE)
            && named(serviceClass, message, SERVICE_CLASS);
    return fits ? weight() : NO_MATCH;
  }

  private static boolean named(@Nullable String wanted, Message message, String property) {
    return wanted == null || wanted.equals(message.properties().get(property));
  }

  private int weight() {
    int ofDefinition =
        definition == null ? 0 : 4 + (int) definition.chars().filter(c -> c == '/').count() * 4;
    return ofDefinition + (service == null ? 0 : 2) + (serviceClass == null ? 0 : 1);
  }
}
