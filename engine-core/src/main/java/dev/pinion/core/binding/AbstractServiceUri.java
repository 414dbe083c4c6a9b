package dev.pinion.core.binding;

import dev.pinion.core.model.call.HttpCall;
import org.jspecify.annotations.Nullable;

/** Parser of calls of abstract services: {@code svc://NAME}, followed by path and query. */
public final class AbstractServiceUri {
  private static final String SCHEME = "svc://";

  private AbstractServiceUri() {}

  /** Whether a call names an abstract service. */
  public static boolean isAbstract(HttpCall call) {
    return call.uri().startsWith(SCHEME);
  }

  /** Abstract service in the template of a URI, or null when it names none. */
  public static @Nullable String service(String template) {
    if (!template.startsWith(SCHEME)) {
      return null;
    }
    String name = template.substring(SCHEME.length(), endOfName(template));
    return name.isEmpty() || name.indexOf('{') >= 0 ? null : name;
  }

  /** Name of the abstract service. */
  public static String service(HttpCall call) {
    return call.uri().substring(SCHEME.length(), endOfName(call.uri()));
  }

  /** Part after the name: path, query and fragment. */
  public static String rest(HttpCall call) {
    return call.uri().substring(endOfName(call.uri()));
  }

  private static int endOfName(String uri) {
    int end = SCHEME.length();
    while (end < uri.length() && "/?#".indexOf(uri.charAt(end)) < 0) {
      end++;
    }
    return end;
  }
}
