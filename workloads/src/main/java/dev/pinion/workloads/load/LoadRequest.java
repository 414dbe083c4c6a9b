package dev.pinion.workloads.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.workloads.catalog.Workload;
import java.net.URI;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A request that clients send repeatedly, with the check of its response.
 *
 * @param method any method except HEAD and CONNECT
 * @param uri absolute URI with scheme {@code http}
 * @param headers further header fields; host and content length are added
 * @param body body, empty for none
 * @param check check of the response
 */
public record LoadRequest(
    String method, URI uri, Map<String, String> headers, String body, ResponseCheck check) {
  /** Checks and copies. */
  public LoadRequest {
    if (!"http".equals(uri.getScheme()) || uri.getHost() == null) {
      throw new IllegalArgumentException("expected an absolute http URI, found " + uri);
    }
    if (!method.matches("[A-Z]+") || method.equals("HEAD") || method.equals("CONNECT")) {
      throw new IllegalArgumentException(
          "expected a method such as GET or POST, found \"" + method + "\"");
    }
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    for (Map.Entry<String, String> header : headers.entrySet()) {
      if (!(header.getKey() + header.getValue()).matches("[\\x20-\\x7e]*")) {
        throw new IllegalArgumentException(
            "expected header fields of printable ASCII, found " + header.getKey());
      }
    }
  }

  /** A POST of a JSON body. */
  public static LoadRequest post(URI uri, String json, ResponseCheck check) {
    return new LoadRequest("POST", uri, Map.of("content-type", "application/json"), json, check);
  }

  /**
   * The starts of a workload on an engine with its definition: different inputs, each with the
   * required output.
   *
   * @param engine address of the engine, such as {@code http://127.0.0.1:8080}
   */
  public static List<LoadRequest> starts(URI engine, Workload workload) {
    URI uri = instances(engine, workload);
    return workload.inputs().stream()
        .map(
            input ->
                post(uri, startBody(input), new CompletionCheck(workload.expectedOutput(input))))
        .toList();
  }

  /** Address for starts of a workload. */
  public static URI instances(URI engine, Workload workload) {
    return engine.resolve(
        "/v1/namespaces/" + Workload.NAMESPACE + "/definitions/" + workload.id() + "/instances");
  }

  /** Body of a start with this input. */
  public static String startBody(JsonNode input) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("input", input);
    return body.toString();
  }

  /** Port of the server. */
  int port() {
    return uri.getPort() == -1 ? 80 : uri.getPort();
  }

  /** The request in its wire format. */
  byte[] bytes() {
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    byte[] content = body.getBytes(UTF_8);
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(path).append(query).append(" HTTP/1.1\r\nhost: ");
    head.append(uri.getRawAuthority()).append("\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    head.append("content-length: ").append(content.length).append("\r\n\r\n");
    byte[] start = head.toString().getBytes(US_ASCII);
    byte[] all = Arrays.copyOf(start, start.length + content.length);
    System.arraycopy(content, 0, all, start.length, content.length);
    return all;
  }
}
