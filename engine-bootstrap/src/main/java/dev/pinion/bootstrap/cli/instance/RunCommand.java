package dev.pinion.bootstrap.cli.instance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.assembly.CoreEngineLauncher;
import dev.pinion.bootstrap.assembly.EngineLauncher;
import dev.pinion.bootstrap.assembly.EngineLauncher.RunningEngine;
import dev.pinion.bootstrap.assembly.ReplicaAssembly;
import dev.pinion.bootstrap.cli.BaseCommand;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandInput;
import dev.pinion.bootstrap.cli.DiagnosticText;
import dev.pinion.bootstrap.cli.DocumentsOption;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.RestClient;
import dev.pinion.bootstrap.cli.validation.DefinitionPaths;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.call.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a definition once, on an engine in this process. */
@Command(
    name = "run",
    description = "Runs a definition once, without a server, and prints its output.",
    sortOptions = false)
public final class RunCommand extends BaseCommand implements Callable<Integer> {
  private static final int DEFAULT_SECONDS = 300;

  private final EngineLauncher launcher;

  @Parameters(index = "0", paramLabel = "FILE", description = "Definition, YAML or JSON.")
  private Path file = Path.of("");

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "FILE|DIR",
      description = "Definitions that it may run (run: workflow), or directories of them.")
  private List<Path> others = new ArrayList<>();

  @Option(
      names = "--input",
      paramLabel = "JSON",
      defaultValue = "{}",
      description = "Input: JSON, @FILE, or - for standard input. Default: {}.")
  private String input = "{}";

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description = "Longest time to wait for the end. Default: 300.")
  private int waitSeconds = DEFAULT_SECONDS;

  @Option(
      names = "--trust",
      paramLabel = "FILE",
      description = "PEM file of certificates that calls trust besides the system's.")
  private @Nullable Path trust;

  @Option(
      names = "--programs",
      paramLabel = "KIND,...",
      defaultValue = "",
      description =
          "Programs that tasks may run: shell, javascript, python, container, mcp. Default: none.")
  private String programs = "";

  @Mixin private DocumentsOption documents = new DocumentsOption();

  public RunCommand() {
    this(new CoreEngineLauncher());
  }

  RunCommand(EngineLauncher launcher) {
    this.launcher = launcher;
  }

  @Override
  public Integer call() throws CommandException, IOException {
    JsonNode value = CommandInput.json(input);
    byte[] document = CommandInput.file(file);
    Set<Program.Kind> allowed = allowed();
    EngineLimits limits = EngineLimits.forHeap(Runtime.getRuntime().maxMemory());
    List<Path> called = new DefinitionPaths(limits).files(others);
    try (RunningEngine engine =
            new ReplicaAssembly(launcher)
                .startInMemory(limits, trust, allowed, documents.allowed());
        RestClient client = new RestClient("http://127.0.0.1:" + engine.port())) {
      for (Path other : called) {
        deploy(client, other, CommandInput.file(other));
      }
      return run(client, deploy(client, file, document), value);
    }
  }

  private Set<Program.Kind> allowed() throws CommandException {
    try {
      return SettingKey.PROGRAMS.parse(programs);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitStatus.USAGE, "--programs: " + e.getMessage());
    }
  }

  /** Deploys a definition; returns its key. */
  private JsonNode deploy(RestClient client, Path from, byte[] document) throws CommandException {
    RestClient.Response deployed = client.deploy(document, CommandInput.mediaType(from));
    if (!deployed.ok()) {
      for (JsonNode problem : deployed.body().path("errors")) {
        err().println(from + ":" + DiagnosticText.line(problem));
      }
      throw new CommandException(ExitStatus.DATA, from + ": " + RestClient.problem(deployed));
    }
    return deployed.body();
  }

  private int run(RestClient client, JsonNode key, JsonNode value) throws CommandException {
    RestClient.Response ended =
        client.start(
            key.path("namespace").asText(),
            key.path("name").asText(),
            key.path("version").asText(),
            value,
            waitSeconds);
    if (!ended.ok()) {
      throw new CommandException(ExitStatus.FAILURE, RestClient.problem(ended));
    }
    if (ended.status() != 200) {
      throw new CommandException(
          ExitStatus.FAILURE, "the instance had not ended after " + waitSeconds + " s");
    }
    return InstanceOutcome.show(this, ended.body());
  }
}
