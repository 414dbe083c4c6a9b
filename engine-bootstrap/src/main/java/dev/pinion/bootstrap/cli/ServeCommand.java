package dev.pinion.bootstrap.cli;

import dev.pinion.bootstrap.config.ConfigException;
import dev.pinion.bootstrap.config.ConfigLoader;
import dev.pinion.bootstrap.config.Key;
import dev.pinion.bootstrap.config.ServeSettings;
import dev.pinion.bootstrap.dispatch.ListeningSocket;
import dev.pinion.bootstrap.logging.LostLines;
import dev.pinion.bootstrap.process.StandardStreams;
import dev.pinion.core.model.EngineLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Runs the engine: one option for each setting, derived from {@link Key}. */
final class ServeCommand implements Callable<Integer> {
  private static final List<Key> ALL = List.of(Key.values());

  private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

  private ServeCommand() {}

  static CommandLine commandLine() {
    ServeCommand command = new ServeCommand();
    command.describe();
    return new CommandLine(command.spec);
  }

  private void describe() {
    spec.name("serve");
    spec.usageMessage()
        .description(
            "Runs the engine. Each setting may be given as an option, in the environment as"
                + " PINION_NAME, or in a file; options win over the environment, that over the"
                + " file. A variable PINION_NAME that is none of them is refused.")
        .sortOptions(false);
    KeyOptions.add(spec, ALL);
    spec.addOption(
        OptionSpec.builder("--config")
            .paramLabel("FILE")
            .type(Path.class)
            .description("File with settings: YAML, or properties when its name ends so.")
            .build());
    spec.addOption(
        OptionSpec.builder("--dry-run")
            .type(boolean.class)
            .description("Print the plan; start nothing.")
            .build());
    spec.addOption(
        OptionSpec.builder("--verbose")
            .type(boolean.class)
            .description("With --dry-run: print the command lines of the processes too.")
            .build());
    spec.addOption(
        OptionSpec.builder("--json").type(boolean.class).description("Print JSON.").build());
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Show this help.").build());
    spec.usageMessage().footerHeading(limits());
  }

  private static String limits() {
    StringBuilder text = new StringBuilder("%nLimits of the engine (--set NAME=VALUE):%n");
    EngineLimits.defaults()
        .values()
        .forEach((name, value) -> text.append("  " + name + "=" + value + "%n"));
    return text.toString();
  }

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    ParseResult parsed = spec.commandLine().getParseResult();
    Map<Key, String> options = KeyOptions.given(parsed, ALL);
    Path file = parsed.matchedOptionValue("--config", (Path) null);
    boolean json = parsed.hasMatchedOption("--json");
    ServeSettings settings = settings(options, file);
    boolean verbose = parsed.hasMatchedOption("--verbose");
    if (parsed.hasMatchedOption("--dry-run")) {
      return new DryRun(settings, json, verbose, spec.commandLine().getOut()).run();
    }
    if (verbose) {
      throw new CommandFailure(ExitStatus.USAGE, "expected --verbose with --dry-run");
    }
    return serve(settings, json);
  }

  private static int serve(ServeSettings settings, boolean json) throws InterruptedException {
    try (StandardStreams streams = StandardStreams.neverBlocking(LostLines::line)) {
      try {
        return new ServeProgram(
                settings, ServeProgram.REPLICA_MAIN, ListeningSocket.available(), json, streams)
            .run();
      } catch (CommandFailure e) {
        System.err.println("pinion serve: " + e.getMessage());
        return e.status();
      }
    }
  }

  private static ServeSettings settings(Map<Key, String> options, @Nullable Path file)
      throws CommandFailure {
    try {
      checkReadable("--config", file);
      ServeSettings settings = ConfigLoader.load(options, System.getenv(), file);
      checkReadable(Key.TRUST.option(), settings.trust());
      String handlers = settings.handlers().documents();
      checkReadable(Key.HANDLERS.option(), handlers.isEmpty() ? null : Path.of(handlers));
      return settings;
    } catch (ConfigException e) {
      throw new CommandFailure(ExitStatus.USAGE, String.join("; ", e.problems()));
    }
  }

  private static void checkReadable(String option, @Nullable Path file) throws CommandFailure {
    if (file != null && !Files.isReadable(file)) {
      throw new CommandFailure(
          ExitStatus.NO_INPUT,
          option
              + ": expected a file that can be read, found that "
              + file
              + (Files.exists(file) ? " cannot" : " does not exist"));
    }
  }
}
