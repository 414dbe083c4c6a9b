package dev.pinion.bootstrap.assembly;

import dev.pinion.bootstrap.protocol.HealthCheck;
import dev.pinion.bootstrap.protocol.Heartbeat;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.resource.AllowedDocuments;
import dev.pinion.core.spi.DefinitionCatalog;
import dev.pinion.core.stage.ThreadSetup;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An engine that answers each connection with its process id and misbehaves by its traits.
 *
 * <p>Traits: {@code dies} at start, {@code unwell} from start, {@code busy} on every CPU, {@code
 * endless} work under way, {@code chatty} in its log on each connection.
 */
public final class FakeEngine implements EngineLauncher {
  /** More than the capacity of a pipe. */
  private static final int CHATTER = 1 << 18;

  private final Set<String> traits;

  public FakeEngine(Set<String> traits) {
    this.traits = Set.copyOf(traits);
  }

  @Override
  public RunningEngine launch(Options options) throws IOException {
    if (traits.contains("dies")) {
      Runtime.getRuntime().halt(3);
    }
    if (traits.contains("busy")) {
      for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
        Thread spinning = new Thread(FakeEngine::spin);
        spinning.setDaemon(true);
        spinning.start();
      }
    }
    ServerSocket socket = new ServerSocket();
    socket.setReuseAddress(true);
    socket.setOption(StandardSocketOptions.SO_REUSEPORT, true);
    socket.bind(options.entrance().address());
    Thread accepting = new Thread(() -> serve(socket));
    accepting.setDaemon(true);
    accepting.start();
    options.threads().prepare("fused-0", ThreadSetup.ThreadKind.ANCILLARY);
    return new Running(socket);
  }

  @Override
  public DefinitionCatalog definitions(EngineLimits limits, AllowedDocuments documents) {
    throw new UnsupportedOperationException();
  }

  private static void spin() {
    while (true) {
      Thread.onSpinWait();
    }
  }

  private void serve(ServerSocket socket) {
    String pid = Long.toString(ProcessHandle.current().pid());
    while (!socket.isClosed()) {
      try (Socket connection = socket.accept()) {
        if (traits.contains("chatty")) {
          System.err.println("a long story " + "x".repeat(CHATTER));
        }
        connection.getOutputStream().write(pid.getBytes(StandardCharsets.US_ASCII));
      } catch (IOException e) {
        // A client has left, or the end.
      }
    }
  }

  private final class Running implements RunningEngine {
    private final ServerSocket socket;

    Running(ServerSocket socket) {
      this.socket = socket;
    }

    @Override
    public int port() {
      return socket.getLocalPort();
    }

    @Override
    public boolean openToClients() {
      return true;
    }

    @Override
    public @Nullable Heartbeat heartbeat() {
      return traits.contains("unwell") ? null : new Heartbeat(1, 2, 3, 4, false, "");
    }

    @Override
    public void addChecks(Supplier<List<HealthCheck>> checks) {}

    @Override
    public void addMetrics(MetricFamilies families) {}

    @Override
    public void drain() {}

    @Override
    public boolean awaitDrained(Duration atMost) throws InterruptedException {
      return !traits.contains("endless")
          || new CountDownLatch(1).await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
