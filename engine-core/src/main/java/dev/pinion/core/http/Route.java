package dev.pinion.core.http;

import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.PathTemplate;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Stream;

/**
 * The requests that one operation of the interface takes, for the router and the OpenAPI document.
 *
 * @param method request method
 * @param path path with variables
 * @param operation its description
 * @param interceptable whether handlers may process its messages
 */
public record Route(String method, PathTemplate path, Operation operation, boolean interceptable) {
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

  /** A request body. Immutable. */
  public static final class BodySpec {
    private static final String NOTHING = "Nothing";

    /** Most bytes of an empty body, white space included. */
    private static final int MAX_NOTHING_BYTES = 1_024;

    private static final BodySpec NONE = new BodySpec(new LinkedHashMap<>(), List.of(), false, 0);

    private final SequencedMap<String, String> content;
    private final List<String> mediaTypes;
    private final boolean required;
    private final int maxBytes;
    private final boolean nothing;

    /**
     * A body.
     *
     * @param content names of schemas of the document by the types it may have; empty when the
     *     request has no body
     * @param undocumented further types, which OpenAPI does not list
     * @param required whether it is mandatory
     * @param maxBytes size limit
     */
    public BodySpec(
        SequencedMap<String, String> content,
        List<String> undocumented,
        boolean required,
        int maxBytes) {
      this.content = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(content));
      this.mediaTypes = Stream.concat(content.keySet().stream(), undocumented.stream()).toList();
      this.required = required;
      this.maxBytes = maxBytes;
      this.nothing = content.containsValue(NOTHING);
    }

    /** No body. */
    public static BodySpec none() {
      return NONE;
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

    /** Names of schemas of the document by the documented types. */
    public SequencedMap<String, String> content() {
      return content;
    }

    /** Whether it is mandatory. */
    public boolean required() {
      return required;
    }

    /** Size limit. */
    public int maxBytes() {
      return maxBytes;
    }

    /** Whether it may be empty. */
    boolean isNothing() {
      return nothing;
    }

    /** All accepted types. */
    List<String> mediaTypes() {
      return mediaTypes;
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

  /** The description of an operation. Immutable. */
  public static final class Operation {
    private final String id;
    private final String summary;
    private final List<ParameterSpec> parameters;
    private final BodySpec body;
    private final List<ResponseSpec> responses;
    private final List<String> queryNames;
    private final List<String> offers;

    /**
     * A description.
     *
     * @param id name of the operation
     * @param summary one sentence for people
     * @param parameters query parameters and request header fields; variables of the path are known
     *     from the path
     * @param body the request body
     * @param responses every success and every problem particular to the operation
     */
    public Operation(
        String id,
        String summary,
        List<ParameterSpec> parameters,
        BodySpec body,
        List<ResponseSpec> responses) {
      this.id = id;
      this.summary = summary;
      this.parameters = List.copyOf(parameters);
      this.body = body;
      this.responses = List.copyOf(responses);
      this.queryNames =
          parameters.stream()
              .filter(p -> p.in() == ParameterLocation.QUERY)
              .map(ParameterSpec::name)
              .toList();
      this.offers =
          responses.stream()
              .filter(r -> r.status() < 300)
              .flatMap(r -> r.mediaTypes().stream())
              .distinct()
              .toList();
    }

    /** Name of the operation. */
    public String id() {
      return id;
    }

    /** One sentence for people. */
    public String summary() {
      return summary;
    }

    /** Query parameters and request header fields. */
    public List<ParameterSpec> parameters() {
      return parameters;
    }

    /** The request body. */
    public BodySpec body() {
      return body;
    }

    /** Every success and every problem particular to the operation. */
    public List<ResponseSpec> responses() {
      return responses;
    }

    /** Names of the query parameters. */
    List<String> queryNames() {
      return queryNames;
    }

    /** Types that a successful answer may have. */
    List<String> offers() {
      return offers;
    }
  }

  /** The body of its requests. */
  public BodySpec body() {
    return operation.body();
  }
}
