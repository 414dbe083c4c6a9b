package dev.pinion.core.http;

import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.PathTemplate;
import dev.pinion.core.http.message.ProblemException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Stream;

/**
 * One operation of the interface, for the router and the OpenAPI document.
 *
 * @param method request method
 * @param path path with variables
 * @param operationId name of the operation
 * @param summary one sentence for people
 * @param parameters query parameters and request header fields; variables of the path are known
 *     from the path
 * @param body the request body
 * @param responses every success and every problem particular to the operation
 * @param interceptable whether handlers may process its messages
 * @param endpoint answers its requests
 */
public record Route(
    String method,
    PathTemplate path,
    String operationId,
    String summary,
    List<ParameterSpec> parameters,
    BodySpec body,
    List<ResponseSpec> responses,
    boolean interceptable,
    Endpoint endpoint) {
  /** Answers requests of one route, on the event loop, once the body is complete. */
  @FunctionalInterface
  public interface Endpoint {
    void handle(HttpExchange httpExchange) throws ProblemException;
  }

  /** Location of a parameter. */
  public enum ParameterLocation {
    QUERY,
    HEADER
  }

  /**
   * A parameter of an operation; none is required.
   *
   * @param schema name of a schema of the document
   */
  public record ParameterSpec(
      ParameterLocation in, String name, String schema, String description) {}

  /**
   * A request body.
   *
   * @param content names of schemas of the document by the types it may have; empty when the
   *     request has no body
   * @param undocumented further types, which OpenAPI does not list
   * @param required whether it is mandatory
   * @param maxBytes size limit
   */
  public record BodySpec(
      SequencedMap<String, String> content,
      List<String> undocumented,
      boolean required,
      int maxBytes) {
    private static final String NOTHING = "Nothing";

    /** Most bytes of an empty body, white space included. */
    private static final int MAX_NOTHING_BYTES = 1_024;

    public static BodySpec none() {
      return new BodySpec(new LinkedHashMap<>(), List.of(), false, 0);
    }

    /** A body of one schema in any of some types. */
    public static BodySpec of(
        List<String> mediaTypes, boolean required, String schema, int maxBytes) {
      SequencedMap<String, String> content = new LinkedHashMap<>();
      mediaTypes.forEach(type -> content.put(type, schema));
      return new BodySpec(content, List.of(), required, maxBytes);
    }

    /** The body of an operation that needs none: an object without members is accepted. */
    public static BodySpec nothing() {
      return of(List.of(MediaTypes.JSON), false, NOTHING, MAX_NOTHING_BYTES);
    }

    /** Whether it may be empty. */
    boolean isNothing() {
      return content.containsValue(NOTHING);
    }

    /** All accepted types. */
    List<String> mediaTypes() {
      return Stream.concat(content.keySet().stream(), undocumented.stream()).toList();
    }
  }

  /**
   * A possible answer.
   *
   * @param schema name of a schema, or empty when there is no body
   * @param mediaTypes types of the body
   */
  public record ResponseSpec(
      int status, String description, String schema, List<String> mediaTypes) {
    public static ResponseSpec json(int status, String description, String schema) {
      return new ResponseSpec(status, description, schema, List.of(MediaTypes.JSON));
    }

    public static ResponseSpec problem(int status, String description) {
      return new ResponseSpec(status, description, "Problem", List.of(MediaTypes.PROBLEM));
    }

    public static ResponseSpec empty(int status, String description) {
      return new ResponseSpec(status, description, "", List.of());
    }
  }

  /** Names of the query parameters. */
  List<String> queryNames() {
    return parameters.stream()
        .filter(p -> p.in() == ParameterLocation.QUERY)
        .map(ParameterSpec::name)
        .toList();
  }

  /** Types that a successful answer may have. */
  List<String> offers() {
    return responses.stream()
        .filter(r -> r.status() < 300)
        .flatMap(r -> r.mediaTypes().stream())
        .distinct()
        .toList();
  }
}
