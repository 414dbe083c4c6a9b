package dev.pinion.bootstrap.cli;

import dev.pinion.bootstrap.config.ServeSettings;
import dev.pinion.bootstrap.logging.LogFormat;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.placement.Plan;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.process.Dispatch;
import dev.pinion.bootstrap.process.JsonText;
import dev.pinion.bootstrap.process.ReplicaCommand;
import dev.pinion.bootstrap.process.ReplicaProcess;
import dev.pinion.bootstrap.process.ReplicaSettings;
import dev.pinion.bootstrap.process.ReplicaStarter;
import dev.pinion.bootstrap.process.Signals;
import dev.pinion.bootstrap.supervise.DataDirectoryLock;
import dev.pinion.bootstrap.supervise.EventLog;
import dev.pinion.bootstrap.supervise.Supervisor;
import dev.pinion.bootstrap.supervise.SupervisorSettings;
import dev.pinion.bootstrap.topology.MachineProbe;
import dev.pinion.bootstrap.topology.Topology;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The parent process of {@code serve}: probes, plans, starts replicas and watches over them. */
final class ServeProgram {
  /** Main class of a replica; by name, so that the parent loads nothing of the engine. */
  static final String REPLICA_MAIN = "dev.pinion.bootstrap.replica.ReplicaMain";

  private final ServeSettings settings;
  private final String replicaMain;
  private final boolean json;
  private final PrintWriter out;
  private final EventLog log =
      new EventLog(System.err, LogFormat.current() == LogFormat.JSON, Instant::now);

  ServeProgram(ServeSettings settings, String replicaMain, boolean json, PrintWriter out) {
    this.settings = settings;
    this.replicaMain = replicaMain;
    this.json = json;
    this.out = out;
  }

  /** Serves until stopped; returns the exit status. */
  int run() throws CommandFailure, InterruptedException {
    Topology topology = MachineProbe.probe();
    topology.notes().forEach(log::info);
    Plan plan = plan(topology);
    ReplicaSpec spec = plan.replicas().getFirst();
    tellPlan(plan);
    try (DataDirectoryLock _ = DataDirectoryLock.take(settings.data())) {
      Path crashes = Files.createDirectories(settings.data().resolve("crash"));
      ReplicaStarter starter =
          starter(new ReplicaCommands(settings, replicaMain, log::warn).of(spec, crashes));
      Supervisor supervisor =
          new Supervisor(
              List.of(replicaSettings(spec)),
              SupervisorSettings.withShutdownTimeout(settings.shutdownTimeout()),
              starter,
              log,
              this::announce,
              System::nanoTime);
      Signals.handle("TERM", supervisor::stop);
      Signals.handle("INT", supervisor::stop);
      return supervisor.run();
    } catch (FileSystemException e) {
      throw new CommandFailure(
          ExitStatus.FAILURE,
          "expected a directory for data that can be written (--data), found that %s cannot: %s"
              .formatted(e.getFile(), e.getClass().getSimpleName()));
    } catch (IOException e) {
      throw new CommandFailure(ExitStatus.FAILURE, String.valueOf(e.getMessage()));
    }
  }

  private Plan plan(Topology topology) throws CommandFailure {
    try {
      return PlacementPlanner.plan(topology, settings.placement());
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitStatus.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private void tellPlan(Plan plan) {
    plan.decisions().forEach(log::info);
    ReplicaSpec first = plan.replicas().getFirst();
    if (plan.replicas().size() > 1) {
      List<String> sets = plan.replicas().stream().map(spec -> spec.cpus().toString()).toList();
      log.warn(
          "planned "
              + sets.size()
              + " replicas on CPUs "
              + String.join(" | ", sets)
              + ", but nothing distributes requests over several yet: only the first is started");
    }
    log.info(
        "replica 0 on CPUs "
            + first.cpus()
            + ", layout "
            + first.layout()
            + (first.pinned() ? " pinned" : "")
            + ", heap "
            + (first.heapBytes() >> 20)
            + " MB");
  }

  private ReplicaSettings replicaSettings(ReplicaSpec spec) {
    boolean pin = spec.pinned() && MachineProbe.onLinux();
    return new ReplicaSettings(
        spec.index(),
        1,
        Dispatch.DIRECT,
        "",
        settings.host(),
        settings.port(),
        settings.data().toString(),
        spec.layout().toString(),
        spec.waiting().toString(),
        pin ? spec.pins() : Map.of(),
        pin ? spec.ancillary().toString() : "",
        settings.trust() == null ? "" : settings.trust().toString(),
        settings.shutdownTimeout().toMillis(),
        settings.limits());
  }

  private static ReplicaStarter starter(ReplicaCommand command) {
    List<String> words = command.words();
    return (replica, listener) -> ReplicaProcess.start(words, replica.toJson(), listener);
  }

  private void announce(List<Supervisor.Running> replicas) {
    Supervisor.Running first = replicas.getFirst();
    String host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
    String url = "http://" + host + ":" + first.port();
    String line =
        json
            ? "{\"ready\":true,\"url\":"
                + JsonText.quoted(url)
                + ",\"port\":"
                + first.port()
                + ",\"pid\":"
                + ProcessHandle.current().pid()
                + ",\"replicas\":["
                + String.join(
                    ",",
                    replicas.stream()
                        .map(each -> "{\"index\":" + each.index() + ",\"pid\":" + each.pid() + "}")
                        .toList())
                + "]}"
            : "ready " + url;
    out.println(line);
    out.flush();
    writeReadyFile(line);
  }

  private void writeReadyFile(String line) {
    Path file = settings.readyFile();
    if (file == null) {
      return;
    }
    try {
      Files.writeString(file, line + "\n");
    } catch (IOException e) {
      log.error("cannot write the ready file " + file + ": " + e.getMessage());
    }
  }
}
