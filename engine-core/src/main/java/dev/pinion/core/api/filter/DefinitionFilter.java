package dev.pinion.core.api.filter;

import dev.pinion.core.http.message.PercentEncoding;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.QueryParameters;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DeployedDefinition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The filter of a list of definitions. Immutable. */
public final class DefinitionFilter {
  /** Separator that no key contains. */
  private static final String SEPARATOR = "\n";

  private static final List<String> PARAMETERS =
      List.of("namespace", "name", "prefix", "version", "enabled", "deployedAfter");

  private final String path;
  private final Map<String, String> query = new LinkedHashMap<>();
  private final @Nullable String namespace;
  private final @Nullable String name;
  private final @Nullable String prefix;
  private final @Nullable String version;
  private final @Nullable Boolean enabled;
  private final @Nullable Long deployedAfter;

  /** The definition after which the page begins, which may have been deleted meanwhile. */
  private final @Nullable DefinitionKey after;

  /**
   * The filter of a request.
   *
   * @param path path of the list, to which a cursor is bound
   * @param pathNamespace namespace in the path, or null
   * @param pathName name in the path, or null
   */
  public DefinitionFilter(
      QueryParameters queryParameters,
      String path,
      @Nullable String pathNamespace,
      @Nullable String pathName)
      throws ProblemException {
    this.path = path;
    for (String parameter : PARAMETERS) {
      String value = queryParameters.get(parameter);
      if (value != null) {
        query.put(parameter, value);
      }
    }
    this.namespace = pathNamespace == null ? query.get("namespace") : pathNamespace;
    this.name = pathName == null ? query.get("name") : pathName;
    this.prefix = query.get("prefix");
    this.version = query.get("version");
    String status = queryParameters.oneOf("enabled", List.of("true", "false"));
    this.enabled = status == null ? null : Boolean.valueOf(status);
    this.deployedAfter = TimeParameter.of(queryParameters, "deployedAfter");
    String cursor = queryParameters.get("cursor");
    this.after = cursor == null ? null : key(PageCursor.decode(cursorKey(), cursor));
  }

  private static DefinitionKey key(String position) throws ProblemException {
    String[] parts = position.split(SEPARATOR, -1);
    if (parts.length != 3) {
      throw new ProblemException(
          ProblemType.BAD_CURSOR, "expected a cursor of a list of definitions");
    }
    return new DefinitionKey(parts[0], parts[1], parts[2]);
  }

  private List<String> cursorKey() {
    List<String> key = new ArrayList<>(List.of("definitions", path));
    for (String parameter : PARAMETERS) {
      String value = query.get(parameter);
      key.add(value == null ? "" : "=" + value);
    }
    return key;
  }

  /** Only of this namespace, or null. */
  public @Nullable String namespace() {
    return namespace;
  }

  /** Only of this name, or null. */
  public @Nullable String name() {
    return name;
  }

  /** The definitions of an ordered list from the start of the page. */
  public List<DeployedDefinition> after(List<DeployedDefinition> ordered) {
    return ordered.stream().filter(this::shows).toList();
  }

  private boolean shows(DeployedDefinition definition) {
    DefinitionKey key = definition.key();
    return (prefix == null || key.name().startsWith(prefix))
        && (version == null || version.equals(key.version()))
        && (enabled == null || enabled == definition.status().enabled())
        && (deployedAfter == null || definition.status().deployedAtMillis() >= deployedAfter)
        && (after == null || DefinitionKey.ORDER.compare(key, after) > 0);
  }

  /** The cursor of the page after a definition. */
  public String cursorAfter(DefinitionKey key) {
    return PageCursor.encode(
        cursorKey(), String.join(SEPARATOR, key.namespace(), key.name(), key.version()));
  }

  /** The query of the next page. */
  public String nextQuery(int limit, String cursor) {
    StringBuilder next = new StringBuilder("?limit=").append(limit);
    query.forEach(
        (parameter, value) ->
            next.append('&').append(parameter).append('=').append(PercentEncoding.encode(value)));
    return next.append("&cursor=").append(cursor).toString();
  }
}
