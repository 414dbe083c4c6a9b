package dev.pinion.bootstrap.cli;

import picocli.CommandLine.Option;

/** A command that talks to a running engine. */
public abstract class EngineCommand extends BaseCommand {
  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "${env:PINION_URL:-http://127.0.0.1:8080}",
      description = "Where the engine serves. Default: $$PINION_URL, else http://127.0.0.1:8080.")
  private String url = "";

  public RestClient client() throws CommandException {
    return new RestClient(url);
  }
}
