package dev.pinion.bootstrap.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.protocol.ProfileRequest;
import dev.pinion.bootstrap.protocol.ProfiledProcess;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Client of the admin listener of an engine. */
public final class AdminClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final String base;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

  /**
   * A client.
   *
   * @param url address of the listener, such as {@code http://127.0.0.1:9180}
   */
  public AdminClient(String url) throws CommandException {
    this.base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    try {
      URI.create(base + "/").toURL();
    } catch (IllegalArgumentException | IOException e) {
      throw new CommandException(
          ExitStatus.USAGE, "expected a URL such as http://127.0.0.1:9180, found \"" + url + "\"");
    }
  }

  /** The serving replicas, and the running broker. */
  public List<ProfiledProcess> serving() throws CommandException {
    List<ProfiledProcess> serving = new ArrayList<>();
    for (JsonNode each : send("GET", "/admin/v1/replicas").path("replicas")) {
      if (each.path("state").asText().equals("READY")) {
        serving.add(ProfiledProcess.replica(each.path("index").asInt()));
      }
    }
    if (send("GET", "/admin/v1/broker").path("running").asBoolean()) {
      serving.add(ProfiledProcess.BROKER);
    }
    return serving;
  }

  /**
   * Orders a profile from a process.
   *
   * @param token content of the file {@link ProfileRequest#TOKEN} of the order's folder
   */
  public void profile(ProfiledProcess process, ProfileRequest order, String token)
      throws CommandException {
    JsonNode _ =
        send(
            "POST",
            "/admin/v1/"
                + (process.replica().isPresent()
                    ? "replicas/" + process.replica().getAsInt()
                    : "broker")
                + "/profile?seconds="
                + order.seconds()
                + "&client="
                + order.client()
                + "&token="
                + token
                + "&folder="
                + RestClient.encoded(order.folder().toString()));
  }

  private JsonNode send(String method, String path) throws CommandException {
    try {
      HttpResponse<String> response =
          http.send(
              HttpRequest.newBuilder(URI.create(base + path))
                  .timeout(TIMEOUT)
                  .method(method, BodyPublishers.noBody())
                  .build(),
              BodyHandlers.ofString());
      JsonNode body = CommandOutput.JSON.readTree(response.body());
      if (response.statusCode() >= 300) {
        throw new CommandException(
            ExitStatus.FAILURE,
            RestClient.problem(new RestClient.Response(response.statusCode(), body, "")));
      }
      return body;
    } catch (ConnectException e) {
      throw new CommandException(
          ExitStatus.UNAVAILABLE,
          "no engine answers operators at "
              + base
              + "; start one with: pinion serve, or name another with --admin");
    } catch (IOException e) {
      throw new CommandException(
          ExitStatus.UNAVAILABLE, "the admin listener at " + base + " did not answer: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException(ExitStatus.FAILURE, "interrupted");
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
