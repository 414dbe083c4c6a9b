package dev.pinion.bootstrap.warmup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.WorkflowCompiler;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Durability;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WarmUpScriptTest {
  private static final int ROUNDS = 500;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final WarmUpScript script = new WarmUpScript(1234);

  @Test
  void shouldDeployEveryFileOfItsFolder() throws IOException, URISyntaxException {
    List<String> deployments = script.deployments();

    for (String request : deployments) {
      assertTrue(request.startsWith("POST /v1/definitions HTTP/1.1\r\n"), request);
      assertTrue(!request.contains("PORT"), request);
    }
    URL folder = Objects.requireNonNull(WarmUpScript.class.getResource("warm-up"));
    try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
      assertEquals(files.count(), deployments.size());
    }
  }

  @Test
  void shouldHaveEveryKindOfTaskAndEveryDurability() throws IOException {
    Set<Class<?>> kinds = new HashSet<>();
    Set<Durability> durabilities = EnumSet.noneOf(Durability.class);
    WorkflowCompiler compiler = new WorkflowCompiler(EngineLimits.defaults());

    for (String request : script.deployments()) {
      CompilationResult compilationResult = compiler.compile(body(request), "application/yaml");
      ProcessGraph graph =
          assertInstanceOf(CompilationResult.Compiled.class, compilationResult).graph();
      collect(graph.body(), kinds);
      if (graph.durability() != null) {
        durabilities.add(graph.durability());
      }
    }

    Set<Class<?>> tasks = new HashSet<>(Set.of(Node.class.getPermittedSubclasses()));
    tasks.remove(Node.Schedule.class); // no task of a document
    tasks.remove(Node.Subscribe.class); // needs a server of messages
    assertEquals(tasks, kinds);
    assertEquals(EnumSet.allOf(Durability.class), durabilities);
  }

  private static void collect(Block block, Set<Class<?>> kinds) {
    block.tasks().forEach(task -> collect(task, kinds));
  }

  private static void collect(Node task, Set<Class<?>> kinds) {
    kinds.add(task.getClass());
    switch (task) {
      case Node.Do(_, Block body, _) -> collect(body, kinds);
      case Node.For each -> collect(each.body(), kinds);
      case Node.ParallelForEach each -> collect(each.body(), kinds);
      case Node.Fork fork -> fork.branches().forEach(branch -> collect(branch, kinds));
      case Node.Try guarded -> collect(guarded.body(), kinds);
      default -> {
        // no nested tasks
      }
    }
  }

  @Test
  void shouldSayAnotherThingInEachRoundInMessagesThatAreSound() throws IOException {
    Set<String> starts = new HashSet<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (String request : script.round(round)) {
        String body = body(request);
        if (body.length() > "{}".length()) {
          JsonNode input = JSON.readTree(body).path("input");
          assertEquals(round, input.path("n").asInt());
          assertTrue(!input.path("orders").isEmpty(), body);
          assertTrue(starts.add(request), request);
        }
      }
    }
    int withEvents = Math.ceilDiv(ROUNDS, 8);
    assertEquals(4 * ROUNDS + withEvents, starts.size());
  }

  /** With the declared length. */
  private static String body(String request) {
    int end = request.indexOf("\r\n\r\n");
    String body = request.substring(end + "\r\n\r\n".length());
    int length =
        request
            .substring(0, end)
            .lines()
            .filter(field -> field.startsWith("Content-Length: "))
            .mapToInt(field -> Integer.parseInt(field.substring("Content-Length: ".length())))
            .findFirst()
            .orElse(0);
    assertEquals(length, body.getBytes(StandardCharsets.UTF_8).length);
    return body;
  }
}
