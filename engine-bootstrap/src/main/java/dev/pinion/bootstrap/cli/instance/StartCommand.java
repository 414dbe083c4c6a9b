package dev.pinion.bootstrap.cli.instance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandInput;
import dev.pinion.bootstrap.cli.EngineCommand;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.RestClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts an instance on a running engine. */
@Command(
    name = "start",
    description = "Starts an instance on a running engine and prints its output when it ends.",
    sortOptions = false)
public final class StartCommand extends EngineCommand implements Callable<Integer> {
  private static final int DEFAULT_SECONDS = 30;

  @Parameters(
      paramLabel = "NAME[/VERSION]",
      description = "Definition; without a version, its latest one.")
  private String definition = "";

  @Option(
      names = "--namespace",
      paramLabel = "NAMESPACE",
      defaultValue = "default",
      description = "Namespace of the definition. Default: default.")
  private String namespace = "default";

  @Option(
      names = "--input",
      paramLabel = "JSON",
      defaultValue = "{}",
      description = "Input: JSON, @FILE, or - for standard input. Default: {}.")
  private String input = "{}";

  @ArgGroup private WaitOptions waitOptions = new WaitOptions();

  /** Alternative ways of waiting. */
  static final class WaitOptions {
    @Option(names = "--async", description = "Do not wait for the end; print the instance's id.")
    private boolean async;

    @Option(
        names = "--wait",
        paramLabel = "SECONDS",
        description = "Longest time to wait for the end. Default: 30.")
    private int seconds = DEFAULT_SECONDS;
  }

  @Override
  public Integer call() throws CommandException {
    JsonNode value = CommandInput.json(input);
    int slash = definition.indexOf('/');
    String name = slash < 0 ? definition : definition.substring(0, slash);
    String version = slash < 0 ? null : definition.substring(slash + 1);
    if (name.isEmpty() || (version != null && version.isEmpty())) {
      throw new CommandException(
          ExitStatus.USAGE, "expected NAME or NAME/VERSION, found \"" + definition + "\"");
    }
    try (RestClient client = client()) {
      RestClient.Response response =
          client.start(
              namespace, name, version, value, waitOptions.async ? 0 : waitOptions.seconds);
      if (!response.ok()) {
        throw new CommandException(ExitStatus.FAILURE, RestClient.problem(response));
      }
      return InstanceOutcome.show(this, response.body());
    }
  }
}
