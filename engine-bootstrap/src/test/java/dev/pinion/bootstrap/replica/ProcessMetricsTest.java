package dev.pinion.bootstrap.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.DocumentedMetrics;
import dev.pinion.bootstrap.assembly.CoreEngineLauncher;
import dev.pinion.bootstrap.assembly.EngineLauncher;
import dev.pinion.bootstrap.assembly.EngineLauncher.RunningEngine;
import dev.pinion.bootstrap.placement.IdleStrategies;
import dev.pinion.broker.binding.UnboundSource;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.Durability;
import dev.pinion.core.resource.AllowedDocuments;
import dev.pinion.core.secret.SecretSource;
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
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Field faults 2 and 11: all counters of a replica are exported, and documented by the same names.
 */
class ProcessMetricsTest {
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
                Set.of(),
                AllowedDocuments.NONE,
                SecretSource.NONE,
                History.NONE,
                BrokerGateway.NONE,
                ExternalEvents.NONE));
  }

  private static String text(RunningEngine engine) {
    MetricFamilies families = new MetricFamilies();
    engine.addMetrics(families);
    return families.text();
  }

  @Test
  void shouldExportWhatIsDocumentedAndNothingElse() throws Exception {
    SortedSet<String> documented = DocumentedMetrics.of("Of each replica");
    documented.addAll(DocumentedMetrics.of("Of each process"));
    try (RunningEngine engine = engine()) {
      engine.openToClients();
      MetricFamilies families = new MetricFamilies();
      engine.addMetrics(families);
      new ProcessMetrics().addMetrics(3, families);
      assertEquals(documented, DocumentedMetrics.exported(families.text()));
    }
  }

  @Test
  void shouldCountConnections() throws Exception {
    try (RunningEngine engine = engine()) {
      engine.openToClients();
      assertTrue(text(engine).contains("\npinion_client_connections_limit 7.0\n"));
      assertTrue(text(engine).contains("\npinion_client_connections 0.0\n"));
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), engine.port())) {
        byte[] get =
            "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        client.getOutputStream().write(get);
        assertEquals('H', client.getInputStream().read());
        assertTrue(text(engine).contains("\npinion_client_connections 1.0\n"));
      }
    }
  }

  @Test
  void shouldTellDescriptorsAndLostLines() {
    MetricFamilies families = new MetricFamilies();
    new ProcessMetrics().addMetrics(3, families);
    String text = families.text();
    assertTrue(text.contains("\npinion_replica_log_lines_lost_total 3.0\n"), text);
    assertFalse(text.contains("\npinion_descriptors 0.0\n"), text);
  }
}
