package dev.pinion.core.openapi;

import dev.pinion.core.document.ValueDescription;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The server of an operation of OpenAPI 3: the first that the operation, its path or the document
 * names, with the defaults of its variables; else the one that has the document.
 */
final class ServerAddress {
  private static final Pattern VARIABLE = Pattern.compile("\\{([^{}]*)}");

  private final ApiReferences references;
  private final ApiProblems problems;
  private final AbsoluteAddress absolute;

  ServerAddress(ApiReferences references, ApiProblems problems) {
    this.references = references;
    this.problems = problems;
    this.absolute = new AbsoluteAddress(problems);
  }

  /** The absolute URI of the server; null when there is none, which is reported. */
  @Nullable String of(FoundOperation found, ApiValue root) {
    for (ApiValue owner : List.of(found.operation(), found.item(), root)) {
      List<ApiValue> servers = owner.items("servers");
      if (!servers.isEmpty()) {
        ApiValue server = references.resolve(servers.getFirst());
        return server == null ? null : address(server);
      }
    }
    return absolute.of("/", root, root);
  }

  private @Nullable String address(ApiValue server) {
    ApiValue url = server.member("url");
    if (url == null || !url.value().isText()) {
      problems.report(
          server,
          "expected a server with a string as \"url\", found "
              + (url == null ? "none" : ValueDescription.describe(url.value().json())));
      return null;
    }
    Matcher variable = VARIABLE.matcher(url.text());
    StringBuilder filled = new StringBuilder();
    while (variable.find()) {
      String value = value(server, variable.group(1));
      if (value == null) {
        problems.report(
            url, "expected a default of the variable " + variable.group() + ", found none");
        return null;
      }
      variable.appendReplacement(filled, Matcher.quoteReplacement(value));
    }
    return absolute.of(variable.appendTail(filled).toString(), url, url);
  }

  private static @Nullable String value(ApiValue server, String name) {
    ApiValue variables = server.member("variables");
    ApiValue variable = variables == null ? null : variables.member(name);
    ApiValue value = variable == null ? null : variable.member("default");
    return value == null || value.value().json().isContainerNode() ? null : value.scalar();
  }
}
