package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.InMemoryDefinitionStore;
import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.StageLayout;
import dev.pinion.core.spi.DefinitionCatalog.Deployment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that exist before the first client connects. */
@Timeout(60)
class ConnectionWarmUpTest {
  private static final StageLayout FUSED = new StageLayout.Fused(1);

  @Test
  void shouldOpenNoneUnlessTold() throws IOException {
    try (TestServiceServer one = new TestServiceServer()) {
      assertEquals(List.of(0L), connections(FUSED, 0, definition(one.base() + "/pets")));
    }
  }

  @Test
  void shouldConnectEveryInvokerToEachServiceOnce() throws IOException {
    try (TestServiceServer one = new TestServiceServer();
        TestServiceServer two = new TestServiceServer()) {
      DefinitionRegistry definitions =
          definition(one.base() + "/pets", two.base() + "/pets/{name}", one.base());
      assertEquals(List.of(2L, 2L), connections(new StageLayout.Fused(2), 2, definitions));
      assertEquals(List.of(2L), connections(new StageLayout.Pipelined(1, 1, 1), 2, definitions));
    }
  }

  @Test
  void shouldConnectToNoMoreServicesThanTold() throws IOException {
    try (TestServiceServer one = new TestServiceServer();
        TestServiceServer two = new TestServiceServer()) {
      DefinitionRegistry definitions = definition(one.base(), two.base());
      assertEquals(List.of(1L), connections(FUSED, 1, definitions));
    }
  }

  @Test
  void shouldConnectToNothingThatInputDecides() throws IOException {
    DefinitionRegistry definitions =
        definition("http://{host}/pets", "http://127.0.0.1:{port}/", "${ .uri }");
    assertEquals(List.of(0L), connections(FUSED, 10, definitions));
  }

  @Test
  void shouldStartWithoutServicesThatAreGone() throws IOException {
    TestServiceServer gone = new TestServiceServer();
    gone.close();
    assertEquals(List.of(0L), connections(FUSED, 10, definition(gone.base())));
  }

  /** Connections of each Invoker of a fresh engine. */
  private static List<Long> connections(
      StageLayout stageLayout, int most, DefinitionRegistry definitions) throws IOException {
    EngineSettings settings =
        EngineSettings.of(definitions)
            .withStageLayout(stageLayout)
            .withLimits(EngineLimits.defaults().with(Map.of("start.connectAhead", most)));
    try (Engine engine = Engine.start(settings)) {
      return engine.invokers().stream()
          .map(invoker -> invoker.counters().get(Counter.CONNECTIONS))
          .toList();
    }
  }

  private static DefinitionRegistry definition(String... endpoints) {
    StringBuilder text = new StringBuilder(256);
    text.append("document: {dsl: 1.0.3, namespace: default, name: one, version: 1.0.0}\ndo:\n");
    for (int i = 0; i < endpoints.length; i++) {
      text.append("- call").append(i).append(": {call: http, with: {method: get, endpoint: \"");
      text.append(endpoints[i]).append("\"}}\n");
    }
    DefinitionRegistry registry =
        new DefinitionRegistry(EngineLimits.defaults(), new InMemoryDefinitionStore());
    byte[] source = text.toString().getBytes(StandardCharsets.UTF_8);
    assertInstanceOf(
        Deployment.Created.class, registry.deploy(source, "application/yaml", null, false));
    return registry;
  }
}
