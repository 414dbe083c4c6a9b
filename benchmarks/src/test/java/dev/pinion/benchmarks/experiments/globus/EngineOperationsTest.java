package dev.pinion.benchmarks.experiments.globus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.benchmarks.testbed.BlockingHttpClient;
import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.InMemoryDefinitionStore;
import dev.pinion.core.engine.Engine;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.workloads.stub.StubService;
import dev.pinion.workloads.stub.StubSettings;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EngineOperationsTest {
  private static final String EVENT = "external event"; // needs a data folder

  private static final Pattern ROUTE = Pattern.compile("[A-Z]+ /.*");

  private record Asked(String method, String path) {
    /** Whether the request has the method and path of a route with variables in braces. */
    boolean is(String route) {
      return (method + " " + path)
          .matches(route.replace(".", "\\.").replaceAll("\\{[^}]+}", "[^/]+"));
    }
  }

  @Test
  void shouldAskForEveryOperationOfAnEngineAndBeAnsweredAsExpected() throws Exception {
    DefinitionRegistry registry =
        new DefinitionRegistry(EngineLimits.defaults(), new InMemoryDefinitionStore());
    try (StubService stub = StubService.start(StubSettings.standard());
        FreshServices freshServices = new FreshServices();
        Engine engine = Engine.start(EngineSettings.of(registry));
        BlockingHttpClient client =
            new BlockingHttpClient(URI.create("http://127.0.0.1:" + engine.address().getPort()))) {
      List<Asked> asked = new ArrayList<>();
      List<TimedOperation> operations = EngineOperations.all(stub.uri(), freshServices);
      for (TimedOperation timedOperation : operations) {
        int calls =
            timedOperation.name().equals("deploy")
                ? FirstCallDefinitions.tasks(stub.uri()).size()
                : 2;
        for (int n = 1; n <= calls; n++) {
          BlockingHttpClient.Request ask = timedOperation.preparation().request(client, n);
          asked.add(new Asked(ask.method(), ask.path().replaceAll("\\?.*", "")));
          BlockingHttpClient.Response response = client.exchange(ask);
          assertTrue(
              timedOperation.accepts(response) || timedOperation.name().equals(EVENT),
              () -> timedOperation.name() + " " + response);
        }
      }
      assertEquals(
          OperationSet.ENGINE.names(), operations.stream().map(TimedOperation::name).toList());
      Set<String> routes =
          routes(client.exchange(BlockingHttpClient.Request.get("/openapi.json")).json());
      Set<String> others = new TreeSet<>(routes);
      others.removeIf(route -> asked.stream().anyMatch(one -> one.is(route)));
      assertEquals(
          others,
          OperationSet.HISTORY_AND_BROKER.names().stream()
              .filter(ROUTE.asMatchPredicate())
              .collect(Collectors.toCollection(TreeSet::new)),
          "what engines alone are not asked, those with a history and a broker are");
    }
  }

  /** Methods and paths of all operations in the document. */
  private static Set<String> routes(JsonNode document) {
    Set<String> routes = new TreeSet<>();
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        routes.add(method.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey());
      }
    }
    return routes;
  }

  @Test
  void shouldFillInTheVariableOfARoute() throws Exception {
    TimedOperation timedOperation =
        TimedOperation.route(
            "PUT /v1/things/{id}/x", 201, (client, n) -> TimedOperation.Part.of("a$" + n, "{}"));
    try (StubService stub = StubService.start(StubSettings.standard());
        BlockingHttpClient client = new BlockingHttpClient(stub.uri())) {
      assertEquals(
          new BlockingHttpClient.Request("PUT", "/v1/things/a$2/x", "application/json", "{}", ""),
          timedOperation.preparation().request(client, 2));
    }
    assertEquals("PUT /v1/things/{id}/x", timedOperation.name());
    assertTrue(timedOperation.accepts(new BlockingHttpClient.Response(201, "")));
    assertFalse(timedOperation.accepts(new BlockingHttpClient.Response(200, "")));
  }
}
