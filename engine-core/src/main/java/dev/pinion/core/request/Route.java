package dev.pinion.core.request;

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
 * @param attachable whether handlers may process its messages
 * @param endpoint answers its requests
 */
record Route(
    String method,
    PathTemplate path,
    String operationId,
    String summary,
    List<Parameter> parameters,
    Body body,
    List<Response> responses,
    boolean attachable,
    Endpoint endpoint) {
  /** Answers requests of one route, on the event loop, once the body is complete. */
  @FunctionalInterface
  interface Endpoint {
    void handle(Exchange exchange) throws Refusal;
  }

  /** Location of a parameter. */
  enum In {
    QUERY,
    HEADER
  }

  /**
   * A parameter of an operation; none is required.
   *
   * @param schema name of a schema of the document
   */
  record Parameter(In in, String name, String schema, String description) {}

  /**
   * A request body.
   *
   * @param content names of schemas of the document by the types it may have; empty when the
   *     request has no body
   * @param untold further types, which OpenAPI does not list
   * @param required whether it is mandatory
   * @param maxBytes size limit
   */
  record Body(
      SequencedMap<String, String> content, List<String> untold, boolean required, int maxBytes) {
    private static final String NOTHING = "Nothing";

    /** Most bytes of an empty body, white space included. */
    private static final int MAX_NOTHING_BYTES = 1_024;

    static Body none() {
      return new Body(new LinkedHashMap<>(), List.of(), false, 0);
    }

    /** A body of one schema in any of some types. */
    static Body of(List<String> mediaTypes, boolean required, String schema, int maxBytes) {
      SequencedMap<String, String> content = new LinkedHashMap<>();
      mediaTypes.forEach(type -> content.put(type, schema));
      return new Body(content, List.of(), required, maxBytes);
    }

    /** The body of an operation that needs none: an object without members is accepted. */
    static Body nothing() {
      return of(List.of(MediaTypes.JSON), false, NOTHING, MAX_NOTHING_BYTES);
    }

    /** Whether it may be empty. */
    boolean isNothing() {
      return content.containsValue(NOTHING);
    }

    /** All accepted types. */
    List<String> mediaTypes() {
      return Stream.concat(content.keySet().stream(), untold.stream()).toList();
    }
  }

  /**
   * A possible answer.
   *
   * @param schema name of a schema, or empty when there is no body
   * @param mediaTypes types of the body
   */
  record Response(int status, String description, String schema, List<String> mediaTypes) {
    static Response json(int status, String description, String schema) {
      return new Response(status, description, schema, List.of(MediaTypes.JSON));
    }

    static Response problem(int status, String description) {
      return new Response(status, description, "Problem", List.of(MediaTypes.PROBLEM));
    }

    static Response empty(int status, String description) {
      return new Response(status, description, "", List.of());
    }
  }

  /** Names of the query parameters. */
  List<String> queryNames() {
    return parameters.stream().filter(p -> p.in() == In.QUERY).map(Parameter::name).toList();
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
