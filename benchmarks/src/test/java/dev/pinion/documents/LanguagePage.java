package dev.pinion.documents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.assembly.CoreEngineLauncher;
import dev.pinion.bootstrap.assembly.EngineLauncher.RunningEngine;
import dev.pinion.bootstrap.assembly.ReplicaAssembly;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Program;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The definitions of a page, each deployed and started with its input on an engine in memory. */
final class LanguagePage implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String STUB = "http://127.0.0.1:9090";
  private static final String SHOWN_CATALOG = "file:///srv/catalog/";
  private static final Path CATALOG = Path.of(Page.root()).resolve("docs/tour/catalog");

  private final HttpClient client = HttpClient.newHttpClient();
  private final StubService stub = StubService.start(StubSettings.standard());
  private final RunningEngine engine;

  LanguagePage() throws IOException {
    engine =
        new ReplicaAssembly(new CoreEngineLauncher())
            .startInMemory(
                EngineLimits.forHeap(Runtime.getRuntime().maxMemory()),
                null,
                Set.of(Program.Kind.SHELL),
                AllowedDocuments.parse(CATALOG.toString()));
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
    int next = definition + 1;
    String input = "{}";
    if (next < blocks.size() && blocks.get(next).is("json", "input")) {
      input = blocks.get(next).text();
      next++;
    }
    if (next == blocks.size() || !blocks.get(next).language().equals("json")) {
      return "";
    }
    return ended(JSON.readTree(deployed.body()), input, blocks.get(next));
  }

  private String ended(JsonNode key, String input, Block expected)
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
    JsonNode instance = JSON.readTree(post(path, "application/json", start.toString()).body());
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

  private HttpResponse<String> post(String path, String type, String body)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + engine.port() + path))
            .header("Content-Type", type)
            .POST(
                BodyPublishers.ofString(
                    body.replace(STUB, stub.uri().toString())
                        .replace(SHOWN_CATALOG, CATALOG.toUri().toString())))
            .build(),
        BodyHandlers.ofString());
  }

  @Override
  public void close() throws IOException {
    engine.close();
    stub.close();
    client.close();
  }
}
