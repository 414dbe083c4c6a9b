package dev.pinion.core.template.parameter;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.template.UriSyntax;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The URI of an operation: the address of its server, its path with the values of its parameters,
 * and its query. Immutable.
 *
 * <p>A segment of the path that its parameters leave empty, or make climb, is an error, as the call
 * would be another one.
 */
public final class OperationUri implements Expression<String> {
  private static final Pattern VARIABLE = Pattern.compile("\\{([^{}]*)}");

  private final String server;
  private final List<Segment> segments;
  private final String fixedQuery;
  private final StyledQuery query;

  private OperationUri(
      String server, List<Segment> segments, String fixedQuery, StyledQuery query) {
    this.server = server;
    this.segments = List.copyOf(segments);
    this.fixedQuery = fixedQuery;
    this.query = query;
  }

  /** A parameter, or a literal text that is percent-encoded. */
  private record Piece(String literal, @Nullable BoundParameter parameter) {}

  /** What stands between two slashes of a path. */
  private record Segment(List<Piece> pieces, boolean isFixed) {}

  /** The names in braces in a path, each once. */
  public static Set<String> names(String path) {
    Set<String> names = new LinkedHashSet<>();
    Matcher variable = VARIABLE.matcher(path);
    while (variable.find()) {
      names.add(variable.group(1));
    }
    return names;
  }

  /**
   * The URI of an operation.
   *
   * @param server absolute URI of the server without query, percent-encoded
   * @param path path below the server, which begins with a slash; it may have a query without names
   *     in braces, which is sent first, and a fragment, which is not sent
   * @param variables the parameters by the {@link #names} in the path, all of them
   * @param query the query
   */
  public static OperationUri of(
      String server, String path, Map<String, BoundParameter> variables, StyledQuery query) {
    int fragment = path.indexOf('#');
    String sent = fragment < 0 ? path : path.substring(0, fragment);
    int mark = sent.indexOf('?');
    String base = server.endsWith("/") ? server.substring(0, server.length() - 1) : server;
    List<Segment> segments = new ArrayList<>();
    for (String each : sent.substring(1, mark < 0 ? sent.length() : mark).split("/", -1)) {
      segments.add(segment(each, variables));
    }
    String fixedQuery = mark < 0 ? "" : UriSyntax.encodeIllegal(sent.substring(mark + 1));
    return new OperationUri(base, segments, fixedQuery, query);
  }

  private static Segment segment(String text, Map<String, BoundParameter> variables) {
    List<Piece> pieces = new ArrayList<>();
    Matcher variable = VARIABLE.matcher(text);
    int from = 0;
    while (variable.find()) {
      BoundParameter parameter = variables.get(variable.group(1));
      if (parameter == null) {
        throw new IllegalArgumentException(
            "expected a parameter for " + variable.group() + ", found none");
      }
      pieces.add(new Piece(UriSyntax.encodeIllegal(text.substring(from, variable.start())), null));
      pieces.add(new Piece("", parameter));
      from = variable.end();
    }
    pieces.add(new Piece(UriSyntax.encodeIllegal(text.substring(from)), null));
    return new Segment(List.copyOf(pieces), pieces.size() == 1);
  }

  @Override
  public String evaluate(Payload input, Scope scope, Budget budget) {
    budget.charge(1 + server.length() / 8);
    StringBuilder uri = new StringBuilder(server);
    for (Segment segment : segments) {
      int start = uri.append('/').length();
      for (Piece piece : segment.pieces()) {
        BoundParameter parameter = piece.parameter();
        uri.append(parameter == null ? piece.literal() : text(parameter, input, scope, budget));
      }
      if (!segment.isFixed()) {
        check(segment, uri.substring(start));
      }
    }
    String parameters = query.evaluate(input, scope, budget);
    if (!fixedQuery.isEmpty()) {
      uri.append('?').append(fixedQuery);
    }
    if (!parameters.isEmpty()) {
      uri.append(fixedQuery.isEmpty() ? '?' : '&').append(parameters);
    }
    return uri.toString();
  }

  private static String text(BoundParameter parameter, Payload input, Scope scope, Budget budget) {
    String text = parameter.text(input, scope, budget, UriSyntax::encode);
    return text == null ? "" : text;
  }

  private static void check(Segment segment, String made) {
    if (!made.isEmpty() && !made.equals(".") && !made.equals("..")) {
      return;
    }
    for (Piece piece : segment.pieces()) {
      BoundParameter parameter = piece.parameter();
      if (parameter != null) {
        throw new ExpressionException(
            "expected a value of the parameter \""
                + parameter.parameter().name()
                + "\" (path) that makes a segment of the path, found \""
                + made
                + "\""
                + parameter.place());
      }
    }
  }
}
