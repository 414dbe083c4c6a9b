package dev.pinion.benchmarks.testbed;

import dev.pinion.benchmarks.bare.CallPattern;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.testbed.BlockingHttpClient.Request;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.LoadRequest;
import dev.pinion.workloads.load.ResponseCheck;
import dev.pinion.workloads.stub.StubService;
import dev.pinion.workloads.stub.StubSettings;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A stub in this process, and servers under measurement in separate processes. All of them run
 * until the testbed is closed: those without load sleep. Used by one thread.
 */
public final class Testbed implements AutoCloseable {
  private static final Pattern NUMBER = Pattern.compile("-\\d+$");
  private static final Duration START_PATIENCE = Duration.ofSeconds(60);

  private final Path launcher;
  private final Path data;
  private final CpuPlacement placement;
  private final StubService stub = StubService.start(StubSettings.standard());
  private final Deque<ServerProcess> running = new ArrayDeque<>();
  private final Deque<Runnable> atEnd = new ArrayDeque<>();
  private final Map<EngineLayout, ServerProcess> engines = new EnumMap<>(EngineLayout.class);
  private final Map<String, ServerProcess> byDurability = new HashMap<>();
  private final Map<String, String> engineOptions = new LinkedHashMap<>();
  private final Map<String, String> flags = new LinkedHashMap<>();

  /**
   * A testbed without servers.
   *
   * @param launcher the command that starts the engine
   * @param data folder for the data of engines
   */
  public Testbed(Path launcher, Path data, CpuPlacement placement) {
    this.launcher = launcher;
    this.data = data;
    this.placement = placement;
  }

  /** Assignment of CPUs. */
  public CpuPlacement placement() {
    return placement;
  }

  /** The engine in a layout, running a workload; started with every workload deployed. */
  public LoadVariant engine(EngineLayout engineLayout, Workload workload, LoadSettings settings)
      throws MeasurementException, InterruptedException {
    ServerProcess engine = engines.get(engineLayout);
    if (engine == null) {
      engine = engine(engineLayout.variant(), engineLayout);
      engines.put(engineLayout, engine);
    }
    return load(engine, workload, settings);
  }

  /**
   * A separate engine, started with every workload deployed; ended with the testbed.
   *
   * @param name its name; unique within the testbed
   */
  public ServerProcess engine(String name, EngineLayout engineLayout)
      throws MeasurementException, InterruptedException {
    ServerProcess engine = unwatched(name, engineLayout);
    running.addLast(engine);
    deployWorkloads(engine);
    return engine;
  }

  /**
   * A separate engine with its own settings, running a workload; ended with the testbed.
   *
   * @param name its name; unique within the testbed
   * @param options options of {@code serve}
   */
  public LoadVariant engine(
      String name, List<String> options, Workload workload, LoadSettings settings)
      throws MeasurementException, InterruptedException {
    ServerProcess engine = serve(name, options);
    deployWorkloads(engine);
    return load(engine, workload, settings).withReplicas();
  }

  /**
   * An engine with a level of durability for its instances, running a workload; ended with the
   * testbed. A running engine of that level is used again.
   */
  public LoadVariant durable(String level, Workload workload, LoadSettings settings)
      throws MeasurementException, InterruptedException {
    ServerProcess engine = byDurability.get(level);
    if (engine == null) {
      engine = run(level, engineCommand("durability-" + level, EngineLayout.FUSED));
      byDurability.put(level, engine);
      for (Workload each : Workload.values()) {
        deploy(engine, each.id(), each.definition(stub.uri(), level));
      }
    }
    return load(engine, workload, settings);
  }

  /**
   * An engine with its own settings and nothing deployed; ended with the testbed.
   *
   * @param name its name; unique within the testbed
   * @param options options of {@code serve}; there is no history unless they enable it
   */
  public ServerProcess serve(String name, List<String> options)
      throws MeasurementException, InterruptedException {
    return run(name, command(name, options));
  }

  /**
   * A fresh engine that its user ends, started with or without the caches that the build has
   * trained for it. Nothing disturbs its start: its flags are not recorded.
   *
   * @param name its name; unique within the testbed
   * @param options further options of {@code serve}
   */
  public ServerProcess fresh(String name, boolean trained, List<String> options)
      throws MeasurementException, InterruptedException {
    List<String> all = new ArrayList<>(options(EngineLayout.FUSED));
    all.addAll(options);
    String aot = trained ? "" : "PINION_AOT=off ";
    engineOptions.put(NUMBER.matcher(name).replaceFirst(""), aot + String.join(" ", all));
    List<String> command = assembled(name, all);
    if (!trained) {
      command = Stream.concat(Stream.of("env", "PINION_AOT=off"), command.stream()).toList();
    }
    return ServerProcess.start(name, placement.onEngine(command), START_PATIENCE);
  }

  /**
   * An engine of several replicas, with every workload deployed; ended with the testbed.
   *
   * @param name its name; unique within the testbed
   * @param replicas their number or plan, as an option of {@code serve}
   */
  public ServerProcess replicas(String name, String replicas)
      throws MeasurementException, InterruptedException {
    ServerProcess engine = serve(name, List.of("--replicas", replicas));
    deployWorkloads(engine);
    return engine;
  }

  private ServerProcess started(String name, List<String> command)
      throws MeasurementException, InterruptedException {
    ServerProcess process = ServerProcess.start(name, command, START_PATIENCE);
    noteFlags(process);
    return process;
  }

  /** Records the flags of the JVMs of a process, which takes some CPU time. */
  public void noteFlags(ServerProcess process) {
    flags.put(NUMBER.matcher(process.name()).replaceFirst(""), process.flags());
  }

  /** The service that engines call; it counts calls. */
  public StubService stub() {
    return stub;
  }

  /** Data folder of the engine of that name. */
  public Path data(String name) {
    return data.resolve(name);
  }

  /** An engine with nothing deployed that its user ends. */
  public ServerProcess unwatched(String name, EngineLayout engineLayout)
      throws MeasurementException, InterruptedException {
    return started(name, placement.onEngine(engineCommand(name, engineLayout)));
  }

  /** A workload on an engine that has its definition. */
  public LoadVariant load(ServerProcess engine, Workload workload, LoadSettings settings) {
    List<LoadRequest> starts = LoadRequest.starts(engine.uri(), workload);
    return load(engine, starts, Workload.CALLS, settings);
  }

  /** A workload on each of several engines that have its definition. */
  public List<LoadVariant> load(
      Collection<ServerProcess> engines, Workload workload, LoadSettings settings) {
    return engines.stream().map(engine -> load(engine, workload, settings)).toList();
  }

  /** Deploys the definition of every workload to an engine. */
  public void deployWorkloads(ServerProcess engine)
      throws MeasurementException, InterruptedException {
    for (Workload workload : Workload.values()) {
      deploy(engine, workload.id(), workload.definition(stub.uri()));
    }
  }

  /** The bare exchange of a workload. */
  public LoadVariant bare(CallPattern callPattern, LoadSettings settings)
      throws MeasurementException, InterruptedException {
    ServerProcess bare =
        run(
            "bare",
            BenchmarkJvm.server(
                placement.engine(),
                "bare",
                "--workload",
                callPattern.workload(),
                "--stub",
                stub.uri().toString()));
    List<LoadRequest> starts =
        LoadRequest.starts(bare.uri(), Workload.named(callPattern.workload()));
    return load(bare, starts, Workload.CALLS, settings);
  }

  /**
   * Chains of handlers in a separate process; ended with the testbed.
   *
   * @param name its name; unique within the testbed
   * @param cpus CPUs of the process and its descendants
   * @param options options of {@code chains}
   */
  public ServerProcess chains(String name, CpuSet cpus, List<String> options)
      throws MeasurementException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("chains"));
    arguments.addAll(options);
    engineOptions.put(name, String.join(" ", arguments));
    ServerProcess chains =
        started(
            name,
            CpuPlacement.pinned(cpus, BenchmarkJvm.server(cpus, arguments.toArray(String[]::new))));
    running.addLast(chains);
    return chains;
  }

  /** The echo server under the starts of a workload. */
  public LoadVariant echo(Workload workload, LoadSettings settings)
      throws MeasurementException, InterruptedException {
    ServerProcess echo = run("echo", BenchmarkJvm.server(placement.engine(), "echo"));
    URI target = LoadRequest.instances(echo.uri(), workload);
    List<LoadRequest> echoes = new ArrayList<>();
    workload
        .inputs()
        .forEach(
            input -> {
              String body = LoadRequest.startBody(input);
              byte[] expected = body.getBytes(StandardCharsets.UTF_8);
              echoes.add(LoadRequest.post(target, body, ResponseCheck.body(expected)));
            });
    return load(echo, echoes, 0, settings);
  }

  /**
   * Flags of every started JVM, by name of the process; for fresh ones whose names differ in a
   * number at the end, those of the last.
   */
  public Map<String, String> flags() {
    return Collections.unmodifiableMap(flags);
  }

  /**
   * Options of {@code serve} of every started engine, by its name; for fresh ones whose names
   * differ in a number at the end, those of the last.
   */
  public Map<String, String> engineOptions() {
    return Collections.unmodifiableMap(engineOptions);
  }

  /** Adds an action that runs when the testbed is closed, after its processes have ended. */
  public void atEnd(Runnable action) {
    atEnd.addLast(action);
  }

  /** Stops all processes concurrently, and then the stub. */
  @Override
  public void close() {
    running.descendingIterator().forEachRemaining(ServerProcess::terminate);
    running.descendingIterator().forEachRemaining(ServerProcess::close);
    atEnd.descendingIterator().forEachRemaining(Runnable::run);
    stub.close();
  }

  /**
   * Any requests to a process.
   *
   * @param requests requests that clients send in turn
   * @param calls calls of the stub that belong to each response
   */
  public LoadVariant load(
      ServerProcess process, List<LoadRequest> requests, int calls, LoadSettings settings) {
    return new LoadVariant(process.name(), process, requests, stub, calls, settings);
  }

  private List<String> engineCommand(String name, EngineLayout engineLayout) {
    return command(name, options(engineLayout));
  }

  private List<String> options(EngineLayout engineLayout) {
    return List.of("--replicas", "1", "--layout", engineLayout.option(placement.engine().size()));
  }

  private List<String> command(String name, List<String> options) {
    engineOptions.put(name, String.join(" ", options));
    return assembled(name, options);
  }

  private List<String> assembled(String name, List<String> options) {
    List<String> command = new ArrayList<>(List.of(launcher.toString(), "serve"));
    command.addAll(List.of("--port", "0", "--admin-port", "0", "--json"));
    command.addAll(List.of("--data", data(name).toString()));
    if (!options.contains("--history")) {
      command.addAll(List.of("--history", "none")); // it would take time of the measured CPUs
    }
    command.addAll(options);
    return command;
  }

  private ServerProcess run(String name, List<String> command)
      throws MeasurementException, InterruptedException {
    ServerProcess process = started(name, placement.onEngine(command));
    running.addLast(process);
    return process;
  }

  /**
   * Deploys a definition to an engine.
   *
   * @param name name of the definition in messages
   * @param definition the document as YAML
   */
  public void deploy(ServerProcess engine, String name, String definition)
      throws MeasurementException {
    Request post = new Request("POST", "/v1/definitions", "application/yaml", definition, "");
    EngineClient.ofUser(engine).require(201, "the definition of " + name, post);
  }
}
