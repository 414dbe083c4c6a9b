package dev.pinion.core.api.filter;

import dev.pinion.core.http.message.PercentEncoding;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.QueryParameters;
import dev.pinion.core.model.DefinitionName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a list of schedules.
 *
 * @param namespace only of this namespace, or null
 * @param name only of definitions of this name, or null
 * @param paused only paused ones, or only others; null for all
 * @param after only behind this name, or null
 * @param limit most schedules to show
 */
public record ScheduleFilter(
    @Nullable String namespace,
    @Nullable String name,
    @Nullable Boolean paused,
    @Nullable DefinitionName after,
    int limit) {
  /** Separator that no name contains. */
  private static final String SEPARATOR = "\n";

  /** The filter of a request. */
  public static ScheduleFilter of(QueryParameters queryParameters, int maxListed)
      throws ProblemException {
    String namespace = queryParameters.get("namespace");
    String name = queryParameters.get("name");
    String flag = queryParameters.oneOf("paused", List.of("true", "false"));
    Boolean paused = flag == null ? null : Boolean.valueOf(flag);
    int most = Math.min(InstanceFilter.DEFAULT_LIMIT, maxListed);
    int limit = queryParameters.number("limit", 1, maxListed, most);
    String cursor = queryParameters.get("cursor");
    ScheduleFilter all = new ScheduleFilter(namespace, name, paused, null, limit);
    return cursor == null
        ? all
        : new ScheduleFilter(namespace, name, paused, position(cursor, all.key()), limit);
  }

  private static DefinitionName position(String cursor, List<String> key) throws ProblemException {
    String[] parts = PageCursor.decode(key, cursor).split(SEPARATOR, -1);
    if (parts.length != 2) {
      throw new ProblemException(
          ProblemType.BAD_CURSOR, "expected a cursor of a list of schedules");
    }
    return new DefinitionName(parts[0], parts[1]);
  }

  private List<String> key() {
    return List.of(
        "schedules",
        namespace == null ? "" : "=" + namespace,
        name == null ? "" : "=" + name,
        paused == null ? "" : "=" + paused);
  }

  /** The cursor of the page after a schedule. */
  public String cursorAfter(DefinitionName last) {
    return PageCursor.encode(key(), last.namespace() + SEPARATOR + last.name());
  }

  /** The query of the next page. */
  public String nextQuery(String cursor) {
    StringBuilder query = new StringBuilder("?limit=").append(limit);
    append(query, "namespace", namespace);
    append(query, "name", name);
    append(query, "paused", paused == null ? null : paused.toString());
    return query.append("&cursor=").append(cursor).toString();
  }

  private static void append(StringBuilder query, String parameter, @Nullable String value) {
    if (value != null) {
      query.append('&').append(parameter).append('=').append(PercentEncoding.encode(value));
    }
  }
}
