package dev.pinion.bootstrap.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.assembly.CoreEngineLauncher;
import dev.pinion.bootstrap.assembly.EngineLauncher;
import dev.pinion.bootstrap.assembly.EngineLauncher.RunningEngine;
import dev.pinion.bootstrap.placement.IdleStrategies;
import dev.pinion.broker.binding.UnboundSource;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Durability;
import dev.pinion.core.settings.ListenSpec;
import dev.pinion.core.settings.StageLayout;
import dev.pinion.core.spi.BrokerGateway;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.spi.History;
import dev.pinion.core.stage.ThreadSetup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Field faults 2 and 11: all counters of a replica are exported, and documented by the same names.
 */
class ProcessMetricsTest {
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (pinion_\\w+) (\\w+)$");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(pinion_\\w+)` \\| (\\w+) \\|");

  /** Reported by the broker's table, which does not exist here. */
  private static final String OF_BINDINGS = "pinion_binding_table_version";

  @TempDir private Path data;

  private RunningEngine engine() throws IOException {
    return new CoreEngineLauncher()
        .launch(
            new EngineLauncher.Options(
                ListenSpec.own(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                null,
                Durability.ASYNC,
                data.resolve("journal").resolve("0"),
                new StageLayout.Fused(1),
                IdleStrategies.PARK,
                EngineLimits.defaults().with(Map.of("request.maxConnections", 7)),
                Interceptor.NONE,
                new UnboundSource(),
                ThreadSetup.NONE,
                null,
                History.NONE,
                BrokerGateway.NONE,
                ExternalEvents.NONE));
  }

  private static SortedSet<String> names(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult found) -> found.group(1) + " " + found.group(2))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void shouldExportWhatIsDocumentedAndNothingElse() throws Exception {
    String root = System.getProperty("pinion.root", "..");
    String page = Files.readString(Path.of(root, "docs", "metrics.md"));
    String ofReplicas = page.substring(0, page.indexOf("## Of the parent"));
    try (RunningEngine engine = engine()) {
      engine.openToClients();
      SortedSet<String> documented = names(ROW, ofReplicas);
      assertTrue(documented.remove(OF_BINDINGS + " gauge"));
      assertEquals(documented, names(TYPE, engine.metrics() + ProcessMetrics.of(3)));
    }
  }

  @Test
  void shouldCountConnections() throws Exception {
    try (RunningEngine engine = engine()) {
      engine.openToClients();
      assertTrue(engine.metrics().contains("\npinion_client_connections_limit 7\n"));
      assertTrue(engine.metrics().contains("\npinion_client_connections 0\n"));
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), engine.port())) {
        byte[] get =
            "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        client.getOutputStream().write(get);
        assertEquals('H', client.getInputStream().read());
        assertTrue(engine.metrics().contains("\npinion_client_connections 1\n"));
      }
    }
  }

  @Test
  void shouldTellDescriptorsAndLostLines() {
    String text = ProcessMetrics.of(3);
    assertTrue(text.endsWith("\npinion_replica_log_lines_lost_total 3\n"), text);
    assertFalse(text.contains("\npinion_descriptors 0\n"), text);
  }
}
