package dev.pinion.core.openapi;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The server of an operation of OpenAPI 2: {@code schemes}, {@code host} and {@code basePath}. What
 * is missing is taken from the address of the document. Of several schemes https is the best.
 */
final class HostAddress {
  private static final String SCHEMES = "schemes";

  private final ApiProblems problems;
  private final AbsoluteAddress absolute;

  HostAddress(ApiProblems problems) {
    this.problems = problems;
    this.absolute = new AbsoluteAddress(problems);
  }

  /** The absolute URI of the server; null when there is none, which is reported. */
  @Nullable String of(FoundOperation found, ApiValue root) {
    String host = root.text("host");
    List<String> schemes = schemes(found, root);
    ApiValue named = root.member("host");
    ApiValue place = named == null ? root : named;
    String document = root.document().uri();
    if ((host.isEmpty() || schemes.isEmpty()) && !schemeOf(document).startsWith("http")) {
      problems.report(
          place,
          "expected \"host\" and \"schemes\", since the document comes from a file, found no "
              + (host.isEmpty() ? "host" : "schemes"));
      return null;
    }
    String scheme = schemes.isEmpty() ? schemeOf(document) : best(schemes);
    String authority = host.isEmpty() ? authorityOf(document) : host;
    return absolute.of(scheme + "://" + authority + pathOf(root), root, place);
  }

  private static List<String> schemes(FoundOperation found, ApiValue root) {
    ApiValue owner = found.operation().has(SCHEMES) ? found.operation() : root;
    return owner.items(SCHEMES).stream().map(ApiValue::text).toList();
  }

  private static String best(List<String> schemes) {
    return List.of("https", "http").stream()
        .filter(schemes::contains)
        .findFirst()
        .orElse(schemes.getFirst());
  }

  private static String pathOf(ApiValue root) {
    String path = root.text("basePath");
    return path.isEmpty() || path.startsWith("/") ? path : "/" + path;
  }

  private static String schemeOf(String uri) {
    int colon = uri.indexOf(':');
    return colon < 0 ? "" : uri.substring(0, colon).toLowerCase(Locale.ROOT);
  }

  private static String authorityOf(String uri) {
    try {
      return String.valueOf(new URI(uri).getRawAuthority());
    } catch (URISyntaxException e) {
      return "";
    }
  }
}
