package dev.pinion.bootstrap.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Client of the REST interface of an engine. */
public final class RestClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final String base;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  /**
   * A client.
   *
   * @param url address of the engine, such as {@code http://127.0.0.1:8080}
   */
  public RestClient(String url) throws CommandException {
    this.base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    try {
      URI.create(base + "/").toURL();
    } catch (IllegalArgumentException | IOException e) {
      throw new CommandException(
          ExitStatus.USAGE, "expected a URL such as http://127.0.0.1:8080, found \"" + url + "\"");
    }
  }

  /**
   * A response.
   *
   * @param status HTTP status
   * @param body JSON body; a missing node if there is none
   * @param text body as text
   */
  public record Response(int status, JsonNode body, String text) {
    public boolean ok() {
      return status < 300;
    }
  }

  /** Deploys a document. */
  public Response deploy(byte[] document, String mediaType) throws CommandException {
    return send(
        request("/v1/definitions", TIMEOUT)
            .header("Content-Type", mediaType)
            .POST(BodyPublishers.ofByteArray(document))
            .build());
  }

  /** One page of definitions. */
  public Response definitions(String query) throws CommandException {
    return send(request("/v1/definitions" + query, TIMEOUT).GET().build());
  }

  /**
   * A resource of a version of a definition.
   *
   * @param version path of the version, as {@link #version} makes it
   * @param below path below it, with its query; empty for the definition itself
   * @param accept types of the body, the preferred one first
   */
  public Response definition(String version, String below, String accept) throws CommandException {
    return send(
        HttpRequest.newBuilder(URI.create(base + version + below))
            .timeout(TIMEOUT)
            .header("Accept", accept + ", application/problem+json;q=0.1")
            .GET()
            .build());
  }

  /** Disables or enables a definition. */
  public Response changeDefinition(String version, String noun) throws CommandException {
    return send(request(version + "/" + noun, TIMEOUT).POST(BodyPublishers.noBody()).build());
  }

  /** Deletes a definition. */
  public Response undeploy(String version) throws CommandException {
    return send(request(version, TIMEOUT).DELETE().build());
  }

  /** The path of a version of a definition. */
  public static String version(String namespace, String name, String version) {
    return definition(namespace, name) + "/versions/" + encoded(version);
  }

  /** The path of all versions of a definition. */
  private static String definition(String namespace, String name) {
    return "/v1/namespaces/" + encoded(namespace) + "/definitions/" + encoded(name);
  }

  /**
   * Starts an instance.
   *
   * @param version version of the definition, or null for the latest
   * @param waitSeconds time to wait for the end; 0 for an immediate response
   */
  public Response start(
      String namespace, String name, @Nullable String version, JsonNode input, int waitSeconds)
      throws CommandException {
    String path =
        definition(namespace, name)
            + (version == null ? "" : "/versions/" + encoded(version))
            + "/instances";
    ObjectNode body = CommandOutput.JSON.createObjectNode();
    body.set("input", input);
    return send(
        request(path, TIMEOUT.plusSeconds(waitSeconds))
            .header("Content-Type", "application/json")
            .header("Prefer", waitSeconds == 0 ? "respond-async" : "wait=" + waitSeconds)
            .POST(BodyPublishers.ofString(body.toString()))
            .build());
  }

  /**
   * Controls an instance.
   *
   * @param noun name of the operation in the path, such as {@code cancellation}
   */
  public Response control(String id, String noun) throws CommandException {
    String path = "/v1/instances/" + encoded(id) + "/" + noun;
    return send(request(path, TIMEOUT).POST(BodyPublishers.noBody()).build());
  }

  /** One page of schedules. */
  public Response schedules(String query) throws CommandException {
    return send(request("/v1/schedules" + query, TIMEOUT).GET().build());
  }

  /**
   * Pauses or resumes a schedule.
   *
   * @param noun name of the operation in the path
   */
  public Response controlSchedule(String namespace, String name, String noun)
      throws CommandException {
    String path = definition(namespace, name) + "/schedule/" + noun;
    return send(request(path, TIMEOUT).POST(BodyPublishers.noBody()).build());
  }

  /** Reloads the chains of handlers. */
  public Response reloadHandlers() throws CommandException {
    return send(request("/v1/handlers/reload", TIMEOUT).POST(BodyPublishers.noBody()).build());
  }

  /** One page of instances. */
  public Response instances(String query) throws CommandException {
    return send(request("/v1/instances" + query, TIMEOUT).GET().build());
  }

  /** Current state of one instance. */
  public Response instance(String id) throws CommandException {
    return send(request("/v1/instances/" + encoded(id), TIMEOUT).GET().build());
  }

  /** Events of an instance. */
  public Response events(String id, String query) throws CommandException {
    return send(request("/v1/instances/" + encoded(id) + "/events" + query, TIMEOUT).GET().build());
  }

  /** Present and past instances. */
  public Response pastInstances(String query) throws CommandException {
    return send(request("/v1/history/instances" + query, TIMEOUT).GET().build());
  }

  /** A resource of the broker, by its path below the broker's. */
  public Response broker(String path) throws CommandException {
    return send(request("/v1/broker/" + path, TIMEOUT).GET().build());
  }

  /** Creates or changes a resource of the broker. */
  public Response putBroker(String path, byte[] document) throws CommandException {
    return send(
        request("/v1/broker/" + path, TIMEOUT)
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofByteArray(document))
            .build());
  }

  /** Withdraws a concrete service from binding. */
  public Response withdraw(String id) throws CommandException {
    String path = "/v1/broker/services/" + id + "/withdrawal";
    return send(request(path, TIMEOUT).POST(BodyPublishers.noBody()).build());
  }

  /** Deletes a resource of the broker. */
  public Response deleteBroker(String path) throws CommandException {
    return send(request("/v1/broker/" + path, TIMEOUT).DELETE().build());
  }

  private HttpRequest.Builder request(String path, Duration timeout) {
    return HttpRequest.newBuilder(URI.create(base + path))
        .timeout(timeout)
        .header("Accept", "application/json, application/problem+json");
  }

  private Response send(HttpRequest request) throws CommandException {
    try {
      HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
      return new Response(response.statusCode(), parsed(response.body()), response.body());
    } catch (ConnectException e) {
      throw new CommandException(
          ExitStatus.UNAVAILABLE,
          "no engine answers at " + base + "; start one with: pinion serve");
    } catch (IOException e) {
      throw new CommandException(
          ExitStatus.UNAVAILABLE, "the engine at " + base + " did not answer: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException(ExitStatus.FAILURE, "interrupted");
    }
  }

  private static JsonNode parsed(String body) {
    try {
      return body.isEmpty() ? MissingNode.getInstance() : CommandOutput.JSON.readTree(body);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  /** The sentence of a problem document (RFC 9457). */
  public static String problem(Response answer) {
    String title = answer.body().path("title").asText("HTTP " + answer.status());
    String detail = answer.body().path("detail").asText("");
    return detail.isEmpty() ? title : title + ": " + detail;
  }

  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public void close() {
    http.close();
  }
}
