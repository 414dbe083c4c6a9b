package dev.pinion.bootstrap.brokerd.behaviour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ProcessNode.Choice;
import dev.pinion.broker.model.ProcessNode.Sequence;
import dev.pinion.broker.model.ProcessNode.Task;
import dev.pinion.core.definition.DirectoryDefinitionStore;
import dev.pinion.core.definition.StoredDefinition;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.DefinitionKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The common model of several definitions, and of versions of them; and how they are found. */
class BehaviourModelTest {
  private static ProcessGraph graph(String name, String version, String... services) {
    StringBuilder tasks = new StringBuilder();
    for (int i = 0; i < services.length; i++) {
      tasks.append("  - t").append(i).append(": {@").append(services[i]).append("}\n");
    }
    String none = "  - t: {wait: PT1S}\n";
    return ProcessGraphModelTest.graph(
        name, version, services.length == 0 ? none : tasks.toString());
  }

  private static BehaviourModel model(ProcessGraph... graphs) {
    Map<DefinitionKey, ProcessNode> deployed = new HashMap<>();
    for (ProcessGraph each : graphs) {
      deployed.put(each.key(), ProcessGraphModel.of(each));
    }
    return BehaviourModel.of(deployed);
  }

  private static ProcessNode only(ProcessNode tree, double probability) {
    return new Choice(
        "definitions", List.of(tree, ProcessTrees.NOTHING), List.of(probability, 1 - probability));
  }

  @Test
  void shouldTakeTheLatestVersionOfEach() {
    BehaviourModel model =
        model(
            graph("b", "1.10.0", "x"),
            graph("a", "1.0.0", "y"),
            graph("b", "1.9.0", "x", "old"),
            graph("c", "1.0.0"));
    assertEquals(List.of("test/a/1.0.0", "test/b/1.10.0"), model.definitions());
    double rest = (1 - BehaviourModel.EARLIER) / 2;
    assertEquals(
        new Choice(
            "definitions",
            List.of(new Task("y"), new Task("x"), new Task("old"), ProcessTrees.NOTHING),
            List.of(rest, rest, BehaviourModel.EARLIER, 0.0)),
        model.process());
  }

  @Test
  void shouldBeASingleOneByItselfOrNothing() {
    assertEquals(only(new Task("x"), 1), model(graph("a", "1.0.0", "x")).process());
    BehaviourModel none = model(graph("a", "1.0.0"));
    assertEquals(new BehaviourModel(new Sequence(List.of()), List.of()), none);
    // services of earlier versions are bound for callers that still start them
    assertEquals(
        new BehaviourModel(only(new Task("x"), BehaviourModel.EARLIER), List.of()),
        model(graph("a", "1.0.0", "x"), graph("a", "2.0.0")));
  }

  @Test
  void shouldTakeAGreatDefinitionByItsServices() {
    String[] fits = new String[BehaviourModel.MAX_NODES - 1];
    String[] beyond = new String[BehaviourModel.MAX_NODES];
    for (int i = 0; i < beyond.length; i++) {
      beyond[i] = i % 2 == 0 ? "x" : "y";
    }
    System.arraycopy(beyond, 0, fits, 0, fits.length);
    ProcessNode whole = model(graph("a", "1.0.0", fits)).process().children().getFirst();
    assertEquals(fits.length, whole.children().size());
    assertEquals(
        only(new Sequence(List.of(new Task("x"), new Task("y"))), 1),
        model(graph("a", "1.0.0", beyond)).process());
  }

  @Test
  void shouldFindWhatIsDeployed(@TempDir Path data) throws IOException {
    Path folder = data.resolve("definitions");
    DeployedDefinitionScanner deployed =
        new DeployedDefinitionScanner(folder, EngineLimits.defaults());
    assertEquals(List.of(), deployed.changed().orElseThrow().definitions());
    assertEquals(Optional.empty(), deployed.changed());
    DirectoryDefinitionStore store = new DirectoryDefinitionStore(folder);
    assertEquals(List.of(), store.load());
    save(store, "1.0.0", "svc://x/y");
    BehaviourModel first = deployed.changed().orElseThrow();
    assertEquals(
        new BehaviourModel(only(new Task("x"), 1), List.of("test/a/1.0.0")),
        first,
        "named as deployed");
    assertEquals(Optional.empty(), deployed.changed());
    save(store, "1.0.1", "http://127.0.0.1/y");
    BehaviourModel second = deployed.changed().orElseThrow();
    assertEquals(
        new BehaviourModel(only(new Task("x"), BehaviourModel.EARLIER), List.of()), second);
    assertTrue(deployed.changed().isEmpty());
  }

  private static void save(DirectoryDefinitionStore store, String version, String endpoint) {
    String source =
        """
        document: {dsl: 1.0.3, namespace: test, name: a, version: %s}
        do:
          - t: {call: http, with: {method: get, endpoint: '%s'}}
        """
            .formatted(version, endpoint);
    DefinitionKey key = new DefinitionKey("test", "a", version);
    store.save(new StoredDefinition(key, "application/yaml", source));
  }
}
