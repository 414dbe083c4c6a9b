package dev.pinion.core.api.filter;

import dev.pinion.core.http.message.PercentEncoding;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.QueryParameters;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DeployedDefinition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a list of definitions.
 *
 * @param path of the list, to which a cursor is bound
 * @param namespace only of this namespace, or null
 * @param name only of this name, or null
 * @param prefix only names that begin so, or null
 * @param version only of this version, or null
 * @param after definition after which the page begins, which may have been deleted meanwhile; or
 *     null
 */
public record DefinitionFilter(
    String path,
    @Nullable String namespace,
    @Nullable String name,
    @Nullable String prefix,
    @Nullable String version,
    @Nullable DefinitionKey after) {
  /** Separator that no key contains. */
  private static final String SEPARATOR = "\n";

  /**
   * The filter of a request.
   *
   * @param namespace namespace in the path, or null
   * @param name name in the path, or null
   */
  public static DefinitionFilter of(
      QueryParameters queryParameters,
      String path,
      @Nullable String namespace,
      @Nullable String name)
      throws ProblemException {
    DefinitionFilter filter =
        new DefinitionFilter(
            path,
            namespace == null ? queryParameters.get("namespace") : namespace,
            name == null ? queryParameters.get("name") : name,
            queryParameters.get("prefix"),
            queryParameters.get("version"),
            null);
    String cursor = queryParameters.get("cursor");
    return cursor == null ? filter : filter.behind(PageCursor.decode(filter.cursorKey(), cursor));
  }

  private DefinitionFilter behind(String position) throws ProblemException {
    String[] parts = position.split(SEPARATOR, -1);
    if (parts.length != 3) {
      throw new ProblemException(
          ProblemType.BAD_CURSOR, "expected a cursor of a list of definitions");
    }
    DefinitionKey key = new DefinitionKey(parts[0], parts[1], parts[2]);
    return new DefinitionFilter(path, namespace, name, prefix, version, key);
  }

  private List<String> cursorKey() {
    List<String> key = new ArrayList<>(List.of("definitions", path));
    for (String each : new String[] {namespace, name, prefix, version}) {
      key.add(each == null ? "" : "=" + each);
    }
    return key;
  }

  /** The definitions of an ordered list from the start of the page. */
  public List<DeployedDefinition> after(List<DeployedDefinition> ordered) {
    return ordered.stream().filter(info -> shows(info.key())).toList();
  }

  private boolean shows(DefinitionKey key) {
    return (prefix == null || key.name().startsWith(prefix))
        && (version == null || version.equals(key.version()))
        && (after == null || DefinitionKey.ORDER.compare(key, after) > 0);
  }

  /** The cursor of the page after a definition. */
  public String cursorAfter(DefinitionKey key) {
    return PageCursor.encode(
        cursorKey(), String.join(SEPARATOR, key.namespace(), key.name(), key.version()));
  }

  /** The query of the next page. */
  public String nextQuery(int limit, String cursor) {
    StringBuilder query = new StringBuilder("?limit=").append(limit);
    append(query, "namespace", path.startsWith("/v1/namespaces/") ? null : namespace);
    append(query, "name", path.contains("/definitions/") ? null : name);
    append(query, "prefix", prefix);
    append(query, "version", version);
    return query.append("&cursor=").append(cursor).toString();
  }

  private static void append(StringBuilder query, String parameter, @Nullable String value) {
    if (value != null) {
      query.append('&').append(parameter).append('=').append(PercentEncoding.encode(value));
    }
  }
}
