package dev.pinion.bootstrap.serve;

import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.dispatch.ListeningSocket;
import dev.pinion.bootstrap.logging.LostLinesNotice;
import dev.pinion.bootstrap.process.StandardStreams;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.settings.SettingOptions;
import dev.pinion.bootstrap.settings.SettingsException;
import dev.pinion.bootstrap.settings.SettingsLoader;
import dev.pinion.core.limits.EngineLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Runs the engine: one option for each setting, derived from {@link SettingKey}. */
public final class ServeCommand implements Callable<Integer> {
  private static final List<SettingKey<?>> ALL = SettingKey.all();

  private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

  private ServeCommand() {}

  public static CommandLine commandLine() {
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
    SettingOptions.add(spec, ALL);
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
    for (EngineLimits.Row row : EngineLimits.rows()) {
      text.append("  " + row.name() + "=" + row.usual());
      text.append(" (" + row.min() + " to " + row.max() + ")%n      ");
      text.append(row.says().replace("%", "%%") + "%n");
    }
    return text.toString();
  }

  @Override
  public Integer call() throws CommandException, InterruptedException {
    ParseResult parsed = spec.commandLine().getParseResult();
    Map<SettingKey<?>, String> options = SettingOptions.values(parsed, ALL);
    Path file = parsed.matchedOptionValue("--config", (Path) null);
    boolean json = parsed.hasMatchedOption("--json");
    EffectiveSettings settings = settings(options, file);
    boolean verbose = parsed.hasMatchedOption("--verbose");
    if (parsed.hasMatchedOption("--dry-run")) {
      return new DryRun(settings, json, verbose, spec.commandLine().getOut()).run();
    }
    if (verbose) {
      throw new CommandException(ExitStatus.USAGE, "expected --verbose with --dry-run");
    }
    return serve(settings, json);
  }

  private static int serve(EffectiveSettings settings, boolean json) throws InterruptedException {
    try (StandardStreams streams = StandardStreams.neverBlocking(LostLinesNotice::line)) {
      try {
        return new ServeProgram(
                settings, ServeProgram.REPLICA_MAIN, ListeningSocket.available(), json, streams)
            .run();
      } catch (CommandException e) {
        System.err.println("pinion serve: " + e.getMessage());
        return e.status();
      }
    }
  }

  private static EffectiveSettings settings(Map<SettingKey<?>, String> options, @Nullable Path file)
      throws CommandException {
    try {
      checkReadable("--config", file);
      EffectiveSettings settings = SettingsLoader.load(options, System.getenv(), file);
      for (SettingKey<Optional<Path>> each :
          List.of(
              SettingKey.TRUST,
              SettingKey.SECRETS_DIRECTORY,
              SettingKey.HANDLERS,
              SettingKey.HANDLERS_NATS_CREDENTIALS,
              SettingKey.HANDLERS_NATS_TRUST)) {
        checkReadable(each.option(), settings.get(each).orElse(null));
      }
      return settings;
    } catch (SettingsException e) {
      throw new CommandException(ExitStatus.USAGE, String.join("; ", e.problems()));
    }
  }

  private static void checkReadable(String option, @Nullable Path file) throws CommandException {
    if (file != null && !Files.isReadable(file)) {
      throw new CommandException(
          ExitStatus.NO_INPUT,
          option
              + ": expected a file that can be read, found that "
              + file
              + (Files.exists(file) ? " cannot" : " does not exist"));
    }
  }
}
