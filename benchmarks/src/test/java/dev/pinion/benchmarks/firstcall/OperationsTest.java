package dev.pinion.benchmarks.firstcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.InMemoryDefinitionStore;
import dev.pinion.core.engine.Engine;
import dev.pinion.core.engine.EngineSettings;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.workloads.stub.StubService;
import dev.pinion.workloads.stub.StubSettings;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OperationsTest {
  /** What needs a history, a broker or services that answer later. */
  private static final List<String> OF_OTHER_ENGINES =
      List.of(
          "/v1/broker/",
          "/v1/callbacks/",
          "/v1/history/",
          "/v1/instances/{id}/events",
          "/v1/subscriptions");

  private static final String EVENT = "external event"; // needs a data folder

  private record Asked(String method, String path) {
    boolean is(String otherMethod, String template) {
      return method.equals(otherMethod.toUpperCase(Locale.ROOT))
          && path.matches(template.replaceAll("\\{[^}]+}", "[^/]+").replace(".", "\\."));
    }
  }

  @Test
  void shouldAskForEveryOperationOfAnEngineAndBeAnsweredAsExpected() throws IOException {
    DefinitionRegistry registry =
        new DefinitionRegistry(EngineLimits.defaults(), new InMemoryDefinitionStore());
    try (StubService stub = StubService.start(StubSettings.standard());
        Services services = new Services();
        Engine engine = Engine.start(EngineSettings.of(registry));
        PlainClient client =
            new PlainClient(URI.create("http://127.0.0.1:" + engine.address().getPort()))) {
      List<Asked> asked = new ArrayList<>();
      List<Operation> operations = Operations.all(stub.uri(), services);
      for (Operation operation : operations) {
        int calls = operation.name().equals("deploy") ? Definitions.tasks(stub.uri()).size() : 2;
        for (int n = 1; n <= calls; n++) {
          PlainClient.Ask ask = operation.preparation().ask(client, n);
          asked.add(new Asked(ask.method(), ask.path().replaceAll("\\?.*", "")));
          PlainClient.Answer answer = client.ask(ask);
          assertTrue(
              operation.accepts(answer) || operation.name().equals(EVENT),
              () -> operation.name() + " " + answer);
        }
      }
      assertEquals(Operations.names(), operations.stream().map(Operation::name).toList());
      assertEquals(
          List.of(),
          unasked(client.ask(PlainClient.Ask.get("/openapi.json")).json().path("paths"), asked));
    }
  }

  private static List<String> unasked(JsonNode paths, List<Asked> asked) {
    assertTrue(paths.size() > OF_OTHER_ENGINES.size(), paths::toString);
    List<String> unasked = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : paths.properties()) {
      if (OF_OTHER_ENGINES.stream().noneMatch(path.getKey()::startsWith)) {
        for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
          if (asked.stream().noneMatch(one -> one.is(method.getKey(), path.getKey()))) {
            unasked.add(method.getKey() + " " + path.getKey());
          }
        }
      }
    }
    return unasked;
  }
}
