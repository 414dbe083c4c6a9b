package dev.pinion.bootstrap.cli.broker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandInput;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.EngineCommand;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.RestClient;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows and changes classes or contracts of a running engine. */
@Command(sortOptions = false)
final class BrokerListCommand extends EngineCommand implements Callable<Integer> {
  private final String collection;

  @ArgGroup(exclusive = false)
  private @Nullable PutOptions putOptions;

  @Option(names = "--remove", paramLabel = "ID", description = "End the one of this id.")
  private @Nullable String remove;

  /** The item to add or change. */
  // Written by picocli.
  static final class PutOptions {
    @Option(names = "--id", paramLabel = "ID", required = true, description = "Its id.")
    private String id = "";

    @Option(
        names = "--put",
        paramLabel = "FILE",
        required = true,
        description = "Add the one of a JSON document, or change the one of its id.")
    private Path file = Path.of("");
  }

  private BrokerListCommand(String collection) {
    this.collection = collection;
  }

  /**
   * The parser of one of these commands.
   *
   * @param collection its name, as in paths
   * @param description its purpose, in a sentence
   */
  static CommandLine commandLine(String collection, String description) {
    CommandLine line = new CommandLine(new BrokerListCommand(collection));
    line.getCommandSpec().name(collection).usageMessage().description(description);
    return line;
  }

  @Override
  public Integer call() throws CommandException {
    try (RestClient client = client()) {
      if (putOptions != null) {
        BrokerResponses.check(
            client.putBroker(
                collection + "/" + RestClient.encoded(putOptions.id),
                CommandInput.file(putOptions.file)));
      }
      if (remove != null) {
        BrokerResponses.check(client.deleteBroker(collection + "/" + RestClient.encoded(remove)));
      }
      JsonNode all = BrokerResponses.check(client.broker(collection));
      if (json()) {
        CommandOutput.json(out(), all);
      } else {
        all.path("items").forEach(each -> out().println(each));
      }
      return ExitStatus.OK;
    }
  }
}
