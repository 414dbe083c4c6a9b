package dev.pinion.core.engine;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.DirectoryDefinitionStore;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Durability;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.SafeStoreSettings;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A small fixed run of an engine, in a separate process: deploys, starts instances one after the
 * other, each under a key, and stops with a snapshot. Prints the acknowledgements, line by line.
 *
 * <p>Arguments: the data directory, and the first and last number of the instances.
 */
final class CrashScenario {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final Map<String, Integer> LIMITS =
      Map.of(
          "journal.segmentBytes",
          1 << 20,
          "invoker.maxResponseBytes",
          1 << 16,
          "request.maxBodyBytes",
          1 << 18,
          "definition.maxBytes",
          1 << 18,
          "journal.closeLogBytes",
          1,
          "kernel.maxRetryBytes",
          1 << 18);

  private CrashScenario() {}

  public static void main(String[] args) throws IOException {
    try (Engine engine = open(Path.of(args[0]), _ -> Runtime.getRuntime().halt(1))) {
      if (deploy(engine) / 100 == 2) {
        System.out.println("deployed");
      }
      for (int i = Integer.parseInt(args[1]); i <= Integer.parseInt(args[2]); i++) {
        System.out.println("started " + i + " " + start(engine, i));
      }
    }
    System.out.println("closed");
  }

  /** The engine of the scenario; a failure of its journal is reported. */
  static Engine open(Path data, Consumer<IOException> onFailure) throws IOException {
    EngineLimits limits = EngineLimits.defaults().with(LIMITS);
    DefinitionRegistry registry =
        new DefinitionRegistry(limits, new DirectoryDefinitionStore(data.resolve("definitions")));
    return Engine.start(
        EngineSettings.of(registry)
            .withLimits(limits)
            .withSafeStore(
                new SafeStoreSettings(
                    Durability.SYNC, data.resolve("journal").resolve("0"), onFailure)));
  }

  static int deploy(Engine engine) throws IOException {
    String yaml =
        """
        document: { dsl: '1.0.3', namespace: test, name: small, version: '1.0.0' }
        do:
          - sleep:
              wait: { milliseconds: 5 }
          - answer:
              set: { answer: '${ .n + 1 }' }
        """;
    return ask(engine, "POST", "/v1/definitions", yaml, "Content-Type", "application/yaml")
        .getResponseCode();
  }

  /** Starts an instance under the key of its number, and waits only for its acknowledgement. */
  static String start(Engine engine, int number) throws IOException {
    HttpURLConnection answer =
        ask(
            engine,
            "POST",
            "/v1/namespaces/test/definitions/small/instances",
            "{\"input\":{\"n\":" + number + "}}",
            "Content-Type",
            "application/json",
            "Idempotency-Key",
            "key-" + number,
            "Prefer",
            "respond-async");
    if (!List.of(202, 409).contains(answer.getResponseCode())) {
      throw new IOException("expected a start, found status " + answer.getResponseCode());
    }
    return JSON.readTree(content(answer)).path("id").asText();
  }

  /** The engine's view of an instance. */
  static String show(Engine engine, String id) throws IOException {
    return content(ask(engine, "GET", "/v1/instances/" + id, ""));
  }

  private static HttpURLConnection ask(
      Engine engine, String method, String path, String body, String... fields) throws IOException {
    URI base = URI.create("http://127.0.0.1:" + engine.address().getPort());
    HttpURLConnection connection = (HttpURLConnection) base.resolve(path).toURL().openConnection();
    connection.setRequestMethod(method);
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    for (int i = 0; i < fields.length; i += 2) {
      connection.setRequestProperty(fields[i], fields[i + 1]);
    }
    if (!body.isEmpty()) {
      connection.setDoOutput(true);
      connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    }
    return connection;
  }

  private static String content(HttpURLConnection answer) throws IOException {
    try (var stream =
        answer.getResponseCode() < 400 ? answer.getInputStream() : answer.getErrorStream()) {
      return stream == null ? "" : new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
