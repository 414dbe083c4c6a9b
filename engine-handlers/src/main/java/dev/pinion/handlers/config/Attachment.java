package dev.pinion.handlers.config;

import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Point;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a chain: all of a point, or those of a definition, a service or a service class
 * there.
 *
 * @param point the point
 * @param definition {@code namespace/name/version} or {@code namespace/name}; null for any
 * @param service name of an abstract service; null for any
 * @param serviceClass name of a service class; null for any
 */
public record Attachment(
    Point point,
    @Nullable String definition,
    @Nullable String service,
    @Nullable String serviceClass) {
  /** Property of a message with its definition. */
  public static final String DEFINITION = Message.DEFINITION;

  /** Property of a message with the called service. */
  public static final String SERVICE = "service";

  /** Property of a message with the service class of its sender. */
  public static final String SERVICE_CLASS = Message.SERVICE_CLASS;

  private static final int NO_MATCH = -1;

  /**
   * Specificity of the match with a message: more criteria beat fewer, a definition beats a
   * service, a service beats a service class. Negative when it does not match.
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
