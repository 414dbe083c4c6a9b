package dev.pinion.core.api.filter;

import dev.pinion.core.http.message.PercentEncoding;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.QueryParameters;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.InstanceState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a list of instances.
 *
 * @param namespace only of this namespace, or null
 * @param name only of definitions of this name, or null
 * @param version only of definitions of this version, or null
 * @param state only in this state, or {@link #UNDER_WAY}, or null
 * @param parent only children of this instance, or null
 * @param before only older than this one, or null
 * @param limit most instances to show
 */
public record InstanceFilter(
    @Nullable String namespace,
    @Nullable String name,
    @Nullable String version,
    @Nullable String state,
    @Nullable InstanceId parent,
    @Nullable InstanceId before,
    int limit) {
  /** Any state in which an instance has not ended. Replicas use it in questions to each other. */
  public static final String UNDER_WAY = "UNDER_WAY";

  /** Items of a page when the client gives no limit. */
  static final int DEFAULT_LIMIT = 50;

  static final List<String> STATES =
      Arrays.stream(InstanceState.values()).map(InstanceState::name).toList();

  private static final List<String> STATES_FOR_PEERS =
      Stream.concat(STATES.stream(), Stream.of(UNDER_WAY)).toList();

  private static final Set<InstanceState> NOT_ENDED =
      Arrays.stream(InstanceState.values())
          .filter(state -> !state.isTerminal())
          .collect(Collectors.toUnmodifiableSet());

  public static InstanceFilter of(QueryParameters queryParameters, int maxListed, boolean fromPeer)
      throws ProblemException {
    String state = queryParameters.oneOf("state", fromPeer ? STATES_FOR_PEERS : STATES);
    String namespace = queryParameters.get("namespace");
    String name = queryParameters.get("definition");
    String version = queryParameters.get("version");
    int limit = queryParameters.number("limit", 1, maxListed, Math.min(DEFAULT_LIMIT, maxListed));
    InstanceId parent = id(queryParameters, "parent");
    InstanceFilter all = new InstanceFilter(namespace, name, version, state, parent, null, limit);
    String cursor = queryParameters.get("cursor");
    return cursor == null
        ? all
        : new InstanceFilter(
            namespace, name, version, state, parent, position(cursor, all.key()), limit);
  }

  /** A parameter that names an instance; null when it is absent. */
  static @Nullable InstanceId id(QueryParameters queryParameters, String name)
      throws ProblemException {
    String text = queryParameters.get(name);
    if (text == null) {
      return null;
    }
    return InstanceId.parse(text)
        .orElseThrow(
            () ->
                new ProblemException(
                    ProblemType.BAD_PARAMETER,
                    "expected "
                        + name
                        + " to be the id of an instance, found "
                        + Problem.quoted(text)));
  }

  /** The states to show; empty for any. */
  public Set<InstanceState> states() {
    if (state == null) {
      return Set.of();
    }
    return state.equals(UNDER_WAY) ? NOT_ENDED : Set.of(InstanceState.valueOf(state));
  }

  private static InstanceId position(String cursor, List<String> key) throws ProblemException {
    return InstanceId.parse(PageCursor.decode(key, cursor))
        .orElseThrow(
            () ->
                new ProblemException(
                    ProblemType.BAD_CURSOR, "expected a cursor of a list of instances"));
  }

  private List<String> key() {
    List<String> key =
        new ArrayList<>(
            List.of(
                "instances", present(namespace), present(name), present(version), present(state)));
    if (parent != null) { // cursors from before there were children stay valid
      key.add(present(parent.toString()));
    }
    return key;
  }

  private static String present(@Nullable String value) {
    return value == null ? "" : "=" + value;
  }

  /** The cursor of the page after an instance. */
  public String cursorAfter(InstanceId last) {
    return PageCursor.encode(key(), last.toString());
  }

  /** The query of the next page. */
  public String nextQuery(String cursor) {
    return query() + "&cursor=" + cursor;
  }

  /** The query of the first page. */
  public String query() {
    StringBuilder query = new StringBuilder("?limit=").append(limit);
    append(query, "state", state);
    append(query, "namespace", namespace);
    append(query, "definition", name);
    append(query, "version", version);
    append(query, "parent", parent == null ? null : parent.toString());
    return query.toString();
  }

  private static void append(StringBuilder query, String parameter, @Nullable String value) {
    if (value != null) {
      query.append('&').append(parameter).append('=').append(PercentEncoding.encode(value));
    }
  }
}
