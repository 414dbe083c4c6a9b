package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.benchmarks.bare.ServerLifetime;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.handlers.ChainRegistry;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.HandlerKinds;
import dev.pinion.handlers.config.InvalidChainsException;
import dev.pinion.handlers.remote.HostSettings;
import dev.pinion.handlers.remote.RemoteHandlerProvider;
import dev.pinion.handlers.remote.RemoteSettings;
import dev.pinion.handlers.remote.transport.NatsTransport;
import dev.pinion.handlers.run.WorkerPool;
import dev.pinion.handlers.run.WorkerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code chains}: chains of handlers as a process, until standard input ends. */
@Command(
    name = "chains",
    description = "Serves chains of handlers until standard input ends.",
    mixinStandardHelpOptions = true)
public final class ChainsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--file", required = true, description = "Document with the chains.")
  private Path file = Path.of("");

  @Option(names = "--workers", defaultValue = "0", description = "Workers, 0 for one each CPU.")
  private int workers;

  @Option(
      names = "--hosts",
      defaultValue = "0",
      description = "Handler hosts to start, with a NATS server.")
  private int hosts;

  @Option(names = "--kinds", split = ",", description = "What these hosts run.")
  private List<String> kinds = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path server = HandlerHostCluster.natsServer();
    if (hosts == 0) {
      serve(null);
    } else if (server == null) {
      throw new IllegalArgumentException(
          "expected the command nats-server on PATH or in -Dpinion.nats-server, found none");
    } else {
      try (HandlerHostCluster started = HandlerHostCluster.start(server, hosts, kinds);
          NatsTransport transport = NatsTransport.connect(started.url(), "pinion chains");
          RemoteHandlerProvider places =
              new RemoteHandlerProvider(
                  transport,
                  HostSettings.PREFIX,
                  EngineLimits.defaults(),
                  RemoteSettings.DEFAULTS,
                  Clock.system())) {
        serve(places);
      }
    }
    return ExitCode.OK;
  }

  private void serve(@Nullable RemoteHandlerProvider places) throws IOException {
    EngineLimits limits = EngineLimits.defaults();
    HandlerKinds installed = HandlerKinds.installed(ChainsCommand.class.getClassLoader());
    int count = workers == 0 ? Runtime.getRuntime().availableProcessors() : workers;
    WorkerSettings settings =
        new WorkerSettings(count, 0, limits.handlers().maxStuckWorkers(), new WorkerPinning());
    try (WorkerPool pool = new WorkerPool(settings, Clock.system());
        ChainRegistry chainRegistry =
            new ChainRegistry(new ChainReader(installed, limits, places), pool, limits)) {
      chainRegistry.install(Files.readString(file));
      ServerLifetime.run(
          ChainServer.start(chainRegistry, pool, limits), spec.commandLine().getOut(), System.in);
    } catch (InvalidChainsException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
