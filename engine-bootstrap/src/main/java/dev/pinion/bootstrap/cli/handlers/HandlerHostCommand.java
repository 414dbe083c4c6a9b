package dev.pinion.bootstrap.cli.handlers;

import dev.pinion.bootstrap.cli.BaseCommand;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.logging.LostLinesNotice;
import dev.pinion.bootstrap.process.StandardStreams;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.remote.HandlerHost;
import dev.pinion.handlers.remote.HostSettings;
import dev.pinion.handlers.remote.RemoteSettings;
import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.transport.NatsTransport;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs handlers for remote engines, until it is asked to end. */
@Command(
    name = "handler-host",
    description = "Runs handlers of messages for engines elsewhere, over NATS.",
    sortOptions = false)
public final class HandlerHostCommand extends BaseCommand implements Callable<Integer> {
  @Mixin private final NatsOptions nats = new NatsOptions();

  @Option(
      names = "--handlers",
      paramLabel = "NAME",
      split = ",",
      description = "Kinds of handlers to run. Default: all that are installed and need no engine.")
  private List<String> handlers = List.of();

  @Mixin private final HandlersPath path = new HandlersPath();

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "How many handlers run at once. Default: as many as CPUs.")
  private int workers = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--window",
      paramLabel = "N",
      description =
          "How many messages the host takes at once; the same as"
              + " --set handlers.remote.hostWindow=N. Default: 256.")
  private @Nullable Integer window;

  @Option(
      names = "--set",
      paramLabel = "NAME=N",
      description = "Changes a limit, such as handlers.remote.hostMemory. May be repeated.")
  private Map<String, Integer> changed = new TreeMap<>();

  @Option(
      names = "--effects",
      paramLabel = "URL",
      description =
          "JDBC address of the table of effects that hosts share, such as jdbc:sqlite:FILE."
              + " Default: none.")
  private @Nullable String effects;

  @Option(
      names = "--stored",
      description = "Take messages as well that the NATS servers keep (JetStream).")
  private boolean stored;

  @Option(
      names = "--drain-timeout",
      paramLabel = "SECONDS",
      description = "How long to wait for messages under way at the end. Default: 25.")
  private int drainSeconds = 25;

  @Option(
      names = "--health-interval",
      paramLabel = "SECONDS",
      description = "How often a line tells how the host is. Default: 60.")
  private int healthSeconds = 60;

  @Override
  public Integer call() throws CommandException {
    return run(settings(), kinds());
  }

  private int run(HostSettings settings, SortedMap<String, HandlerFactory> kinds)
      throws CommandException {
    try (StandardStreams _ = StandardStreams.neverBlocking(LostLinesNotice::line);
        NatsTransport transport = nats.connect("pinion handler-host");
        HandlerHost host =
            new HandlerHost(settings, kinds, transport, EngineLimits.defaults(), Clock.system())) {
      if (stored) {
        host.takeStored(transport, RemoteSettings.DEFAULTS.with(changed).store());
      }
      return new HandlerHostProgram(
              host,
              new HandlerHostStatusLine(settings, List.copyOf(kinds.keySet()), json()),
              Duration.ofSeconds(healthSeconds),
              Duration.ofSeconds(drainSeconds))
          .run(new PrintWriter(System.out, true, System.out.charset()));
    } catch (IOException e) {
      throw new CommandException(ExitStatus.UNAVAILABLE, "--stored: " + e.getMessage());
    } catch (SQLException e) {
      throw new CommandException(
          ExitStatus.UNAVAILABLE, "the table of effects cannot be opened: " + e.getMessage());
    }
  }

  private HostSettings settings() throws CommandException {
    if (drainSeconds < 0 || healthSeconds < 1) {
      throw new CommandException(
          ExitStatus.USAGE,
          "expected a drain timeout of at least 0 s and a health interval of at least 1 s, found "
              + drainSeconds
              + " and "
              + healthSeconds);
    }
    try {
      RemoteSettings remote = RemoteSettings.DEFAULTS.with(changed);
      RemoteLimits limits = remote.limits();
      if (window != null) {
        limits = limits.withHostWindow(window);
      }
      return new HostSettings(nats.prefix(), workers, effects, limits, remote.times());
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitStatus.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private SortedMap<String, HandlerFactory> kinds() throws CommandException {
    SortedMap<String, HandlerFactory> all = new TreeMap<>(path.kinds().byName());
    if (!handlers.isEmpty()) {
      return named(all);
    }
    all.values().removeIf(each -> !runsHere(each));
    if (all.isEmpty()) {
      throw new CommandException(
          ExitStatus.DATA, "expected handlers on the class path or in --handlers-path, found none");
    }
    return all;
  }

  private SortedMap<String, HandlerFactory> named(SortedMap<String, HandlerFactory> all)
      throws CommandException {
    SortedMap<String, HandlerFactory> wanted = new TreeMap<>();
    for (String each : handlers) {
      HandlerFactory factory = all.get(each);
      if (factory == null) {
        throw new CommandException(
            ExitStatus.USAGE,
            "expected a kind of handlers, found \""
                + each
                + "\"; "
                + SpellingSuggestion.hint(each, all.keySet()));
      }
      if (!runsHere(factory)) {
        throw new CommandException(
            ExitStatus.USAGE,
            "expected a kind of handlers that runs without an engine, found \""
                + each
                + "\"; let the engine run it (place: local)");
      }
      wanted.put(each, factory);
    }
    return wanted;
  }

  private static boolean runsHere(HandlerFactory factory) {
    return factory.runsInHosts(new Settings(Payload.EMPTY_OBJECT, ""));
  }
}
