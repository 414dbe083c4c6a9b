package dev.pinion.core.openapi;

import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.template.EndpointExpressions;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Addresses of servers, which may be relative to that of the document that names them. */
final class AbsoluteAddress {
  private static final Set<String> SCHEMES = Set.of("http", "https", "svc");

  private final ApiProblems problems;

  AbsoluteAddress(ApiProblems problems) {
    this.problems = problems;
  }

  /**
   * An absolute URI that can be called; null when there is none, which is reported.
   *
   * @param text the URI, perhaps relative
   * @param base a value of the document to which it is relative
   * @param place the value that is wrong if it is none
   */
  @Nullable String of(String text, ApiValue base, ApiValue place) {
    URI uri;
    try {
      uri = new URI(base.document().uri()).resolve(new URI(EndpointExpressions.encoded(text)));
    } catch (URISyntaxException e) {
      return refused(text, "a URI as address of the server", place);
    }
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    if (!SCHEMES.contains(scheme)) {
      return refused(
          text,
          scheme.equals("file")
              ? "an absolute URI of scheme http or https as address of the server, since the"
                  + " document comes from a file"
              : "a URI of scheme http or https as address of the server",
          place);
    }
    if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
      return refused(text, "the address of the server without query and fragment", place);
    }
    String problem = EndpointExpressions.problem(uri.toString());
    if (problem != null) {
      problems.report(place, problem);
      return null;
    }
    return uri.toString();
  }

  private @Nullable String refused(String text, String expected, ApiValue place) {
    problems.report(
        place, "expected " + expected + ", found \"" + ValueDescription.shorten(text) + "\"");
    return null;
  }
}
