package dev.pinion.bootstrap.cli;

import com.fasterxml.jackson.databind.JsonNode;
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
final class StartCommand extends EngineCommand implements Callable<Integer> {
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

  @ArgGroup private Waiting waiting = new Waiting();

  /** Alternative ways of waiting. */
  static final class Waiting {
    @Option(names = "--async", description = "Do not wait for the end; print the instance's id.")
    private boolean async;

    @Option(
        names = "--wait",
        paramLabel = "SECONDS",
        description = "Longest time to wait for the end. Default: 30.")
    private int seconds = DEFAULT_SECONDS;
  }

  @Override
  public Integer call() throws CommandFailure {
    JsonNode value = Inputs.json(input);
    int slash = definition.indexOf('/');
    String name = slash < 0 ? definition : definition.substring(0, slash);
    String version = slash < 0 ? null : definition.substring(slash + 1);
    if (name.isEmpty() || (version != null && version.isEmpty())) {
      throw new CommandFailure(
          ExitStatus.USAGE, "expected NAME or NAME/VERSION, found \"" + definition + "\"");
    }
    try (EngineClient client = client()) {
      EngineClient.Answer answer =
          client.start(namespace, name, version, value, waiting.async ? 0 : waiting.seconds);
      if (!answer.ok()) {
        throw new CommandFailure(ExitStatus.FAILURE, EngineClient.problem(answer));
      }
      return Outcomes.show(this, answer.body());
    }
  }
}
