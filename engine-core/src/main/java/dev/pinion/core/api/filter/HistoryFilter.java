package dev.pinion.core.api.filter;

import dev.pinion.core.http.message.PercentEncoding;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.QueryParameters;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.spi.History;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A search for instances in the history, as given by the query of a request. */
public final class HistoryFilter {
  /** States that the history distinguishes: waiting is none of them. */
  static final List<String> STATES =
      List.of("RUNNING", "SUSPENDED", "COMPLETED", "FAULTED", "CANCELLED", "UNKNOWN");

  private static final String PARENT = "parent";

  private static final List<String> PARAMETERS =
      List.of(
          "state",
          "namespace",
          "definition",
          "businessKey",
          "label",
          "startedAfter",
          "startedBefore",
          PARENT);

  private final List<String> key = new ArrayList<>(List.of("history"));
  private final StringBuilder query = new StringBuilder();
  private final History.Search search;

  private HistoryFilter(QueryParameters from, int maxListed) throws ProblemException {
    String state = from.oneOf("state", STATES);
    for (String parameter : PARAMETERS) {
      String value = from.get(parameter);
      if (value != null || !parameter.equals(PARENT)) { // cursors without it stay valid
        key.add(value == null ? "" : "=" + value);
      }
      if (value != null) {
        query.append('&').append(parameter).append('=').append(PercentEncoding.encode(value));
      }
    }
    int limit =
        from.number("limit", 1, maxListed, Math.min(InstanceFilter.DEFAULT_LIMIT, maxListed));
    this.search =
        new History.Search(
            state,
            from.get("namespace"),
            from.get("definition"),
            from.get("businessKey"),
            label(from.get("label")),
            InstanceFilter.id(from, PARENT),
            new History.TimeRange(
                TimeParameter.of(from, "startedAfter"), TimeParameter.of(from, "startedBefore")),
            new History.PageRequest(before(from.get("cursor")), limit));
  }

  public static HistoryFilter of(QueryParameters queryParameters, int maxListed)
      throws ProblemException {
    return new HistoryFilter(queryParameters, maxListed);
  }

  public History.Search search() {
    return search;
  }

  private @Nullable InstanceId before(@Nullable String cursor) throws ProblemException {
    return cursor == null
        ? null
        : InstanceId.parse(PageCursor.decode(key, cursor))
            .orElseThrow(
                () ->
                    new ProblemException(
                        ProblemType.BAD_CURSOR, "expected a cursor of a search for instances"));
  }

  private static History.@Nullable LabelFilter label(@Nullable String text)
      throws ProblemException {
    if (text == null) {
      return null;
    }
    int equals = text.indexOf('=');
    if (equals < 1) {
      throw new ProblemException(
          ProblemType.BAD_PARAMETER,
          "expected label to be NAME=VALUE, found " + Problem.quoted(text));
    }
    return new History.LabelFilter(text.substring(0, equals), text.substring(equals + 1));
  }

  /** The cursor of the page after an instance. */
  public String cursorAfter(String id) {
    return PageCursor.encode(key, id);
  }

  /** The query of the next page. */
  public String nextQuery(String cursor) {
    return "?limit=" + search.page().limit() + query + "&cursor=" + cursor;
  }
}
