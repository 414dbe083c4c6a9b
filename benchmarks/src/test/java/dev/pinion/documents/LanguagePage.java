package dev.pinion.documents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.assembly.CoreEngineLauncher;
import dev.pinion.bootstrap.assembly.EngineLauncher.RunningEngine;
import dev.pinion.bootstrap.assembly.ReplicaAssembly;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.resource.AllowedDocuments;
import dev.pinion.workloads.stub.StubService;
import dev.pinion.workloads.stub.StubSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The definitions of a page, each deployed and started with its input on an engine in memory. */
final class LanguagePage implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String STUB = "http://127.0.0.1:9090";
  private static final String SHOWN_CATALOG = "file:///srv/catalog/";

  private final HttpClient client = HttpClient.newHttpClient();
  private final StubService stub = StubService.start(StubSettings.standard());
  private final Path catalog = Files.createTempDirectory("catalog");
  private final ProtocolStubs protocols;
  private final RunningEngine engine;

  LanguagePage() throws IOException {
    copyCatalog(Path.of(Page.root()).resolve("docs/tour/catalog"));
    protocols = new ProtocolStubs(catalog.resolve("greeter.proto"));
    engine =
        new ReplicaAssembly(new CoreEngineLauncher())
            .startInMemory(
                EngineLimits.forHeap(Runtime.getRuntime().maxMemory()),
                null,
                Set.of(Program.Kind.SHELL),
                AllowedDocuments.parse(catalog.toString()));
  }

  /** Copies the documents of the page, with the address of the stub in them. */
  private void copyCatalog(Path shown) throws IOException {
    try (Stream<Path> files = Files.walk(shown)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = catalog.resolve(shown.relativize(file).toString());
        Files.createDirectories(Objects.requireNonNull(copy.getParent()));
        Files.writeString(copy, Files.readString(file).replace(STUB, stub.uri().toString()));
      }
    }
  }

  /** Runs every example; returns what is wrong with each that is. */
  List<String> run(Page page) throws IOException, InterruptedException {
    List<String> wrong = new ArrayList<>();
    List<Block> blocks = page.blocks();
    for (int i = 0; i < blocks.size(); i++) {
      if (blocks.get(i).is("yaml", "")) {
        String found = example(blocks, i);
        if (!found.isEmpty()) {
          wrong.add(page.path() + ":" + blocks.get(i).line() + ": " + found);
        }
      }
    }
    return wrong;
  }

  private String example(List<Block> blocks, int definition)
      throws IOException, InterruptedException {
    HttpResponse<String> deployed =
        post("/v1/definitions", "application/yaml", blocks.get(definition).text());
    if (deployed.statusCode() / 100 != 2) {
      return "expected a definition, found " + deployed.body();
    }
    JsonNode key = JSON.readTree(deployed.body());
    int next = definition + 1;
    String found = "";
    while (found.isEmpty() && next < blocks.size() && blocks.get(next).language().equals("json")) {
      String input = "{}";
      if (blocks.get(next).is("json", "input")) {
        input = blocks.get(next).text();
        next++;
      }
      List<String> events = new ArrayList<>();
      while (blocks.get(next).is("json", "event")) {
        events.add(blocks.get(next).text());
        next++;
      }
      found = ended(key, input, events, blocks.get(next));
      next++;
    }
    return found;
  }

  private String ended(JsonNode key, String input, List<String> events, Block expected)
      throws IOException, InterruptedException {
    ObjectNode start = JSON.createObjectNode();
    start.set("input", JSON.readTree(input));
    String path =
        "/v1/namespaces/"
            + key.path("namespace").asText()
            + "/definitions/"
            + key.path("name").asText()
            + "/versions/"
            + key.path("version").asText()
            + "/instances";
    JsonNode instance =
        events.isEmpty()
            ? JSON.readTree(post(path, "application/json", start.toString()).body())
            : heard(key, path, start.toString(), events);
    JsonNode wanted = JSON.readTree(expected.text().replace(STUB, stub.uri().toString()));
    boolean asWanted =
        switch (expected.role()) {
          case "output" -> Expected.equal(wanted, instance.path("output"));
          case "error" -> Expected.holds(wanted, instance.path("error"));
          default ->
              throw new IllegalArgumentException("expected output or error, found " + expected);
        };
    return asWanted ? "" : "expected " + expected.role() + " " + wanted + ", found " + instance;
  }

  /** Starts an instance, posts events to it, and waits for its end. */
  private JsonNode heard(JsonNode key, String path, String start, List<String> events)
      throws IOException, InterruptedException {
    HttpResponse<String> begun = post(path, "application/json", start, "Prefer", "respond-async");
    for (String event : events) {
      HttpResponse<String> taken =
          post(
              "/v1/namespaces/" + key.path("namespace").asText() + "/events",
              "application/cloudevents+json",
              event);
      if (taken.statusCode() != 202) {
        return JSON.readTree(taken.body());
      }
    }
    String id = JSON.readTree(begun.body()).path("id").asText();
    HttpResponse<String> shown =
        client.send(
            HttpRequest.newBuilder(uri("/v1/instances/" + id)).header("Prefer", "wait=30").build(),
            BodyHandlers.ofString());
    return JSON.readTree(shown.body());
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + engine.port() + path);
  }

  private HttpResponse<String> post(String path, String type, String body, String... fields)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .header("Content-Type", type)
            .POST(
                BodyPublishers.ofString(
                    protocols
                        .at(body)
                        .replace(STUB, stub.uri().toString())
                        .replace(SHOWN_CATALOG, catalog.toUri().toString())));
    if (fields.length > 0) {
      request.headers(fields);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  @Override
  public void close() throws IOException {
    engine.close();
    protocols.close();
    stub.close();
    client.close();
    try (Stream<Path> files = Files.walk(catalog)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
